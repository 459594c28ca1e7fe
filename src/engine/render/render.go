package render

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"path"

	"customizer-lint/engine/flux"
	"customizer-lint/engine/tree"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/yaml"
)

// Options say what to build.
type Options struct {
	// Path is relative to the repository's root; it cannot leave it.
	Path          string
	Kustomization flux.Kustomization
	// YAML and Objects ask for the forms of the result.
	YAML, Objects bool
}

// A Result is what a build made.
type Result struct {
	// SHA256 is of the YAML that the controller takes the digest of for status.history.
	SHA256  [sha256.Size]byte
	YAML    []byte
	Objects []Object
	Dropped []flux.Field
	Root    flux.Root
	// Undefined are the names of variables that were asked for in vain.
	Undefined map[string]struct{}
}

// An Object is one resource as kustomize prints it.
type Object struct {
	// JSON has its keys sorted.
	JSON   []byte
	Source int
	Origin string
	// Dropped is why the controller does not apply it, if it does not.
	Dropped string
}

// A Failure is why a build was refused.
type Failure struct {
	Stage string
	Err   error
}

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

// Stages of a build.
const (
	Prepare    = "prepare"
	Build      = "build"
	Substitute = "substitute"
	Limit      = "limit"
	Internal   = "internal"
)

// Run builds a directory. The error is always a *Failure.
func Run(layer *tree.Layer, o Options) (Result, error) {
	openapi.ResetOpenAPI()
	dir := path.Join(tree.Root, path.Clean("/"+o.Path))
	if err := layer.Stat(dir); err != nil {
		return Result{}, &Failure{Prepare, fmt.Errorf("kustomization path not found: %w", err)}
	}
	root, err := flux.Generate(layer, dir, o.Kustomization)
	if err != nil {
		return Result{}, &Failure{Prepare, err}
	}
	result := Result{Root: root, Dropped: root.Dropped, Undefined: map[string]struct{}{}}

	m, err := kustomize(layer, dir)
	if err != nil {
		return result, &Failure{Build, fmt.Errorf("kustomize build failed: %w", err)}
	}
	if err := result.finish(m, o); err != nil {
		return result, err
	}
	return result, result.print(m, o)
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
func (r *Result) finish(m resmap.ResMap, o Options) error {
	variables, substitute := flux.VariablesOf(o.Kustomization)
	for _, res := range m.Resources() {
		if res.GetName() == "" || res.GetKind() == "" || res.GetApiVersion() == "" {
			return &Failure{Build, fmt.Errorf("failed to decode Kubernetes apiVersion, kind and name from: %v", res.String())}
		}
		if !substitute {
			continue
		}
		undefined, err := variables.Substitute(res)
		if err != nil {
			return &Failure{Substitute, fmt.Errorf("post build failed for '%s/%s': %w", res.GetGvk(), res.GetName(), err)}
		}
		for _, name := range undefined {
			r.Undefined[name] = struct{}{}
		}
	}
	return nil
}

// print writes the objects in the forms that were asked for.
func (r *Result) print(m resmap.ResMap, o Options) error {
	sum := sha256.New()
	for i, res := range m.Resources() {
		if err := r.printOne(res, i == 0, sum, o); err != nil {
			return &Failure{Build, fmt.Errorf("kustomize build failed: %w", err)}
		}
	}
	sum.Sum(r.SHA256[:0])
	return nil
}

func (r *Result) printOne(res *resource.Resource, first bool, sum hash.Hash, o Options) error {
	json, err := res.MarshalJSON()
	if err != nil {
		return err
	}
	text, err := yaml.JSONToYAML(json)
	if err != nil {
		return err
	}
	if !first {
		text = append([]byte("---\n"), text...)
	}
	sum.Write(text)
	if o.YAML {
		r.YAML = append(r.YAML, text...)
	}
	if o.Objects {
		r.Objects = append(r.Objects, Object{JSON: json, Source: -1, Origin: "[-1,0,0]"})
	}
	return nil
}

// Stage returns the stage of an error of Run.
func Stage(err error) string {
	var f *Failure
	if errors.As(err, &f) {
		return f.Stage
	}
	return Internal
}
