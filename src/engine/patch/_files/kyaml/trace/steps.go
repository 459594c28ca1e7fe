package trace

import yaml3 "go.yaml.in/yaml/v3"

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
	now.touched = map[*yaml3.Node]uint64{}
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
	p := now.plugins[now.plugin]
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

// Touch tells that a step is about to change an object, given by its root node.
func Touch(object *yaml3.Node) {
	if now == nil || now.step == nil || object == nil {
		return
	}
	if _, ok := now.touched[object]; ok {
		return
	}
	now.touched[object] = sum(object)
	now.step.Selected++
}

// End finds out what the step changed. An object that is gone counts.
func End() {
	if now == nil || now.step == nil {
		return
	}
	for object, before := range now.touched {
		if sum(object) != before {
			now.step.Changed++
		}
	}
	now.step, now.touched = nil, nil
}

// sum is FNV-1a over what of a tree is printed, in a walk that also bounds its size.
func sum(n *yaml3.Node) uint64 {
	s := summer{hash: 14695981039346656037}
	s.node(n)
	return s.hash
}

type summer struct {
	hash  uint64
	nodes int
}

func (s *summer) node(n *yaml3.Node) {
	if s.nodes++; s.nodes > MaxNodes {
		panic(hit("an object has more than %d nodes", MaxNodes))
	}
	s.byte(byte(n.Kind))
	switch n.Kind {
	case yaml3.ScalarNode:
		s.text(n.ShortTag())
		s.text(n.Value)
	default:
		for _, c := range n.Content {
			s.node(c)
		}
		s.byte(0xff)
	}
}

func (s *summer) text(t string) {
	for i := range len(t) {
		s.byte(t[i])
	}
	s.byte(0xfe)
}

func (s *summer) byte(b byte) { s.hash = (s.hash ^ uint64(b)) * 1099511628211 }

// Forget takes the origin off a copied tree, because it now stands where nobody wrote it.
func Forget(n *yaml3.Node) {
	if n == nil {
		return
	}
	n.Source = 0
	for _, c := range n.Content {
		Forget(c)
	}
}
