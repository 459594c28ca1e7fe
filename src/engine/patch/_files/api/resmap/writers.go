package resmap

import (
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/writers"
)

// mergedMaps are those that a generated object takes over from the one that it replaces or is merged into.
var mergedMaps = [][]any{{"metadata", "labels"}, {"metadata", "annotations"}, {"data"}, {"binaryData"}}

// signMerged remembers two objects that are about to become one, which kustomize writes anew. The returned function tells the
// nodes of the result whose they are.
func signMerged(old, res *resource.Resource) (sign func()) {
	if !writers.On() || old.YNode() == nil || res.YNode() == nil {
		return func() {}
	}
	was, own := old.Copy().YNode(), res.Copy().YNode()
	return func() {
		root := res.YNode()
		for _, field := range []string{"name", "namespace"} {
			take(writers.At(root, "metadata", field), writers.At(was, "metadata", field), nil)
		}
		for _, path := range mergedMaps {
			mergeMap(root, writers.At(was, path...), writers.At(own, path...), path)
		}
	}
}

func mergeMap(root, was, own *writers.Node, path []any) {
	n := writers.At(root, path...)
	if n == nil {
		if parent := writers.At(root, path[:len(path)-1]...); was != nil && parent != nil {
			writers.Lose(parent, path[len(path)-1], behavior(root), was)
		}
		return
	}
	for _, source := range []*writers.Node{own, was} {
		if h := writers.HeadOf(source); h.Source != 0 {
			writers.Set(n, h)
			break
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		oldKey, oldValue := writers.Entry(was, name)
		ownKey, ownValue := writers.Entry(own, name)
		if ownKey == nil {
			take(n.Content[i], oldKey, nil)
			take(n.Content[i+1], oldValue, nil)
			continue
		}
		take(n.Content[i], ownKey, nil)
		take(n.Content[i+1], ownValue, oldValue)
	}
	if was == nil {
		return
	}
	n.Lost = was.Lost
	for i := 0; i+1 < len(was.Content); i += 2 {
		if name := was.Content[i].Value; writers.Field(n, name) == nil {
			writers.Lose(n, name, behavior(root), was.Content[i+1])
		}
	}
}

// take tells a node that it has the value of another, and over which.
func take(n, from, over *writers.Node) {
	if n == nil || from == nil || n.Value != from.Value {
		return
	}
	h := writers.HeadOf(from)
	writers.Set(n, h)
	n.Mark = from.Mark
	if before := writers.HeadOf(over); h.Source != 0 && before.Source != 0 {
		writers.Stamp(n, writers.Compose(writers.Generator, nil, before, h))
	}
}

// behavior is where the generator of an object says that it replaces another one.
func behavior(root *writers.Node) writers.Head {
	points := writers.PointsOf(writers.HeadOf(root))
	if len(points) != 1 || points[0].File == "" {
		return writers.HeadOf(root)
	}
	p := points[0]
	p.Path = append(p.Path[:len(p.Path):len(p.Path)], "behavior")
	return writers.Keep(writers.Trace{By: writers.Generator, From: []writers.Point{p}})
}
