package artifact

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/fluxcd/pkg/sourceignore"
)

// Any patterns drop the files that the package of source-controller drops.
func FuzzIgnore(f *testing.F) {
	f.Add("/a/\n!/a/b.yaml\n", "*.yaml", "a/b.yaml")
	f.Add("# x\n\n  \n\\#y", "", "#y")
	f.Add("a/**/b\n**", "!x", "a/q/b")
	f.Add("[a-c]?.yaml", "", "b1.yaml")
	f.Add("x \\ ", "", "x  ")
	f.Fuzz(func(t *testing.T, root, nested, name string) {
		if !fs.ValidPath(name) || name == "." || len(root)+len(nested) > 2000 || strings.Contains(name, sourceignore.IgnoreFile) {
			return
		}
		files := map[string][]byte{name: nil, sourceignore.IgnoreFile: []byte(root)}
		folder, _, isDeep := strings.Cut(name, "/")
		if folder == ".git" {
			return
		}
		if isDeep {
			files[folder+"/"+sourceignore.IgnoreFile] = []byte(nested)
		}
		patterns := sourceignore.ReadPatterns(strings.NewReader(root), nil)
		if isDeep {
			patterns = append(patterns, sourceignore.ReadPatterns(strings.NewReader(nested), []string{folder})...)
		}
		matcher := sourceignore.NewDefaultMatcher(patterns, nil)
		if len(patterns) > 0 {
			matcher = sourceignore.NewMatcher(append(sourceignore.VCSPatterns(nil), patterns...))
		}
		want := matcher.Match(strings.Split(name, "/"), false)
		Repository{Files: files}.Archive()
		if _, kept := files[name]; kept == want {
			t.Fatalf("%q with %q and %q: kept %t", name, root, nested, kept)
		}
	})
}
