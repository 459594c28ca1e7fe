package writers

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// The kinds of operation.
const (
	Resource    = "resource"
	MergePatch  = "merge-patch"
	JSONPatch   = "json-patch"
	Generator   = "generator"
	Replacement = "replacement"
	Transformer = "transformer"
	Variable    = "variable"
	Reference   = "reference"
	Hash        = "hash"
	Controller  = "controller"
)

type (
	Node = yaml.Node
	Head = yaml.Head
	Loss = yaml.Loss
)

// A Record is what is known of one build.
type Record struct {
	// Traces are what negative sources count in: -1 is the first.
	Traces []Trace
	// Marks counts the nodes that others are made from, Losses the fields that were lost.
	Marks  int32
	Losses int

	// sources has the kind of operation that the nodes of each source are written by.
	sources    []string
	directives map[*Node]Head
	armed      *Writing
	each       map[string]*Writing
}

// A Trace is an operation that wrote a node and is more than a parsed document put in its place.
type Trace struct {
	By string
	// From are the places that made it, the most telling first.
	From []Point
	// Before is what it wrote over, or made the new value from.
	Before Head
	// Derived are the marks of the nodes whose value is part of this one.
	Derived []int32
	// Image says for an image which of the places made its name, its tag and its digest.
	Image *[3][]Point
}

// A Point is a parsed node, or a field of a kustomization, or a line of a text.
type Point struct {
	Head Head
	// File is a kustomization, or the Flux object if it is empty; Path is a field of it.
	File string
	Path []any
	// Key is the field's key rather than its value.
	Key bool
	// Line of File counts from 1; then there is no Path.
	Line int
	// Span is the part that counts, in UTF-16 code units of the value or line; the end is exclusive, none is all of it.
	Span [2]int
}

var (
	now *Record
	// active is who sets fields now.
	active *Writing
)

// Start begins a record.
func Start() *Record {
	active = nil
	now = &Record{directives: map[*Node]Head{}}
	return now
}

// Stop ends it.
func Stop() { now, active = nil, nil }

// On reports whether there is a record.
func On() bool { return now != nil }

// Source tells which operation writes the nodes of the next source.
func Source(by string) {
	if now != nil {
		now.sources = append(now.sources, by)
	}
}

// HeadOf returns where a node is from; none means that nobody knows.
func HeadOf(n *Node) Head {
	switch {
	case n == nil || n.Source == 0 || n.Kind == yaml.ScalarNode && n.Value != n.Was:
		return Head{}
	case n.Source < 0:
		return Head{Source: n.Source}
	}
	return Head{Source: n.Source, Line: n.Line, Column: n.Column}
}

// Set tells where a node is from.
func Set(n *Node, h Head) {
	n.Source, n.Was = h.Source, n.Value
	if h.Source > 0 {
		n.Line, n.Column = h.Line, h.Column
	}
}

// TraceOf returns the operation that a head counts in.
func (r *Record) TraceOf(h Head) (Trace, bool) {
	if h.Source >= 0 {
		return Trace{}, false
	}
	return r.Traces[-h.Source-1], true
}

// PointsOf are the places that made a node.
func PointsOf(h Head) []Point {
	if h.Source > 0 {
		return []Point{{Head: h}}
	}
	if now == nil || h.Source == 0 {
		return nil
	}
	t, _ := now.TraceOf(h)
	return t.From
}

func derivedOf(h Head) []int32 {
	t, _ := now.TraceOf(h)
	return t.Derived
}

func byOf(h Head) string {
	if t, ok := now.TraceOf(h); ok {
		return t.By
	}
	if h.Source > 0 && int(h.Source) <= len(now.sources) {
		return now.sources[h.Source-1]
	}
	return Resource
}

// A build that copies one value to and fro a thousand times would be told in a million places, and one that takes a large map
// away a thousand times would lose as many fields.
const (
	maxPoints  = 100
	maxDerived = 10_000
	maxLosses  = 100_000
)

// Keep records a trace and returns the head that counts in it.
func Keep(t Trace) Head {
	if len(t.From) > maxPoints {
		t.From = t.From[:maxPoints:maxPoints]
	}
	if len(t.Derived) > maxDerived {
		t.Derived = t.Derived[:maxDerived:maxDerived]
	}
	now.Traces = append(now.Traces, t)
	return Head{Source: -int32(len(now.Traces))}
}

// Stamp tells which operation wrote a node.
func Stamp(n *Node, t Trace) {
	if now != nil && n != nil {
		Set(n, Keep(t))
	}
}

// Forget tells that nobody knows where a tree is from.
func Forget(n *Node) {
	if n == nil {
		return
	}
	n.Source, n.Mark, n.Lost = 0, 0, nil
	for _, c := range n.Content {
		Forget(c)
	}
}

// Mark names a node, so that others can be said to be made from it.
func Mark(n *Node) int32 {
	if n.Mark == 0 {
		now.Marks++
		n.Mark = now.Marks
	}
	return n.Mark
}

// MarkLeaves names the scalars and empty lists and maps of a tree.
func MarkLeaves(n *Node) (marks []int32) {
	if now == nil || n == nil {
		return nil
	}
	switch {
	case n.Kind == yaml.MappingNode && len(n.Content) > 0:
		for i := 1; i < len(n.Content); i += 2 {
			marks = append(marks, MarkLeaves(n.Content[i])...)
		}
		return marks
	case n.Kind == yaml.SequenceNode && len(n.Content) > 0:
		for _, c := range n.Content {
			marks = append(marks, MarkLeaves(c)...)
		}
		return marks
	}
	return []int32{Mark(n)}
}

// Over tells that a node took the place of another.
func Over(n, old *Node) {
	if now == nil || n == nil || old == nil || n == old {
		return
	}
	h, before := HeadOf(n), HeadOf(old)
	if h.Source <= 0 || before.Source == 0 {
		// Of what has a trace the chain goes on there.
		return
	}
	Set(n, Keep(Trace{By: byOf(h), From: PointsOf(h), Before: before}))
}

// Replace tells that a tree took the place of another, and by what the fields are lost that it has not. What was lost before
// is still lost.
func Replace(n, old *Node, by Head) {
	if now == nil || n == nil || old == nil || n == old {
		return
	}
	Over(n, old)
	if old.Kind != yaml.MappingNode {
		return
	}
	if n.Lost == nil {
		n.Lost = old.Lost
	}
	for i := 0; i+1 < len(old.Content); i += 2 {
		key, was := old.Content[i], old.Content[i+1]
		if is := Field(n, key.Value); is != nil {
			Replace(is, was, by)
		} else {
			Lose(n, key.Value, by, was)
		}
	}
}

// Lose tells that a node has a field or item no more, and by what.
func Lose(parent *Node, key any, by Head, old *Node) {
	if now == nil || parent == nil {
		return
	}
	parent.Lost = lossOf(key, by, old, parent.Lost)
}

func lossOf(key any, by Head, old *Node, next *Loss) *Loss {
	now.Losses++
	l := &Loss{Key: key, By: by, Next: next}
	if by.Source != 0 {
		l.By = Keep(Trace{By: byOf(by), From: PointsOf(by), Before: HeadOf(old)})
	}
	if old == nil || old.Kind != yaml.MappingNode || now.Losses > maxLosses {
		return l
	}
	l.Within = old.Lost
	for i := 0; i+1 < len(old.Content); i += 2 {
		l.Within = lossOf(old.Content[i].Value, by, old.Content[i+1], l.Within)
	}
	return l
}

// Direct remembers the directive of a patch, which is taken off it.
func Direct(patch, directive *Node) {
	if now != nil && patch != nil && HeadOf(directive).Source != 0 {
		now.directives[patch] = HeadOf(directive)
	}
}

// Cause is what a patch takes a field with: its directive, or itself, a null.
func Cause(patch *Node) Head {
	if now == nil || patch == nil {
		return Head{}
	}
	if h, ok := now.directives[patch]; ok {
		return h
	}
	return HeadOf(patch)
}

// Field returns the value of a map's field.
func Field(n *Node, key string) *Node {
	_, value := Entry(n, key)
	return value
}

// Entry returns the key and the value of a map's field.
func Entry(n *Node, key string) (k, value *Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// At follows a path.
func At(n *Node, path ...any) *Node {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			n = Field(n, step)
		case int:
			if n == nil || n.Kind != yaml.SequenceNode || step >= len(n.Content) {
				return nil
			}
			n = n.Content[step]
		}
	}
	return n
}

// Compose makes a trace of a value that was put together: own places first, then those of the parts.
func Compose(by string, own []Point, before Head, parts ...Head) Trace {
	t := Trace{By: by, From: own, Before: before}
	for _, h := range parts {
		t.From = union(t.From, PointsOf(h))
		t.Derived = append(t.Derived, derivedOf(h)...)
	}
	return t
}

// union names every place once.
func union(places, more []Point) []Point {
	places = slices.Clip(places)
	for _, p := range more {
		if !slices.ContainsFunc(places, p.equal) {
			places = append(places, p)
		}
	}
	return places
}

func (p Point) equal(other Point) bool {
	return p.Head == other.Head && p.File == other.File && p.Key == other.Key && p.Line == other.Line &&
		p.Span == other.Span && slices.Equal(p.Path, other.Path)
}

// IsBy reports whether a head is an operation with just these places in front.
func IsBy(h Head, own []Point) bool {
	t, ok := now.TraceOf(h)
	return ok && len(t.From) >= len(own) && slices.EqualFunc(t.From[:len(own)], own, Point.equal)
}
