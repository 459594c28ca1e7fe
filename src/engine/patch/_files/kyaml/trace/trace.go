// Package trace is the engine's, added to kyaml: it records where a build's nodes were read from, what each of its steps did
// and what it was at when it failed, and it bounds what a build may cost.
//
// Kustomize hands no context through its calls, so there is one build at a time. Outside of one (Start to Stop) every function
// here does nothing, and kustomize behaves as it does without.
package trace

import (
	yaml3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/writers"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Build is the record of one build.
type Build struct {
	// Sources are the documents that were parsed; a node's Source is an index into it plus one.
	Sources []Source
	Steps   []Step
	// Trail leads to what was being done when the build failed, outermost first.
	Trail []Place
	// Broken is the file that was being read when the build failed, if it was the file's fault.
	Broken *Broken
	// Reference is a path or URL that led nowhere, if the last thing that went wrong was to follow it.
	Reference string
	// Plugin: the build failed for a plugin that the engine does not run.
	Plugin bool
	// Limit is the bound that the build hit.
	Limit *Limit
	// Writers are who wrote the nodes; nil if nobody asks.
	Writers *writers.Record

	// contents tells what a text is of by the address of its first byte, which it keeps alive.
	contents map[*byte]origin
	reading  *reading
	known    map[Source]int32
	// role is what the texts that are parsed now do.
	role string

	// plugins were made from entries; those that were made from several note where each begins.
	plugins map[any]Place
	entries map[any][]int
	// documents configure the plugins that are no entry of a kustomization; patches are the texts of those that apply one.
	documents map[any]*yaml3.Node
	patches   map[any][]byte
	// operations are the JSON patches among them.
	operations map[any][]writers.Operation
	vars       map[string]variable
	plugin     any
	step       *Step
	touched    map[*yaml.RNode]uint64

	kustomizations int
}

// A Source is one document of a file or, if it is inline, of a text that stands in an entry of the kustomization, or in a
// field of the document Within of another file. By is the kind of operation that writes its nodes.
type Source struct {
	File   string
	Inline bool
	Entry  Field
	Within int
	By     string
	// Document counts from 0 as kustomize splits them, Line is the number of lines before it.
	Document, Line int
}

// A Field is an entry of a kustomization: a key and, for a list, an index.
type Field struct {
	Name  string
	Index int // -1: no list
}

// A Place is an entry of a kustomization file.
type Place struct {
	Kustomization string
	Field         Field
}

// A Step is one patch, replacement or transformer.
type Step struct {
	Place
	Kind              string
	Selected, Changed int
}

// Broken is a file that could not be read.
type Broken struct {
	File string
	// Inline: the text at fault stands in an entry of the file.
	Inline   bool
	Document int
	// Text is the parser's complaint.
	Text string
}

type origin struct {
	file   string
	inline bool
	entry  Field
	within int
	// line is where the text begins in what surrounds it.
	line int
}

type reading struct {
	origin
	document, line int
}

var now *Build

// Start begins a build; origins: somebody asks who wrote the nodes.
func Start(origins bool) *Build {
	now = &Build{
		contents:   map[*byte]origin{},
		known:      map[Source]int32{},
		plugins:    map[any]Place{},
		entries:    map[any][]int{},
		documents:  map[any]*yaml3.Node{},
		patches:    map[any][]byte{},
		operations: map[any][]writers.Operation{},
		vars:       map[string]variable{},
	}
	if origins {
		now.Writers = writers.Start()
	}
	return now
}

// Stop ends it.
func Stop() {
	now = nil
	writers.Stop()
	yaml3.CurrentSource = 0
}

// Enter goes into an entry of a kustomization and returns the way back for Leave.
func Enter(p Place) (depth int) {
	if now == nil {
		return 0
	}
	depth = len(now.Trail)
	now.Trail = append(now.Trail, p)
	now.Reference = ""
	return depth
}

// Leave goes back, after success only: what is left of the trail leads to the failure.
func Leave(depth int) {
	if now == nil {
		return
	}
	now.Trail = now.Trail[:depth]
	now.Reference = ""
	now.Broken = nil
}

// Depth is the way back to here.
func Depth() int {
	if now == nil {
		return 0
	}
	return len(now.Trail)
}

// Followed notes what came of following a path or URL.
func Followed(path string, content []byte, err error) {
	switch {
	case now == nil:
	case err != nil:
		now.Reference = path
	default:
		now.Reference = ""
		Loaded(path, content)
	}
}

// Loaded tells what file a content is of, by the address of its first byte: files are kept in memory and never copied.
func Loaded(path string, content []byte) {
	if now != nil && len(content) > 0 {
		now.contents[&content[0]] = origin{file: path}
	}
}

// Same tells that a copy of a file's content is the file's.
func Same(text, content []byte) {
	if now == nil || len(text) == 0 || len(content) == 0 {
		return
	}
	if o, ok := now.contents[&content[0]]; ok {
		now.contents[&text[0]] = o
	}
}

// Inline tells that a text stands in a field of what a plugin is configured by, line lines after the text begins there: in the
// entry that the trail leads to, or in a document of its own.
func Inline(plugin any, field string, text []byte, line int) {
	if now == nil || len(text) == 0 {
		return
	}
	if document := now.documents[plugin]; document != nil {
		if s, ok := now.sourceOf(document); ok && !s.Inline {
			now.contents[&text[0]] = origin{file: s.File, inline: true, entry: Field{field, -1}, within: s.Document, line: line}
		}
		return
	}
	if len(now.Trail) == 0 {
		return
	}
	p := now.Trail[len(now.Trail)-1]
	switch p.Field.Name {
	case "generators", "transformers", "validators":
		// The text is in what the entry leads to.
		return
	}
	InlineAt(text, p, line)
}

// InlineAt tells that a text stands in an entry, line lines after the text begins there.
func InlineAt(text []byte, p Place, line int) {
	if now != nil && len(text) > 0 {
		now.contents[&text[0]] = origin{file: p.Kustomization, inline: true, entry: p.Field, line: line}
	}
}

func (b *Build) sourceOf(n *yaml3.Node) (Source, bool) {
	if n.Source <= 0 {
		return Source{}, false
	}
	return b.Sources[n.Source-1], true
}

// Reading tells what the texts do that are parsed until the returned function is called.
func Reading(role string) (end func()) {
	if now == nil {
		return func() {}
	}
	was := now.role
	now.role = role
	return func() {
		if now != nil {
			now.role = was
		}
	}
}

// Unfollowed forgets a path that was followed in vain, because that is in order.
func Unfollowed() {
	if now != nil {
		now.Reference = ""
	}
}

// BreakFile says that a file is at fault.
func BreakFile(path string, err error) {
	if now != nil {
		now.Broken = &Broken{File: path, Text: err.Error()}
		now.Reference = ""
	}
}

// RefusePlugin says that the build needs what the engine does not run.
func RefusePlugin() {
	if now != nil {
		now.Plugin = true
	}
}

// Read begins to parse a text, whose file is known if it was Loaded.
func Read(text []byte) {
	if now == nil {
		return
	}
	now.reading = &reading{}
	if len(text) > 0 {
		now.reading.origin = now.contents[&text[0]]
	}
}

// Document begins the i-th document of the text. Its nodes are marked with their source.
func Document(i int, text string) {
	if now == nil || now.reading == nil {
		return
	}
	r := now.reading
	r.document = i
	if r.file != "" {
		yaml3.CurrentSource = now.source(r.origin, now.role, i, r.line)
	}
	// The separator ends the last line of the text and is a line itself.
	for j := range len(text) {
		if text[j] == '\n' {
			r.line++
		}
	}
	r.line += 2
}

func (b *Build) source(o origin, by string, document, line int) int32 {
	s := Source{
		File: o.file, Inline: o.inline, Entry: o.entry, Within: o.within, By: by, Document: document, Line: o.line + line,
	}
	n, ok := b.known[s]
	if !ok {
		b.Sources = append(b.Sources, s)
		writers.Source(s.By)
		n = int32(len(b.Sources))
		b.known[s] = n
	}
	return n
}

// Done ends a text.
func Done(err error) {
	if now == nil || now.reading == nil {
		return
	}
	yaml3.CurrentSource = 0
	if err != nil {
		r := now.reading
		now.Broken = &Broken{File: r.file, Inline: r.inline, Document: r.document, Text: err.Error()}
	} else {
		now.Broken = nil
	}
	now.reading = nil
}

// BlameFile says that the objects of a file cannot be added, unless the file could not be read at all or something further
// in is known to be at fault.
func BlameFile(path string, depth int, err error) {
	if now != nil && now.Broken == nil && now.Reference == "" && len(now.Trail) == depth {
		now.Broken = &Broken{File: path, Text: err.Error()}
	}
}

// Here is the kustomization that the trail is in, with another field.
func Here(name string) Place {
	p := Place{Field: Field{Name: name, Index: -1}}
	if now != nil && len(now.Trail) > 0 {
		p.Kustomization = now.Trail[len(now.Trail)-1].Kustomization
	}
	return p
}

// On reports whether a build is recorded.
func On() bool { return now != nil }
