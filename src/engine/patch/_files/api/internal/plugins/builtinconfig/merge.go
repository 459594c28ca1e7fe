package builtinconfig

import (
	"reflect"
	"slices"

	"sigs.k8s.io/kustomize/api/types"
)

// Every kustomization merges the same few configurations, most of them the default one with nothing. They do not change once
// they are made, so the same two are merged once; what comes out equal to what went in is the same again.
var (
	merged = map[[2]*TransformerConfig]*TransformerConfig{}
	zero   = &TransformerConfig{}
)

const manyMerged = 1000

// Merge merges two configurations into a new one.
func (t *TransformerConfig) Merge(input *TransformerConfig) (*TransformerConfig, error) {
	if input == nil {
		return t, nil
	}
	pair := [2]*TransformerConfig{t.orZero(), input.orZero()}
	if result, ok := merged[pair]; ok {
		return result, nil
	}
	// Upstream sorts slices that it shares with what it merges.
	result, err := t.copy().upstreamMerge(input.copy())
	if err != nil {
		return nil, err
	}
	for _, same := range pair {
		if reflect.DeepEqual(result, same) {
			result = same
		}
	}
	if len(merged) > manyMerged {
		clear(merged)
	}
	merged[pair] = result
	return result, nil
}

func (t *TransformerConfig) orZero() *TransformerConfig {
	if t.NamePrefix == nil && t.NameReference == nil && reflect.DeepEqual(t, zero) {
		return zero
	}
	return t
}

// copy is DeepCopy, but for lists that are nil, which it leaves so.
func (t *TransformerConfig) copy() *TransformerConfig {
	c := *t
	for _, list := range []*types.FsSlice{
		&c.NamePrefix, &c.NameSuffix, &c.NameSpace, &c.CommonLabels, &c.Labels, &c.TemplateLabels,
		&c.CommonAnnotations, &c.VarReference, &c.Images, &c.Replicas,
	} {
		*list = slices.Clone(*list)
	}
	c.NameReference = slices.Clone(t.NameReference)
	for i, n := range c.NameReference {
		c.NameReference[i].Referrers = slices.Clone(n.Referrers)
	}
	return &c
}
