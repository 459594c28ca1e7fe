package engine

import (
	"fmt"
	"strings"
)

// Bounds is what all templates of a render may write together, and how deep `tpl` may call itself. A render at a time.
type Bounds struct {
	Bytes int
	Depth int
	// Exceeded is set where a bound was reached, and says which.
	Exceeded string
}

// Limits are those of the render that runs; nil has none.
var Limits *Bounds

// output is what a template writes.
type output struct{ strings.Builder }

func (o *output) Write(p []byte) (int, error) {
	if err := count(len(p)); err != nil {
		return 0, err
	}
	return o.Builder.Write(p)
}

func count(bytes int) error {
	if Limits == nil {
		return nil
	}
	if Limits.Bytes -= bytes; Limits.Bytes >= 0 {
		return nil
	}
	Limits.Exceeded = "the templates write more than may be rendered"
	return fmt.Errorf("%s", Limits.Exceeded)
}

func enter() error {
	if Limits == nil {
		return nil
	}
	if Limits.Depth--; Limits.Depth >= 0 {
		return nil
	}
	Limits.Exceeded = "tpl calls itself too deeply"
	return fmt.Errorf("%s", Limits.Exceeded)
}

func leave() {
	if Limits != nil {
		Limits.Depth++
	}
}
