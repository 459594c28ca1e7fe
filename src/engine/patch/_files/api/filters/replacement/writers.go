package replacement

import (
	"strings"
	"unicode/utf16"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/trace"
	"sigs.k8s.io/kustomize/kyaml/writers"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A replacing is the replacement at work; there is one at a time, as there is one build.
type replacing struct {
	// source is the node that the value is taken from, which may be a part of it.
	source *yaml.Node
	part   [2]int
	// entry is where the replacement is written.
	entry []writers.Point
	// value is where a value is written that is taken from nowhere.
	value []writers.Point
}

var current replacing

// begin says which replacement is at work, and signs what it creates.
func begin(i int) (end func()) {
	current = replacing{}
	if !writers.On() {
		return func() {}
	}
	current.entry = trace.EntryOf(trace.Plugin(), i, nil)
	current.value = trace.EntryOf(trace.Plugin(), i, []any{"sourceValue"})
	return writers.With(&writers.Writing{By: writers.Replacement, Key: current.entry})
}

// from says which node the value is taken from.
func from(source *yaml.RNode, options *types.FieldOptions) {
	if !writers.On() {
		return
	}
	current.source = source.YNode()
	if options == nil || options.Delimiter == "" {
		return
	}
	at := 0
	for i, part := range strings.Split(current.source.Value, options.Delimiter) {
		if i == options.Index {
			current.part = [2]int{width(current.source.Value[:at]), width(current.source.Value[:at+len(part)])}
		}
		at += len(part) + len(options.Delimiter)
	}
}

// width counts UTF-16 code units.
func width(s string) int { return len(utf16.Encode([]rune(s))) }

// sign tells a target who wrote it; was is a copy of it from before, some of which may be left.
func sign(target *yaml.Node, was yaml.Node, left kept) {
	if !writers.On() {
		return
	}
	source := current.source
	if target == source {
		return
	}
	if source == nil {
		source = &yaml.Node{Kind: yaml.ScalarNode}
	}
	current.sign(target, source, &was, left)
	current.lose(target, &was)
}

// signTarget lets the field that is set be signed when it is.
func signTarget(field *yaml.RNode, options *types.FieldOptions) (end func()) {
	was := *field.YNode()
	return func() { sign(field.YNode(), was, keptBy(options, was.Value)) }
}

// setText writes a text that holds other data, of which a part was replaced.
func setText(scalar *yaml.Node, text string) {
	was := *scalar
	scalar.Value = text
	sign(scalar, was, all)
}

// lose tells what a target lost: its value is a copy, which comes with the losses of the source.
func (r replacing) lose(target, was *yaml.Node) {
	target.Lost = nil
	if was != nil {
		target.Lost = was.Lost
	}
	for i, c := range target.Content {
		switch {
		case target.Kind == yaml.SequenceNode:
			r.lose(c, nil)
		case i%2 == 1:
			r.lose(c, writers.Field(was, target.Content[i-1].Value))
		}
	}
	for i := 0; was != nil && was.Kind == yaml.MappingNode && i+1 < len(was.Content); i += 2 {
		if name := was.Content[i].Value; writers.Field(target, name) == nil {
			by := writers.Keep(writers.Trace{By: writers.Replacement, From: r.entry})
			writers.Lose(target, name, by, was.Content[i+1])
		}
	}
}

// kept is what of a target is left.
type kept int

const (
	nothing kept = iota
	something
	all
)

// keptBy tells what options leave of a text: with an index that there is, another part is taken out.
func keptBy(options *types.FieldOptions, text string) kept {
	if options == nil || options.Delimiter == "" {
		return nothing
	}
	switch parts := strings.Count(text, options.Delimiter) + 1; {
	case options.Index < 0 || options.Index >= parts:
		return all
	case parts == 1:
		return nothing
	}
	return something
}

func (r replacing) sign(target, source, was *yaml.Node, left kept) {
	before := writers.HeadOf(was)
	if was != nil && was.Value == "" && len(was.Content) == 0 && writers.ByActive(before) {
		// It was created to be written.
		before = writers.Head{}
	}
	if len(target.Content) > 0 {
		for i, c := range target.Content {
			switch {
			case target.Kind == yaml.SequenceNode && i < len(source.Content):
				r.sign(c, source.Content[i], nil, nothing)
			case target.Kind == yaml.MappingNode && i%2 == 1 && i < len(source.Content):
				r.sign(c, source.Content[i], writers.Field(was, target.Content[i-1].Value), nothing)
			}
		}
	}
	t := writers.Trace{By: writers.Replacement, Before: before}
	if r.source != nil {
		head := writers.HeadOf(source)
		if t.From = spanned(head, r.part); t.From == nil {
			t.From = writers.PointsOf(head)
		}
		t.Derived = []int32{writers.Mark(source)}
	} else {
		t.From = r.value
	}
	if len(t.From) > 0 {
		// Without knowing where the value is from the entry says nothing.
		t.From = append(t.From[:len(t.From):len(t.From)], r.entry...)
	}
	if left != nothing {
		if left == all {
			t.From = append(t.From, writers.PointsOf(before)...)
		} else {
			t.From = append(t.From, writers.Rest(before)...)
		}
		rest := writers.Compose("", nil, before, before)
		t.Derived = append(t.Derived, rest.Derived...)
	}
	writers.Stamp(target, t)
	target.Mark = 0
}

// spanned is the part of a parsed scalar that counts.
func spanned(h writers.Head, part [2]int) []writers.Point {
	if h.Source <= 0 || part == [2]int{} {
		return nil
	}
	return []writers.Point{{Head: h, Span: part}}
}
