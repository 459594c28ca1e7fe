package render

import (
	"encoding/json"
	"slices"
	"strconv"

	"customizer-lint/engine/flux"
	"customizer-lint/engine/tree"

	"sigs.k8s.io/kustomize/kyaml/writers"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// nobody is a head that nobody knows, and with the brackets an origin of it.
const nobody = "-1,0,0"

// A teller writes down who wrote nodes, as Origin, Head and Trace of protocol.ts. It numbers the traces that it meets.
type teller struct {
	record *writers.Record
	// place takes a field of a kustomization to where the user has it.
	place func(file string, field flux.Field) (string, int, flux.Field)
	// numbers has the number of each trace that is told, queue those that are not yet written.
	numbers map[int32]int
	queue   []int32
	// marked has where the marked nodes ended up.
	marked map[int32][]location
}

// A location is a node of a rendered object.
type location struct {
	object int
	path   []any
}

func newTeller(record *writers.Record) *teller {
	return &teller{record: record, numbers: map[int32]int{}, marked: map[int32][]location{}}
}

// origin writes where a node and what is in it were read from: [source, line, column], then for a list its items' origins and
// for a map its entries, each [key, source, line, column, origin of the value].
func (t *teller) origin(out []byte, n *yaml.Node) []byte {
	for n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		n = n.Content[0]
	}
	out = append(out, '[')
	out = t.head(out, writers.HeadOf(n))
	switch n.Kind {
	case yaml.SequenceNode:
		out = append(out, ",["...)
		for i, item := range n.Content {
			if i > 0 {
				out = append(out, ',')
			}
			out = t.origin(out, item)
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
			out = t.head(out, writers.HeadOf(key))
			out = append(out, ',')
			out = t.origin(out, n.Content[i+1])
			out = append(out, ']')
		}
		out = append(out, ']')
	}
	return append(out, ']')
}

// head writes the three numbers of a head.
func (t *teller) head(out []byte, h writers.Head) []byte {
	switch {
	case h.Source == 0 || h.Source < 0 && t.record == nil:
		return append(out, nobody...)
	case h.Source < 0:
		n, ok := t.numbers[h.Source]
		if !ok {
			n = len(t.queue)
			t.numbers[h.Source] = n
			t.queue = append(t.queue, h.Source)
		}
		out = append(out, "-2,"...)
		out = strconv.AppendInt(out, int64(n), 10)
		return append(out, ",0"...)
	}
	out = strconv.AppendInt(out, int64(h.Source-1), 10)
	out = append(out, ',')
	out = strconv.AppendInt(out, int64(h.Line), 10)
	out = append(out, ',')
	return strconv.AppendInt(out, int64(h.Column), 10)
}

// walk notes the marked nodes of an object and returns the fields that it lost, as `removed` of EngineObject.
func (t *teller) walk(object int, root *yaml.Node) []byte {
	var out []byte
	t.visit(object, root, nil, nil, &out)
	if out != nil {
		out = append(out, ']')
	}
	return out
}

// visit is told what the node at this path had lost before it was set anew.
func (t *teller) visit(object int, n *yaml.Node, path []any, before []*writers.Loss, out *[]byte) {
	for n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		n = n.Content[0]
	}
	if n.Mark != 0 {
		t.marked[n.Mark] = append(t.marked[n.Mark], location{object, slices.Clone(path)})
	}
	var within map[string][]*writers.Loss
	if n.Lost != nil || before != nil {
		within = t.losses(n, path, append([]*writers.Loss{n.Lost}, before...), out)
	}
	switch n.Kind {
	case yaml.SequenceNode:
		for i, item := range n.Content {
			t.visit(object, item, append(path, i), nil, out)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i].Value
			t.visit(object, n.Content[i+1], append(path, name), within[name], out)
		}
	}
}

// maxSets bounds how often a field may be set anew and still be told what it lost each time.
const maxSets = 100

// losses writes what a node lost and nothing gave back, the earliest loss first. An item of a list has the number that it had.
// Of the fields that were given back it returns what was lost of them.
func (t *teller) losses(n *yaml.Node, path []any, chains []*writers.Loss, out *[]byte) map[string][]*writers.Loss {
	var lost []*writers.Loss
	seen, within := map[any]bool{}, map[string][]*writers.Loss{}
	for _, chain := range chains {
		for l := chain; l != nil; l = l.Next {
			name, isField := l.Key.(string)
			switch {
			case isField && seen[name], !isField && n.Kind != yaml.SequenceNode:
				continue
			case isField && writers.Field(n, name) != nil:
				if l.Within != nil && len(within[name]) < maxSets {
					within[name] = append(within[name], l.Within)
				}
				continue
			}
			seen[l.Key] = isField
			lost = append(lost, l)
		}
	}
	slices.Reverse(lost)
	for _, l := range lost {
		if *out == nil {
			*out = append(*out, '[')
		} else {
			*out = append(*out, ',')
		}
		*out = append(*out, '[')
		*out = append(*out, text(append(slices.Clone(path), l.Key))...)
		*out = append(*out, ",["...)
		*out = t.head(*out, l.By)
		*out = append(*out, "]]"...)
	}
	return within
}

// traces writes all traces that were met, and those that they lead to.
func (t *teller) traces() []byte {
	if len(t.queue) == 0 {
		return nil
	}
	out := []byte{'['}
	for i := 0; i < len(t.queue); i++ {
		if i > 0 {
			out = append(out, ',')
		}
		trace, _ := t.record.TraceOf(writers.Head{Source: t.queue[i]})
		out = append(out, `{"by":`...)
		out = append(out, text(trace.By)...)
		out = append(out, `,"from":[`...)
		for j, p := range trace.From {
			if j > 0 {
				out = append(out, ',')
			}
			out = t.point(out, p)
		}
		out = append(out, ']')
		if trace.Before.Source != 0 {
			out = append(out, `,"before":[`...)
			out = t.head(out, trace.Before)
			out = append(out, ']')
		}
		out = t.derived(out, trace.Derived)
		out = append(out, '}')
	}
	return append(out, ']')
}

func (t *teller) derived(out []byte, marks []int32) []byte {
	first := true
	seen := map[int32]bool{}
	for _, mark := range marks {
		if seen[mark] {
			continue
		}
		seen[mark] = true
		for _, l := range t.marked[mark] {
			if first {
				out = append(out, `,"derivedFrom":[`...)
			} else {
				out = append(out, ',')
			}
			first = false
			path := l.path
			if path == nil {
				path = []any{}
			}
			out = append(out, text([]any{l.object, path})...)
		}
	}
	if !first {
		out = append(out, ']')
	}
	return out
}

// point writes an EnginePlace.
func (t *teller) point(out []byte, p writers.Point) []byte {
	type span = *[2]int
	var part span
	if p.Span != [2]int{} {
		part = &p.Span
	}
	switch {
	case p.Head.Source > 0:
		out = append(out, '[')
		out = t.head(out, p.Head)
		if part != nil {
			out = append(out, ',')
			out = strconv.AppendInt(out, int64(part[0]), 10)
			out = append(out, ',')
			out = strconv.AppendInt(out, int64(part[1]), 10)
		}
		return append(out, ']')
	case p.Line > 0:
		return append(out, text(struct {
			File string `json:"file"`
			Line int    `json:"line"`
			Span span   `json:"span,omitempty"`
		}{tree.Relative(p.File), p.Line, part})...)
	}
	file, document, path := t.place(p.File, p.Path)
	of := ""
	if p.Key {
		of = "key"
	}
	return append(out, text(struct {
		File     string     `json:"file"`
		Document int        `json:"document"`
		Path     flux.Field `json:"path"`
		Part     string     `json:"part,omitempty"`
		Span     span       `json:"span,omitempty"`
	}{file, document, path, of, part})...)
}

func text(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain values
	}
	return out
}

// appendString writes a key as JSON; nearly all keys need no escape.
func appendString(out []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			return append(out, text(s)...)
		}
	}
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}
