package render

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"

	"customizer-lint/engine/controller"
	"customizer-lint/engine/flux"
	"customizer-lint/engine/tree"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	kerrors "sigs.k8s.io/kustomize/kyaml/errors"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/trace"
	"sigs.k8s.io/kustomize/kyaml/writers"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// Options say what to build.
type Options struct {
	// Path is relative to the repository's root; it cannot leave it.
	Path          string
	Kustomization flux.Kustomization
	// YAML, Digest and Objects ask for the forms of the result.
	YAML, Digest, Objects bool
	// Marked gives the objects with the labels and annotations that the controller adds.
	Marked bool
	// NoOrigins leaves out who wrote what.
	NoOrigins bool
	// DeclaredAt is where the Flux object is written, if it is.
	DeclaredAt Declared
}

// Declared is a document of a file.
type Declared struct {
	File     string `json:"file"`
	Document int    `json:"document"`
}

// A Result is what a build made.
type Result struct {
	// SHA256 is of the YAML that the controller takes the digest of for status.history, where YAML or Digest is asked for.
	SHA256  [sha256.Size]byte
	YAML    []byte
	Objects []Object
	Sources []Source
	// Traces are JSON, a list of Trace of protocol.ts, or nothing.
	Traces []byte
	Steps  []Step
	// Dropped are keys of the kustomization in DroppedFrom.
	Dropped     []flux.Field
	DroppedFrom string
	// Undefined are the names of variables that were asked for in vain, sorted.
	Undefined []string
}

// An Object is one resource as kustomize prints it.
type Object struct {
	// JSON has its keys sorted.
	JSON []byte
	// Source is an index into the result's sources, -1 for an object that was generated.
	Source int
	Origin []byte
	// Removed is JSON, EngineObject.removed of protocol.ts, or nothing.
	Removed []byte
	// Dropped is why the controller does not apply it, if it does not.
	Dropped string
}

// A Source is one document of a file.
type Source struct {
	File string
	// Document counts from 0 as kustomize splits the file, Line is the number of lines before it.
	Document, Line int
	// Inside is the entry of the kustomization in File whose text the document is of, for an inline patch. Document and Line
	// then count in that text, and Within is the document of File that Inside is a path in.
	Inside flux.Field
	Within int
	// By is the kind of operation that writes the nodes, if it is not that of a resource.
	By string
}

// A Step is one entry of a kustomization, or of the Flux object if Kustomization is empty, and what it did.
type Step struct {
	Kustomization     string
	Field             flux.Field
	Kind              string
	Selected, Changed int
}

// Run builds a directory. The error is always a *Failure.
func Run(layer *tree.Layer, o Options) (Result, error) {
	// Kustomize keeps the schema of the last build, and json-patch its bound, for the whole process.
	openapi.ResetOpenAPI()
	jsonpatch.AccumulatedCopySizeLimit = maxCopied
	build := trace.Start(o.Objects && !o.NoOrigins)
	defer trace.Stop()

	b := builder{layer: layer, options: o, trace: build, teller: newTeller(build.Writers)}
	b.teller.place = b.place
	if stage, err := b.run(); err != nil {
		return Result{}, explain(stage, err, build, layer, b.root)
	}
	return b.result, nil
}

// maxCopied bounds in bytes what the copy operations of one JSON patch make.
const maxCopied = 64 << 20

type builder struct {
	layer   *tree.Layer
	options Options
	trace   *trace.Build
	root    flux.Root
	result  Result
	teller  *teller
	// printed are the nodes of the result's objects.
	printed []*kyaml.Node
}

func (b *builder) run() (Stage, error) {
	dir := path.Join(tree.Root, path.Clean("/"+b.options.Path))
	if err := b.layer.Stat(dir); err != nil {
		trace.Followed(dir, nil, err)
		return Prepare, fmt.Errorf("kustomization path not found: %w", err)
	}
	var err error
	if b.root, err = flux.Generate(b.layer, dir, b.options.Kustomization); err != nil {
		return Prepare, err
	}
	m, err := kustomize(b.layer, dir)
	if err != nil {
		return Build, fmt.Errorf("kustomize build failed: %w", err)
	}
	if stage, err := b.finish(m); err != nil {
		return stage, err
	}
	if err := b.print(m); err != nil {
		return Build, fmt.Errorf("kustomize build failed: %w", err)
	}
	b.tell()
	b.record()
	return "", nil
}

// tell writes down what can be known only when all objects are there: where the nodes ended up that others are made from.
func (b *builder) tell() {
	if b.trace.Writers == nil {
		return
	}
	if w := b.trace.Writers; w.Marks > 0 || w.Losses > 0 {
		for i, n := range b.printed {
			b.result.Objects[i].Removed = b.teller.walk(i, n)
		}
	}
	b.result.Traces = b.teller.traces()
}

// place takes a field of a kustomization to where the user has it.
func (b *builder) place(file string, field flux.Field) (string, int, flux.Field) {
	if file == b.root.File {
		fromFlux, origin := b.root.Origin(field)
		if !fromFlux {
			return tree.Relative(file), 0, origin
		}
		file, field = "", origin
	}
	if file == "" {
		return b.options.DeclaredAt.File, b.options.DeclaredAt.Document, field
	}
	return tree.Relative(file), 0, field
}

// kustomize is Build of fluxcd/pkg kustomize_generator.go.
func kustomize(layer *tree.Layer, dir string) (m resmap.ResMap, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered from kustomize build panic: %v", r)
		}
	}()
	return krusty.MakeKustomizer(&krusty.Options{
		LoadRestrictions: types.LoadRestrictionsNone,
		PluginConfig:     types.DisabledPluginConfig(),
	}).Run(layer, dir)
}

// finish checks every object and substitutes variables in it, as the controller's build does.
func (b *builder) finish(m resmap.ResMap) (Stage, error) {
	variables, substitute := flux.VariablesOf(b.options.Kustomization)
	for _, res := range m.Resources() {
		if res.GetName() == "" || res.GetKind() == "" || res.GetApiVersion() == "" {
			b.blame(res)
			return Build, fmt.Errorf("failed to decode Kubernetes apiVersion, kind and name from: %v", res.String())
		}
		if !substitute {
			continue
		}
		undefined, err := variables.Substitute(res)
		if err != nil {
			b.blame(res)
			return Substitute, fmt.Errorf("post build failed for '%s/%s': %w", res.GetGvk(), res.GetName(), err)
		}
		b.result.Undefined = append(b.result.Undefined, undefined...)
	}
	slices.Sort(b.result.Undefined)
	b.result.Undefined = slices.Compact(b.result.Undefined)
	return "", nil
}

// blame says that the file which an object was read from is at fault.
func (b *builder) blame(res *resource.Resource) {
	if n := res.YNode().Source; n > 0 {
		s := b.trace.Sources[n-1]
		b.trace.Broken = &trace.Broken{File: s.File, Inline: s.Inline, Document: s.Document}
	}
}

// signMetadata says of what kustomize notes about its own work (buildMetadata) that it is no one's to change.
func signMetadata(root *kyaml.Node) {
	for _, path := range [][]any{
		{"metadata", "annotations", "config.kubernetes.io/origin"},
		{"metadata", "annotations", "alpha.config.kubernetes.io/transformations"},
	} {
		if n := writers.At(root, path...); n != nil && writers.HeadOf(n).Source == 0 {
			writers.Stamp(n, writers.Trace{By: writers.Transformer})
		}
	}
}

var separator = []byte("---\n")

// print writes the objects in the forms that were asked for.
func (b *builder) print(m resmap.ResMap) error {
	isYAML := b.options.YAML || b.options.Digest
	sum := sha256.New()
	for i, res := range m.Resources() {
		signMetadata(res.YNode())
		json, text, err := print(&res.RNode, isYAML)
		if err != nil {
			value, _ := res.Map()
			return kerrors.WrapPrefixf(err, "%#v", value)
		}
		if i > 0 {
			sum.Write(separator)
		}
		sum.Write(text)
		if b.options.YAML {
			if i > 0 {
				b.result.YAML = append(b.result.YAML, separator...)
			}
			b.result.YAML = append(b.result.YAML, text...)
		}
		if b.options.Objects {
			if err := b.object(&res.RNode, json, sourceOf(res.YNode())); err != nil {
				return err
			}
		}
	}
	if isYAML {
		sum.Sum(b.result.SHA256[:0])
	}
	return nil
}

// object adds an object, and those that the controller takes out of it.
func (b *builder) object(o *kyaml.RNode, json []byte, source int) error {
	dropped := controller.Dropped(o)
	items := controller.Items(o)
	if b.options.Marked && dropped == "" {
		if err := controller.Mark(o, b.options.Kustomization); err != nil {
			return err
		}
		var err error
		if json, err = o.MarshalJSON(); err != nil {
			return err
		}
	}
	origin := []byte("[" + nobody + "]")
	if b.trace.Writers != nil {
		origin = b.teller.origin(nil, o.YNode())
	}
	b.result.Objects = append(b.result.Objects, Object{JSON: json, Source: source, Origin: origin, Dropped: dropped})
	b.printed = append(b.printed, o.YNode())
	for _, item := range items {
		json, err := item.MarshalJSON()
		if err != nil {
			return err
		}
		if err := b.object(item, json, source); err != nil {
			return err
		}
	}
	return nil
}

// sourceOf is the document that an object was read from, or -1.
func sourceOf(root *kyaml.Node) int { return max(int(root.Source), 0) - 1 }

// record takes over what the trace has of the build.
func (b *builder) record() {
	b.result.Sources = b.sources()
	for _, s := range b.trace.Steps {
		kustomization, field := placeOf(s.Place, b.root)
		b.result.Steps = append(b.result.Steps, Step{kustomization, field, s.Kind, s.Selected, s.Changed})
	}
	b.result.Dropped = b.root.Dropped
	b.result.DroppedFrom = tree.Relative(b.root.File)
}

func (b *builder) sources() []Source {
	out := sourcesOf(b.trace.Sources)
	for i, s := range b.trace.Sources {
		if !s.Inline {
			continue
		}
		field := flux.Field{s.Entry.Name}
		if s.Entry.Index >= 0 {
			field = append(field, s.Entry.Index)
			if s.Entry.Name == "patches" || s.Entry.Name == "patchesJson6902" {
				field = append(field, "patch")
			}
		}
		out[i].File, out[i].Within, out[i].Inside = b.place(s.File, field)
		out[i].Within += s.Within
	}
	return out
}

func sourcesOf(from []trace.Source) []Source {
	var out []Source
	for _, s := range from {
		out = append(out, Source{File: tree.Relative(s.File), Document: s.Document, Line: s.Line, By: s.By})
	}
	return out
}
