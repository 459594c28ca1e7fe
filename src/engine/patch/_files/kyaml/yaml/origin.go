package yaml

// An Origin is where a scalar was written.
type Origin struct {
	source       int32
	line, column int
	value        string
}

// originOf returns where the node was written; the zero Origin means that nobody knows.
func originOf(n *Node) Origin {
	if n == nil || n.Source == 0 || n.Value != n.Was {
		return Origin{}
	}
	return Origin{n.Source, n.Line, n.Column, n.Value}
}

// restore gives the node its origin back if it has the value that was written there.
func (o Origin) restore(n *Node) {
	if n != nil && o.source != 0 && n.Kind == ScalarNode && n.Value == o.value {
		n.Source, n.Line, n.Column, n.Was = o.source, o.line, o.column, o.value
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
	if value == nil || key.Source == 0 {
		return func() {}
	}
	name, place := originOf(key), Origin{source: value.Source, line: value.Line, column: value.Column}
	keys, values := map[string]Origin{}, map[string]Origin{}
	for i := 0; i+1 < len(value.Content); i += 2 {
		k := value.Content[i]
		keys[k.Value], values[k.Value] = originOf(k), originOf(value.Content[i+1])
	}
	return func() {
		key, value := entry(parent, field)
		if value == nil {
			return
		}
		name.restore(key)
		value.Source, value.Line, value.Column = place.source, place.line, place.column
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

func entry(parent *Node, field string) (key, value *Node) {
	if parent == nil || parent.Kind != MappingNode {
		return nil, nil
	}
	content := parent.Content
	for i := 0; i+1 < len(content); i += 2 {
		if content[i].Value == field {
			return content[i], content[i+1]
		}
	}
	return nil, nil
}

// keepRoot tells the root of an object that was read anew which document it is from.
func keepRoot(was, is *Node) {
	if was == nil || is == nil {
		return
	}
	is.Source, is.Line, is.Column = was.Source, was.Line, was.Column
}
