package flux

import (
	"strings"
	"testing"

	"github.com/fluxcd/pkg/envsubst"
)

// Where every variable is known, the text becomes what Flux's own package makes of it, and what that refuses is refused.
func FuzzSubstitute(f *testing.F) {
	f.Add("a: ${A}", "x", "y")
	f.Add("${A:=${B:=${C}}}", "x", "")
	f.Add("${A/x/${B}} ${A:1:2} ${A^^} ${#A} $$A $A", "xyz", "b")
	f.Add("${A%%.*} ${B##*/} ${A//a/b}", "a.b", "c/d")
	f.Add("${A", "x", "y")
	f.Add(strings.Repeat("${A:-", 50)+strings.Repeat("}", 50), "", "")
	f.Fuzz(func(t *testing.T, text, a, b string) {
		// A stack is as deep as the variables nest; the engine bounds that before it gets here.
		if len(text) > 4096 || len(a)+len(b) > 1024 || strings.Count(text, "${") > 64 {
			return
		}
		values := map[string]string{"A": a, "B": b, "_c1": a + b}
		got, undefined, err := Variables{values: values}.eval(text)
		want, wantErr := envsubst.Eval(text, func(name string) (string, bool) { return values[name], true })
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: %v, want %v", text, err, wantErr)
		}
		if err == nil && got != want {
			t.Fatalf("%q became %q, want %q", text, got, want)
		}
		for _, name := range undefined {
			if _, known := values[name]; known {
				t.Fatalf("%q is said not to be defined", name)
			}
		}
	})
}
