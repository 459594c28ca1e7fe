package walk

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/writers"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// lose tells that a patch takes a field of a map; values are the field in the object and in the patch.
func lose(dest *yaml.RNode, key string, result *yaml.RNode, values []*yaml.RNode) {
	if !writers.On() || !yaml.IsMissingOrNull(result) || result != nil && result.ShouldKeep || len(values) < 2 {
		return
	}
	patch, was := values[OriginIndex].YNode(), writers.Field(dest.YNode(), key)
	if patch == nil || was == nil || was == patch {
		return
	}
	writers.Lose(dest.YNode(), key, writers.Cause(patch), was)
}

// setAssociativeSequenceElements does what upstream's does; the list that it makes is the one that was there, and what the
// patch deleted is missing from it.
func (l *Walker) setAssociativeSequenceElements(values [][]string, keys []string, dest *yaml.RNode) (*yaml.RNode, error) {
	if !writers.On() || len(l.Sources) < 2 || dest.IsNil() {
		return l.upstreamSetAssociativeSequenceElements(values, keys, dest)
	}
	head, lost, mark := writers.HeadOf(dest.YNode()), dest.YNode().Lost, dest.YNode().Mark
	items := slices.Clone(dest.Content())
	patch := l.Sources[OriginIndex]
	var patched []*yaml.Node
	if patch.YNode() != dest.YNode() {
		patched = slices.Clone(patch.Content())
	}
	result, err := l.upstreamSetAssociativeSequenceElements(values, keys, dest)
	if err != nil || result.IsNil() {
		return result, err
	}
	list := result.YNode()
	writers.Set(list, head)
	list.Lost, list.Mark = lost, mark
	for i, item := range items {
		if slices.Contains(list.Content, item) || slices.ContainsFunc(list.Content, func(n *yaml.Node) bool { return sameKeys(n, item, keys) }) {
			continue
		}
		for _, p := range patched {
			if sameKeys(p, item, keys) {
				writers.Lose(list, i, writers.Cause(p), item)
			}
		}
	}
	return result, nil
}

// sameKeys reports whether two items are one to a merge.
func sameKeys(a, b *yaml.Node, keys []string) bool {
	for _, key := range keys {
		if key == "" {
			return a.Kind == yaml.ScalarNode && a.Value == b.Value
		}
		x, y := writers.Field(a, key), writers.Field(b, key)
		if x == nil || y == nil || x.Value != y.Value {
			return false
		}
	}
	return len(keys) > 0
}
