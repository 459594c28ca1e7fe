package yaml

// plainKeys reports whether every key of a mapping is an ordinary one. Then to merge its merge keys into it, of which there
// are none, makes a copy that differs in nothing.
func plainKeys(mapping *Node) bool {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		if key.Kind != ScalarNode || key.Tag != NodeTagString || key.Value == "" || key.Value == "<<" {
			return false
		}
	}
	return len(mapping.Content)%2 == 0
}

// deAnchorContent does for a mapping with plain keys what deAnchor does for a sequence.
func deAnchorContent(yn *Node) (*Node, error) {
	for i := range yn.Content {
		value, err := deAnchor(yn.Content[i])
		if err != nil {
			return nil, err
		}
		yn.Content[i] = value
	}
	return yn, nil
}

// hasMap reports whether a map of the metadata, all of it strings, is just that one. Then to write it anew changes nothing
// but its order.
func (rn *RNode) hasMap(m map[string]string, field string) bool {
	meta := rn.getMetaData()
	if meta == nil {
		return false
	}
	key, value := entry(meta, field)
	if key == nil {
		return len(m) == 0
	}
	if value.Kind != MappingNode || len(m) == 0 || len(value.Content) != 2*len(m) {
		return false
	}
	for i := 0; i < len(value.Content); i += 2 {
		k, v := value.Content[i], value.Content[i+1]
		want, ok := m[k.Value]
		if !ok || want != v.Value || k.Kind != ScalarNode || k.Tag != NodeTagString || v.Kind != ScalarNode || v.Tag != NodeTagString {
			return false
		}
	}
	return true
}
