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
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// Options say what to build.
type Options struct {
	// Path is relative to the repository's root; it cannot leave it.
	Path          string
	Kustomization flux.Kustomization
	// YAML and Objects ask for the forms of the result.
	YAML, Objects bool
	// Marked gives the objects with the labels and annotations that the controller adds.
	Marked bool
}

// A Result is what a build made.
type Result struct {
	// SHA256 is of the YAML that the controller takes the digest of for status.history.
	SHA256  [sha256.Size]byte
	YAML    []byte
	Objects []Object
	Sources []Source
	Steps   []Step
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
	// Dropped is why the controller does not apply it, if it does not.
	Dropped string
}

// A Source is one document of a file.
type Source struct {
	File string
	// Document counts from 0 as kustomize splits the file, Line is the number of lines before it.
	Document, Line int
	// Inside is the entry of the kustomization in File whose text the document is of, for an inline patch. Document and Line
	// then count in that text.
	Inside flux.Field
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
	build := trace.Start()
	defer trace.Stop()

	b := builder{layer: layer, options: o, trace: build}
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
	b.record()
	return "", nil
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

var separator = []byte("---\n")

// print writes the objects in the forms that were asked for.
func (b *builder) print(m resmap.ResMap) error {
	sum := sha256.New()
	for i, res := range m.Resources() {
		json, text, err := print(&res.RNode)
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
			if err := b.object(&res.RNode, json, int(res.YNode().Source)-1); err != nil {
				return err
			}
		}
	}
	sum.Sum(b.result.SHA256[:0])
	return nil
}

// object adds an object, and those that the controller takes out of it.
func (b *builder) object(o *kyaml.RNode, json []byte, source int) error {
	dropped := controller.Dropped(o)
	items := controller.Items(o)
	origin := appendOrigin(nil, o.YNode())
	if b.options.Marked && dropped == "" {
		if err := controller.Mark(o, b.options.Kustomization); err != nil {
			return err
		}
		var err error
		if json, err = o.MarshalJSON(); err != nil {
			return err
		}
	}
	b.result.Objects = append(b.result.Objects, Object{JSON: json, Source: source, Origin: origin, Dropped: dropped})
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

// record takes over what the trace has of the build.
func (b *builder) record() {
	b.result.Sources = sourcesOf(b.trace.Sources, b.root)
	for _, s := range b.trace.Steps {
		kustomization, field := placeOf(s.Place, b.root)
		b.result.Steps = append(b.result.Steps, Step{kustomization, field, s.Kind, s.Selected, s.Changed})
	}
	b.result.Dropped = b.root.Dropped
	b.result.DroppedFrom = tree.Relative(b.root.File)
}

func sourcesOf(from []trace.Source, root flux.Root) []Source {
	var out []Source
	for _, s := range from {
		source := Source{File: tree.Relative(s.File), Document: s.Document, Line: s.Line}
		if s.Inline {
			source.File, source.Inside = placeOf(trace.Place{Kustomization: s.File, Field: s.Entry}, root)
			if s.Entry.Name == "patches" {
				source.Inside = append(slices.Clone(source.Inside), "patch")
			}
		}
		out = append(out, source)
	}
	return out
}
