package yaml

import (
	"sigs.k8s.io/kustomize/kyaml/writers"
)

// An Origin is who wrote a scalar.
type Origin struct {
	head  writers.Head
	mark  int32
	value string
}

// originOf returns who wrote the node; the zero Origin means that nobody knows.
func originOf(n *Node) Origin {
	h := writers.HeadOf(n)
	if h.Source == 0 {
		return Origin{}
	}
	return Origin{h, n.Mark, n.Value}
}

// restore gives the node its origin back if it has the value that was written there.
func (o Origin) restore(n *Node) {
	if n != nil && o.head.Source != 0 && n.Kind == ScalarNode && n.Value == o.value {
		writers.Set(n, o.head)
		n.Mark = o.mark
	}
}

// overwrite sets a field's value and signs it.
func overwrite(field, value *RNode) {
	if !writers.Active() || field.YNode() == nil || value.YNode() == nil {
		field.SetYNode(value.YNode())
		return
	}
	was := *field.YNode()
	field.SetYNode(value.YNode())
	writers.Changed(field.YNode(), was)
}

// created signs the field that was just appended to a map.
func created(parent, value *RNode) {
	if writers.Active() {
		content := parent.YNode().Content
		writers.Created(content[len(content)-2], value.YNode())
	}
}

// KeepIdentity remembers where the fields were written that a patch must not change. Kustomize sets them anew after the patch;
// the returned function tells the new nodes where their values come from.
func (rn *RNode) KeepIdentity() (restore func()) {
	find := func() [4]*Node {
		nodes := [4]*Node{rn.getMapFieldValue(APIVersionField), rn.getMapFieldValue(KindField)}
		if meta := rn.getMetaData(); meta != nil {
			_, nodes[2] = entry(meta, NameField)
			_, nodes[3] = entry(meta, NamespaceField)
		}
		return nodes
	}
	var origins [4]Origin
	for i, n := range find() {
		origins[i] = originOf(n)
	}
	return func() {
		if rn.IsNil() {
			return
		}
		for i, n := range find() {
			origins[i].restore(n)
		}
	}
}

// keepMap remembers where the entries of a map were written, to tell the nodes that take their place.
func keepMap(parent *Node, field string) (restore func()) {
	key, value := entry(parent, field)
	if value == nil {
		return func() {}
	}
	name, place, lost := originOf(key), writers.HeadOf(value), value.Lost
	keys, values := map[string]Origin{}, map[string]Origin{}
	for i := 0; i+1 < len(value.Content); i += 2 {
		k := value.Content[i]
		keys[k.Value], values[k.Value] = originOf(k), originOf(value.Content[i+1])
	}
	return func() {
		key, value := entry(parent, field)
		if value == nil {
			// What took the last entry took the map.
			if lost != nil {
				parent.Lost = &writers.Loss{Key: field, By: lost.By, Within: lost, Next: parent.Lost}
			}
			return
		}
		name.restore(key)
		writers.Set(value, place)
		value.Lost = lost
		for i := 0; i+1 < len(value.Content); i += 2 {
			k := value.Content[i]
			keys[k.Value].restore(k)
			values[k.Value].restore(value.Content[i+1])
		}
	}
}

// KeepKey tells the key of a field that was set from another map where it was written.
func KeepKey(dest *RNode, name string, sources []*RNode) {
	if dest.IsNil() {
		return
	}
	key, _ := entry(dest.YNode(), name)
	if key == nil || key.Source != 0 {
		return
	}
	for _, s := range sources {
		if s.IsNil() {
			continue
		}
		if written, _ := entry(s.YNode(), name); written != nil && written.Source != 0 {
			originOf(written).restore(key)
			return
		}
	}
}

func entry(parent *Node, field string) (key, value *Node) { return writers.Entry(parent, field) }

// replaceRoot tells the root of an object that was read anew which document it is from.
func (rn *RNode) replaceRoot(value *Node) {
	was := rn.YNode()
	rn.value = value
	if is := rn.YNode(); was != nil && is != nil {
		writers.Set(is, writers.HeadOf(was))
	}
}
