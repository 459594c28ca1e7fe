package builtins

import (
	"strings"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/trace"
)

// tell says where the text of a patch was written: in a file, or in a field of what configures the plugin. The text of a field
// is written with space around it, which shifts its lines.
func tell(p any, field string, text, file []byte, written string) {
	trace.Patch(p, text)
	if file != nil {
		trace.Same(text, file)
		return
	}
	space := written[:max(0, strings.Index(written, string(text)))]
	if space == "" || strings.HasSuffix(space, "\n") {
		trace.Inline(p, field, text, strings.Count(space, "\n"))
	}
}

// touch says which objects a patch is about to change.
func touch(selected ...*resource.Resource) {
	for _, r := range selected {
		trace.Touch(&r.RNode)
	}
}

// enterItem says which of the entries of a list is being read.
func enterItem(i int) { trace.EnterItem(i) }
