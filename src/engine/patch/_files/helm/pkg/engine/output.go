package engine

import (
	"errors"
	"fmt"
	"strings"
)

// Bounds is what all templates of a render may write together, and how deep `tpl` and `include` may call each other. A render at a time.
type Bounds struct {
	Bytes int
	// TplDepth and IncludeDepth are what is left of the levels; Helm itself bounds `include` for each name alone.
	TplDepth, IncludeDepth int
	// Exceeded is set where a bound was reached, and says which.
	Exceeded string
}

// Limits are those of the render that runs; nil has none.
var Limits *Bounds

// Exceed says that a bound was reached, whichever, and gives the error of it.
func Exceed(format string, values ...any) error {
	why := fmt.Sprintf(format, values...)
	if Limits != nil {
		Limits.Exceeded = why
	}
	return errors.New(why)
}

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
	return Exceed("the templates write more than may be rendered")
}

func enterTpl() error {
	if Limits == nil {
		return nil
	}
	if Limits.TplDepth--; Limits.TplDepth >= 0 {
		return nil
	}
	return Exceed("tpl calls itself too deeply")
}

func leaveTpl() {
	if Limits != nil {
		Limits.TplDepth++
	}
}

func enterInclude() error {
	if Limits == nil {
		return nil
	}
	if Limits.IncludeDepth--; Limits.IncludeDepth >= 0 {
		return nil
	}
	return Exceed("include calls itself too deeply")
}

func leaveInclude() {
	if Limits != nil {
		Limits.IncludeDepth++
	}
}
