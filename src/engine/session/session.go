package session

import (
	"encoding/json"
	"errors"
	"fmt"

	"customizer-lint/engine/artifact"
	"customizer-lint/engine/flux"
	"customizer-lint/engine/frame"
	"customizer-lint/engine/render"
	"customizer-lint/engine/tree"
)

// A Session holds the tree that the host loaded. Its zero value holds none.
type Session struct{ tree *tree.Tree }

// request is the header of a call; which fields count depends on op.
type request struct {
	Op string `json:"op"`

	Refused    map[string]string `json:"refused"`
	Links      []string          `json:"links"`
	Submodules []string          `json:"submodules"`
	Ignore     string            `json:"ignore"`

	Path          string             `json:"path"`
	Kustomization flux.Kustomization `json:"kustomization"`
	Output        string             `json:"output"`
	Marked        bool               `json:"marked"`
	Origins       *bool              `json:"origins"`
	DeclaredAt    render.Declared    `json:"declaredAt"`

	Files []string `json:"files"`
}

// Call answers one frame with one JSON document. A call that the engine cannot make sense of is answered as an internal
// failure, so that the host has one way to read answers. The frame's memory belongs to the session after a load.
func (s *Session) Call(call []byte) (answer []byte) {
	defer func() {
		if r := recover(); r != nil {
			answer = refuse(failure{Message: fmt.Sprint("recovered from a panic: ", r), Stage: render.Internal}, nil)
		}
	}()
	header, rest, err := frame.Next(call)
	if err != nil {
		return internal(err)
	}
	var r request
	if err := json.Unmarshal(header, &r); err != nil {
		return internal(err)
	}
	switch r.Op {
	case "load":
		return s.load(r, rest)
	case "build":
		return s.build(r)
	case "read":
		return s.read(r)
	}
	return internal(fmt.Errorf("no operation %q", r.Op))
}

// failure is EngineError of protocol.ts.
type failure struct {
	Message       string       `json:"message"`
	Stage         render.Stage `json:"stage"`
	Class         render.Class `json:"class,omitempty"`
	File          string       `json:"file,omitempty"`
	Kustomization string       `json:"kustomization,omitempty"`
	Field         flux.Field   `json:"field,omitempty"`
	Line          int          `json:"line,omitempty"`
	Document      *int         `json:"document,omitempty"`
}

func refuse(f failure, files []string) []byte {
	return marshal(struct {
		OK    bool     `json:"ok"`
		Error failure  `json:"error"`
		Files []string `json:"files"`
	}{false, f, list(files)})
}

func internal(err error) []byte {
	return refuse(failure{Message: err.Error(), Stage: render.Internal}, nil)
}

// list makes JSON of no items a list.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

func marshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // every answer is made of plain values
	}
	return text
}

func (s *Session) load(r request, rest []byte) []byte {
	files := map[string][]byte{}
	for name := range r.Refused {
		files[name] = nil
	}
	for len(rest) > 0 {
		var name, content []byte
		var err error
		if name, rest, err = frame.Next(rest); err != nil {
			return internal(err)
		}
		if content, rest, err = frame.Next(rest); err != nil {
			return internal(err)
		}
		files[string(name)] = content
	}
	lost := artifact.Repository{Files: files, Links: r.Links, Submodules: r.Submodules, Ignore: r.Ignore}.Archive()
	refused := map[string]string{}
	for name, reason := range r.Refused {
		if _, kept := files[name]; kept {
			delete(files, name)
			refused[name] = reason
		}
	}
	s.tree = tree.New(files, refused)
	return marshal(struct {
		OK   bool            `json:"ok"`
		Lost []artifact.Lost `json:"lost"`
	}{true, list(lost)})
}

func (s *Session) build(r request) []byte {
	if s.tree == nil {
		return internal(errors.New("nothing is loaded"))
	}
	layer := s.tree.NewLayer()
	result, err := render.Run(layer, render.Options{
		Path:          r.Path,
		Kustomization: r.Kustomization,
		YAML:          r.Output == "yaml",
		Digest:        r.Output == "digest",
		Objects:       r.Output == "objects",
		Marked:        r.Marked,
		NoOrigins:     r.Origins != nil && !*r.Origins,
		DeclaredAt:    r.DeclaredAt,
	})
	if err != nil {
		return refuse(describe(err), layer.Read())
	}
	return answer(result, r.Output, layer.Read())
}

// describe tells a failure as the protocol does.
func describe(err error) failure {
	var f *render.Failure
	if !errors.As(err, &f) {
		return failure{Message: err.Error(), Stage: render.Internal}
	}
	out := failure{
		Message: f.Error(), Stage: f.Stage, Class: f.Class,
		File: f.File, Kustomization: f.Kustomization, Field: f.Field,
	}
	if f.Line > 0 {
		out.Line, out.Document = f.Line, &f.Document
	}
	return out
}

func (s *Session) read(r request) []byte {
	if s.tree == nil {
		return internal(errors.New("nothing is loaded"))
	}
	return answerRead(render.Read(s.tree, r.Files))
}
