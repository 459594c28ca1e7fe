package session

import (
	"strconv"

	"customizer-lint/engine/render"
)

// A writer puts an answer together. The objects, nearly all of it, are JSON already and are not looked at again.
type writer struct{ bytes []byte }

func (w *writer) text(s string) { w.bytes = append(w.bytes, s...) }
func (w *writer) value(v any)   { w.bytes = append(w.bytes, marshal(v)...) }
func (w *writer) number(n int)  { w.bytes = strconv.AppendInt(w.bytes, int64(n), 10) }

func (w *writer) object(o render.Object) {
	w.text(`{"value":`)
	w.bytes = append(w.bytes, o.JSON...)
	w.text(`,"source":`)
	w.number(o.Source)
	w.text(`,"origin":`)
	w.value(o.Origin)
	if o.Dropped != "" {
		w.text(`,"dropped":`)
		w.value(o.Dropped)
	}
	w.text("}")
}
