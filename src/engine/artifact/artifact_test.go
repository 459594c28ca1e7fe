package artifact

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestArchive(t *testing.T) {
	for name, c := range map[string]struct {
		files             map[string]string
		links, submodules []string
		ignore            string
		// want lists what is lost, as `path because pattern from`.
		want []string
	}{
		"defaults": {
			files: map[string]string{"a.yaml": "", "x.png": "", "deep/y.tar.gz": "", ".github/workflows/w.yaml": "", "deep/.sops.yaml": "", ".gitignore": "", "appveyor.yml": "", "deep/appveyor.yml": "", "github/x.yaml": ""},
			want: []string{
				".github/workflows/w.yaml ignored .github/ ", ".gitignore ignored .gitignore ", "appveyor.yml ignored appveyor.yml ",
				"deep/.sops.yaml ignored **/.sops.yaml ", "deep/appveyor.yml ignored appveyor.yml ", "deep/y.tar.gz ignored *.tar.gz ", "x.png ignored *.png ",
			},
		},
		"a pattern replaces all defaults but those for git": {
			files: map[string]string{".sourceignore": "# comment\n\nnothing\n", "x.png": "", ".github/w.yaml": "", ".gitmodules": ""},
			want:  []string{".gitmodules ignored .gitmodules "},
		},
		"the last pattern decides": {
			files: map[string]string{".sourceignore": "/a/*\n!/a/keep.yaml\n", "a/x.yaml": "", "a/keep.yaml": "", "b/a/y.yaml": ""},
			want:  []string{"a/x.yaml ignored /a/* .sourceignore"},
		},
		"a file may come back from an ignored directory": {
			files: map[string]string{".sourceignore": "a/\n!a/keep.yaml\n", "a/x.yaml": "", "a/keep.yaml": ""},
			want:  []string{"a/x.yaml ignored a/ .sourceignore"},
		},
		"a nested file rules its directory": {
			files: map[string]string{".sourceignore": "z\n", "a/.sourceignore": "*.yaml\n", "a/x.yaml": "", "a/b/y.yaml": "", "x.yaml": ""},
			want:  []string{"a/b/y.yaml ignored *.yaml a/.sourceignore", "a/x.yaml ignored *.yaml a/.sourceignore"},
		},
		"patterns of all sorts": {
			files:  map[string]string{"aXc": "", "a/b/c/d": "", "x[1]": "", "x1": "", "end ": "", "end": "", "q/é.yaml": "", "!bang": ""},
			ignore: "a?c\n/a/**/d\nx[1]\nend   \né*\n\\!bang\n",
			want:   []string{"!bang ignored \\!bang ", "a/b/c/d ignored /a/**/d ", "aXc ignored a?c ", "end ignored end    ", "q/é.yaml ignored é* ", "x1 ignored x[1] "},
		},
		"spec.ignore comes last": {
			files:  map[string]string{".sourceignore": "!x.yaml\n", "x.yaml": "", "y.yaml": ""},
			ignore: "x.yaml\n",
			want:   []string{"x.yaml ignored x.yaml "},
		},
		"links and submodules": {
			files: map[string]string{"a.yaml": "", "link.yaml": "", "module/b.yaml": "", "modules/c.yaml": ""},
			links: []string{"link.yaml"}, submodules: []string{"module"},
			want: []string{"link.yaml link  ", "module submodule  "},
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string][]byte{}
			for file, text := range c.files {
				files[file] = []byte(text)
			}
			lost := Repository{Files: files, Links: c.links, Submodules: c.submodules, Ignore: c.ignore}.Archive()
			var got []string
			for _, l := range lost {
				got = append(got, fmt.Sprintf("%s %s %s %s", l.Path, l.Because, l.Pattern, l.From))
				for file := range files {
					if file == l.Path || l.Because == "submodule" && strings.HasPrefix(file, l.Path+"/") {
						t.Errorf("%s is lost and there", file)
					}
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
