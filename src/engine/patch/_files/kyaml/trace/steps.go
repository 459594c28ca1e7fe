package trace

import (
	"strings"

	yaml3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Configured tells which entry a plugin was made from.
func Configured(plugin any, p Place) {
	if now != nil {
		now.plugins[plugin] = p
	}
}

// Entry notes that the entries of a plugin's list begin one more, after n of what they are made into.
func Entry(plugin any, n int) {
	if now != nil {
		now.entries[plugin] = append(now.entries[plugin], n)
	}
}

// PlaceOf returns the entry of a plugin.
func PlaceOf(plugin any) (Place, bool) {
	if now == nil {
		return Place{}, false
	}
	p, ok := now.plugins[plugin]
	return p, ok
}

// Begin starts a step, whose objects are told by Touch before they change.
func Begin(kind string, p Place) {
	if now == nil {
		return
	}
	now.Steps = append(now.Steps, Step{Place: p, Kind: kind})
	now.step = &now.Steps[len(now.Steps)-1]
	now.touched = map[*yaml.RNode]uint64{}
}

// Run tells which plugin is at work.
func Run(plugin any) {
	if now != nil {
		now.plugin = plugin
	}
}

// BeginEntry starts the step of the n-th thing that the entries of the plugin at work were made into.
func BeginEntry(kind string, n int) {
	if now == nil {
		return
	}
	p, ok := now.plugins[now.plugin]
	if !ok {
		Begin(kind, Here("transformers"))
		return
	}
	for i, first := range now.entries[now.plugin] {
		if first <= n {
			p.Field.Index = i
		}
	}
	EnterItem(p.Field.Index)
	Begin(kind, p)
}

// EnterItem goes to the i-th item of the list that the trail is at.
func EnterItem(i int) {
	if now != nil && len(now.Trail) > 0 {
		now.Trail[len(now.Trail)-1].Field.Index = i
	}
}

// Touch tells that a step is about to change an object.
func Touch(object *yaml.RNode) {
	if now == nil || now.step == nil || object.IsNil() {
		return
	}
	if _, ok := now.touched[object]; ok {
		return
	}
	now.touched[object] = sum(object.YNode())
	now.step.Selected++
}

// End finds out what the step changed. An object that is gone counts.
func End() {
	if now == nil || now.step == nil {
		return
	}
	for object, before := range now.touched {
		if object.IsNil() || sum(object.YNode()) != before {
			now.step.Changed++
		}
	}
	now.step, now.touched = nil, nil
}

// sum is a hash of what of a tree is printed: the order of keys is not, nor are the annotations in which kustomize keeps
// account of names. The walk also bounds the size of an object.
func sum(n *yaml3.Node) uint64 {
	var s summer
	return s.node(n)
}

type summer struct{ nodes int }

func (s *summer) node(n *yaml3.Node) uint64 {
	if s.nodes++; s.nodes > MaxNodes {
		panic(hit("an object has more than %d nodes", MaxNodes))
	}
	switch n.Kind {
	case yaml3.ScalarNode:
		return text(text(offset, n.ShortTag()), n.Value)
	case yaml3.MappingNode:
		total := uint64(offset)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			if strings.HasPrefix(key.Value, internal) || key.Value == "annotations" && onlyInternal(value) {
				continue
			}
			total += mix(s.node(key), s.node(value))
		}
		return total
	}
	total := uint64(n.Kind)
	for _, c := range n.Content {
		total = mix(total, s.node(c))
	}
	return total
}

const internal = "internal.config.kubernetes.io/"

func onlyInternal(n *yaml3.Node) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !strings.HasPrefix(n.Content[i].Value, internal) {
			return false
		}
	}
	return n.Kind == yaml3.MappingNode
}

// FNV-1a.
const (
	offset = 14695981039346656037
	prime  = 1099511628211
)

func text(h uint64, t string) uint64 {
	for i := range len(t) {
		h = (h ^ uint64(t[i])) * prime
	}
	return (h ^ 0xff) * prime
}

func mix(a, b uint64) uint64 {
	h := (a ^ b>>32) * prime
	return (h ^ b) * prime
}
