package session

import (
	"encoding/hex"
	"strconv"

	"customizer-lint/engine/flux"
	"customizer-lint/engine/render"
)

// A writer puts an answer together. The objects, nearly all of it, are JSON already and are not looked at again.
type writer struct{ bytes []byte }

func (w *writer) text(s string) { w.bytes = append(w.bytes, s...) }
func (w *writer) value(v any)   { w.bytes = append(w.bytes, marshal(v)...) }
func (w *writer) number(n int)  { w.bytes = strconv.AppendInt(w.bytes, int64(n), 10) }

// quote writes JSON as a JSON string.
func (w *writer) quote(json []byte) {
	w.bytes = append(w.bytes, '"')
	for _, c := range json {
		if c == '"' || c == '\\' {
			w.bytes = append(w.bytes, '\\')
		}
		w.bytes = append(w.bytes, c)
	}
	w.bytes = append(w.bytes, '"')
}

func (w *writer) object(o render.Object) {
	w.text(`{"value":`)
	w.bytes = append(w.bytes, o.JSON...)
	w.text(`,"source":`)
	w.number(o.Source)
	w.text(`,"origin":`)
	w.quote(o.Origin)
	if o.Removed != nil {
		w.text(`,"removed":`)
		w.bytes = append(w.bytes, o.Removed...)
	}
	if o.Dropped != "" {
		w.text(`,"dropped":`)
		w.value(o.Dropped)
	}
	w.text("}")
}

func (w *writer) objects(objects []render.Object) {
	w.text("[")
	for i, o := range objects {
		if i > 0 {
			w.text(",")
		}
		w.object(o)
	}
	w.text("]")
}

// answer is BuildResponse of protocol.ts.
func answer(r render.Result, output string, files []string) []byte {
	var out writer
	out.text(`{"ok":true`)
	if output != "objects" {
		out.text(`,"sha256":`)
		out.value(hex.EncodeToString(r.SHA256[:]))
	}
	switch output {
	case "yaml":
		out.text(`,"yaml":`)
		out.value(string(r.YAML))
	case "objects":
		out.text(`,"objects":`)
		out.objects(r.Objects)
	}
	out.text(`,"sources":`)
	out.value(sources(r.Sources))
	if r.Traces != nil {
		out.text(`,"traces":`)
		out.bytes = append(out.bytes, r.Traces...)
	}
	out.text(`,"steps":`)
	out.value(steps(r.Steps))
	out.text(`,"files":`)
	out.value(list(files))
	out.text(`,"dropped":`)
	out.value(dropped(r))
	out.text(`,"undefinedVariables":`)
	out.value(list(r.Undefined))
	out.text("}")
	return out.bytes
}

// answerRead is ReadResponse of protocol.ts.
func answerRead(r render.Documents) []byte {
	var out writer
	out.text(`{"ok":true,"documents":`)
	out.objects(r.Objects)
	out.text(`,"sources":`)
	out.value(sources(r.Sources))
	out.text(`,"failures":`)
	type failure struct {
		File    string `json:"file"`
		Message string `json:"message"`
	}
	failures := []failure{}
	for _, f := range r.Failures {
		failures = append(failures, failure{f.File, f.Error()})
	}
	out.value(failures)
	out.text("}")
	return out.bytes
}

type source struct {
	File     string     `json:"file"`
	Document int        `json:"document"`
	Line     int        `json:"line"`
	Inside   flux.Field `json:"inside,omitempty"`
	Within   int        `json:"within,omitempty"`
	By       string     `json:"by,omitempty"`
}

func sources(from []render.Source) []source {
	out := make([]source, 0, len(from))
	for _, s := range from {
		out = append(out, source{s.File, s.Document, s.Line, s.Inside, s.Within, s.By})
	}
	return out
}

type step struct {
	Kustomization string     `json:"kustomization"`
	Field         flux.Field `json:"field"`
	Kind          string     `json:"kind"`
	Selected      int        `json:"selected"`
	Changed       int        `json:"changed"`
}

func steps(from []render.Step) []step {
	out := make([]step, 0, len(from))
	for _, s := range from {
		out = append(out, step{s.Kustomization, list(s.Field), s.Kind, s.Selected, s.Changed})
	}
	return out
}

type lost struct {
	File string     `json:"file"`
	Path flux.Field `json:"path"`
}

func dropped(r render.Result) []lost {
	out := []lost{}
	for _, field := range r.Dropped {
		out = append(out, lost{r.DroppedFrom, field})
	}
	return out
}
