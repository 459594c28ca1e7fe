package render

import (
	"encoding/json"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// appendOrigin writes where a node and what is in it were read from, as Origin of protocol.ts: [source, line, column], then
// for a list its items' origins and for a map its entries, each [key, source, line, column, origin of the value].
func appendOrigin(out []byte, n *yaml.Node) []byte {
	for n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		n = n.Content[0]
	}
	out = append(out, '[')
	out = appendPlace(out, n)
	switch n.Kind {
	case yaml.SequenceNode:
		out = append(out, ",["...)
		for i, item := range n.Content {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendOrigin(out, item)
		}
		out = append(out, ']')
	case yaml.MappingNode:
		out = append(out, ",["...)
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				out = append(out, ',')
			}
			key := n.Content[i]
			out = append(out, '[')
			out = appendString(out, key.Value)
			out = append(out, ',')
			out = appendPlace(out, key)
			out = append(out, ',')
			out = appendOrigin(out, n.Content[i+1])
			out = append(out, ']')
		}
		out = append(out, ']')
	}
	return append(out, ']')
}

func appendPlace(out []byte, n *yaml.Node) []byte {
	if n.Source == 0 || n.Kind == yaml.ScalarNode && n.Value != n.Was {
		return append(out, "-1,0,0"...)
	}
	out = strconv.AppendInt(out, int64(n.Source-1), 10)
	out = append(out, ',')
	out = strconv.AppendInt(out, int64(n.Line), 10)
	out = append(out, ',')
	return strconv.AppendInt(out, int64(n.Column), 10)
}

// appendString writes a key as JSON; nearly all keys need no escape.
func appendString(out []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			text, _ := json.Marshal(s)
			return append(out, text...)
		}
	}
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}
