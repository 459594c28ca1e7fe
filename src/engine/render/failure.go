package render

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"customizer-lint/engine/flux"
	"customizer-lint/engine/tree"

	"sigs.k8s.io/kustomize/kyaml/trace"
)

// A Stage is how far a build came.
type Stage string

const (
	Prepare    Stage = "prepare"
	Build      Stage = "build"
	Substitute Stage = "substitute"
	Limit      Stage = "limit"
	Internal   Stage = "internal"
)

// A Class is a kind of refusal that the engine knows for certain.
type Class string

const (
	RemoteBase  Class = "remote-base"
	OverLimit   Class = "limit"
	MissingPath Class = "missing-path"
	Escape      Class = "escape"
	Plugin      Class = "plugin"
)

// A Failure is why and where a build was refused. What is not known is empty. Files are relative to the repository.
type Failure struct {
	// Err has the text of Flux.
	Err   error
	Stage Stage
	Class Class
	// File is at fault; Kustomization and Field are the innermost entry that was being processed. A field of the Flux object
	// has no kustomization.
	File          string
	Kustomization string
	Field         flux.Field
	// Line counts from 1 in the document, which counts from 0; 0: the parser named none.
	Line, Document int
}

func (f *Failure) Error() string { return tree.Relative(f.Err.Error()) }
func (f *Failure) Unwrap() error { return f.Err }

// explain adds to an error what the build was at.
func explain(stage Stage, err error, build *trace.Build, layer *tree.Layer, root flux.Root) *Failure {
	f := &Failure{Err: err, Stage: stage}
	if len(build.Trail) > 0 {
		at := build.Trail[len(build.Trail)-1]
		f.Kustomization, f.Field = placeOf(at, root)
	}
	if b := build.Broken; b != nil && b.File != "" {
		f.File = tree.Relative(b.File)
		if !b.Inline {
			f.Line, f.Document = lineOf(b.Text), b.Document
		}
	}
	var broken *flux.FileError
	if errors.As(err, &broken) {
		f.File = tree.Relative(broken.File)
		if f.Line == 0 {
			f.Line = lineOf(broken.Error())
		}
	}
	var spec *flux.SpecError
	if errors.As(err, &spec) {
		f.Kustomization, f.Field = "", spec.Field
	}
	switch refused := layer.Refused(); {
	case build.Limit != nil:
		f.Stage, f.Class, f.Err = Limit, OverLimit, build.Limit
	case refused != nil:
		f.Stage, f.Class, f.Err, f.File = Limit, OverLimit, refused, tree.Relative(refused.Path)
	case overLimit.MatchString(err.Error()):
		f.Stage, f.Class = Limit, OverLimit
	case build.Plugin:
		f.Class = Plugin
	case build.Reference != "":
		f.Class = classify(build.Reference, layer)
	}
	return f
}

// classify tells why a reference led nowhere.
func classify(reference string, layer *tree.Layer) Class {
	var escape *tree.Escape
	switch _, _, err := layer.CleanedAbs(reference); {
	case !strings.HasPrefix(reference, "/"):
		return RemoteBase
	case errors.As(err, &escape), !strings.HasPrefix(reference+"/", tree.Root+"/"):
		return Escape
	case err != nil:
		return MissingPath
	}
	return ""
}

// overLimit has the texts of parsers that have limits of their own.
var overLimit = regexp.MustCompile("exceeded max depth of|the accumulated size increase of copy|" + flux.ExpandsTooFar + "|" + flux.TooManyVariables)

var parserLine = regexp.MustCompile(`yaml: (?:unmarshal errors:\s+)?line (\d+):`)

// lineOf takes the line out of go-yaml's own text, which is all that it tells.
func lineOf(text string) int {
	found := parserLine.FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(found[1])
	return n
}

// placeOf takes an entry back to the user's file or the Flux object.
func placeOf(p trace.Place, root flux.Root) (kustomization string, field flux.Field) {
	if p.Field.Name != "" {
		field = flux.Field{p.Field.Name}
	}
	if p.Field.Index >= 0 {
		field = append(field, p.Field.Index)
	}
	if p.Kustomization == "" {
		return "", field
	}
	if p.Kustomization == root.File {
		if fromFlux, origin := root.Origin(field); fromFlux {
			return "", origin
		}
	}
	return tree.Relative(p.Kustomization), field
}
