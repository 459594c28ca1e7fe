package builtinconfig

import "reflect"

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
	result, err := t.DeepCopy().upstreamMerge(input.DeepCopy())
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
