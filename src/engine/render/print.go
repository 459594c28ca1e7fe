package render

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	yaml2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"
)

// print writes an object as kustomize does: as JSON with sorted keys, and as YAML made from that JSON.
//
// Kustomize gets there by way of four texts: nodes to YAML, to values, to JSON, to values, to YAML. For objects without
// anything odd in them the values can be read off the nodes, with the same result; for all others this takes the same way.
//
// Without isYAML there may be none: it is half of the work. The YAML of odd objects is made in any case, as that may fail.
func print(o *yaml.RNode, isYAML bool) (asJSON, asYAML []byte, err error) {
	if value, ok := plainMap(o.YNode(), 0); ok {
		asJSON = appendJSON(nil, value)
		if !isYAML {
			return asJSON, nil, nil
		}
		if asYAML, err = yaml2.Marshal(value); err == nil {
			return asJSON, asYAML, nil
		}
	}
	if asJSON, err = o.MarshalJSON(); err != nil {
		return nil, nil, err
	}
	asYAML, err = k8syaml.JSONToYAML(asJSON)
	return asJSON, asYAML, err
}

const (
	// maxPlainDepth and maxPlainKey stay below where the parsers that are not asked have limits of their own.
	maxPlainDepth = 100
	maxPlainKey   = 256
)

// plainMap reads a map off its node; not ok means that there is something in it that a text might change.
func plainMap(n *yaml.Node, depth int) (map[string]any, bool) {
	if n == nil || n.Kind != yaml.MappingNode || n.Anchor != "" || depth > maxPlainDepth || len(n.Content)%2 != 0 || tagged(n) {
		return nil, false
	}
	m := make(map[string]any, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.Anchor != "" || tagged(key) || !isPlainText(key.Value) || key.Value == "<<" ||
			key.Value == "" || len(key.Value) > maxPlainKey || key.ShortTag() != yaml.NodeTagString {
			return nil, false
		}
		if _, twice := m[key.Value]; twice {
			return nil, false
		}
		value, ok := plain(n.Content[i+1], depth+1)
		if !ok {
			return nil, false
		}
		m[key.Value] = value
	}
	return m, true
}

func plain(n *yaml.Node, depth int) (any, bool) {
	switch n.Kind {
	case yaml.MappingNode:
		return plainMap(n, depth)
	case yaml.SequenceNode:
		if n.Anchor != "" || depth > maxPlainDepth || tagged(n) {
			return nil, false
		}
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			var ok bool
			if list[i], ok = plain(item, depth+1); !ok {
				return nil, false
			}
		}
		return list, true
	case yaml.ScalarNode:
		if n.Anchor != "" || tagged(n) || !isPlainText(n.Value) {
			return nil, false
		}
		return plainScalar(n)
	}
	return nil, false
}

func plainScalar(n *yaml.Node) (any, bool) {
	tag := n.ShortTag()
	if tag == yaml.NodeTagString {
		return n.Value, true
	}
	quoted := yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Style&quoted != 0 {
		// In print it becomes a string.
		return nil, false
	}
	switch tag {
	case yaml.NodeTagInt:
		return plainInt(n.Value)
	case yaml.NodeTagFloat:
		return plainFloat(n.Value)
	case yaml.NodeTagBool:
		return n.Value == "true", n.Value == "true" || n.Value == "false"
	case yaml.NodeTagNull:
		return nil, n.Value == "null" || n.Value == "~"
	}
	return nil, false
}

// plainInt takes only decimal numbers that look the same in every version of YAML.
func plainInt(text string) (any, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(digits) > 18 || digits[0] == '0' && text != "0" || strings.Trim(digits, "0123456789") != "" {
		return nil, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// plainFloat takes only numbers with digits before and after the point; JSON knows no 1.0, so that one becomes an integer.
func plainFloat(text string) (any, bool) {
	whole, fraction, ok := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if !ok || whole == "" || fraction == "" || len(text) > 15 || strings.Trim(whole+fraction, "0123456789") != "" {
		return nil, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f == 0 {
		return nil, false
	}
	number, err := json.Marshal(f)
	if err != nil {
		return nil, false
	}
	if !strings.ContainsAny(string(number), ".eE") {
		return plainInt(string(number))
	}
	return f, true
}

func tagged(n *yaml.Node) bool { return n.Style&yaml.TaggedStyle != 0 }

// isPlainText accepts what no writer escapes, folds or refuses.
func isPlainText(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// appendJSON writes what plain reads, as encoding/json does.
func appendJSON(out []byte, value any) []byte {
	switch v := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		out = append(out, '{')
		for i, k := range keys {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(appendText(out, k), ':')
			out = appendJSON(out, v[k])
		}
		return append(out, '}')
	case []any:
		out = append(out, '[')
		for i, item := range v {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendJSON(out, item)
		}
		return append(out, ']')
	case string:
		return appendText(out, v)
	case int64:
		return strconv.AppendInt(out, v, 10)
	case bool:
		return strconv.AppendBool(out, v)
	case float64:
		number, _ := json.Marshal(v)
		return append(out, number...)
	}
	return append(out, "null"...)
}

// appendText quotes plain text; encoding/json escapes what HTML would take for its own.
func appendText(out []byte, s string) []byte {
	out = append(out, '"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '<':
			out = append(out, `\u003c`...)
		case '>':
			out = append(out, `\u003e`...)
		case '&':
			out = append(out, `\u0026`...)
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}
