package tree

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A tree of any names behaves as a disk with the same files: what is read, listed, found and not found. A lookup of any path
// gives what the disk gives, or a refusal where it leaves the root.
func FuzzTree(f *testing.F) {
	f.Add("a.yaml\x00b/c.yaml", "b/../a.yaml")
	f.Add("a\tb\x00a", "./a")
	f.Add("..a\x00.b/..c", ".b//..c")
	f.Add("\xff.yaml\x00\ufffd.yaml", "\xff.yaml")
	f.Add("x/y\x00x", "x/y/z")
	f.Add("a\nb/c ", "../../etc/passwd")
	f.Fuzz(func(t *testing.T, names, lookup string) {
		files := map[string][]byte{}
		disk := t.TempDir()
		for name := range strings.SplitSeq(names, "\x00") {
			// The host sends names as git has them: local, clean, and no file is a folder of another.
			if !fs.ValidPath(name) || name == "." || len(name) > 200 || strings.Contains(name, ".git") {
				continue
			}
			to := filepath.Join(disk, name)
			if os.MkdirAll(filepath.Dir(to), 0o755) != nil || os.WriteFile(to, []byte(name), 0o644) != nil {
				continue
			}
			files[name] = []byte(name)
		}
		layer := New(files, nil).NewLayer()
		for name, content := range files {
			if got, err := layer.ReadFile(path.Join(Root, name)); err != nil || !bytes.Equal(got, content) {
				t.Fatalf("%q: %q %v", name, got, err)
			}
		}
		compareLists(t, layer, disk)
		if strings.Contains(lookup, "\x00") || len(lookup) > 200 {
			return
		}
		compareLookup(t, layer, disk, lookup)
	})
}

func compareLists(t *testing.T, layer *Layer, disk string) {
	var want, got []string
	filepath.Walk(disk, func(p string, info fs.FileInfo, err error) error {
		want = append(want, strings.TrimPrefix(p, disk))
		return err
	})
	err := layer.Walk(Root, func(p string, info fs.FileInfo, err error) error {
		got = append(got, strings.TrimPrefix(p, Root))
		return err
	})
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("walked %q, want %q (%v)", got, want, err)
	}
}

func compareLookup(t *testing.T, layer *Layer, disk, lookup string) {
	at := path.Join(Root, lookup)
	got, err := layer.ReadFile(at)
	if at != Root && !strings.HasPrefix(at, Root+"/") {
		var escape *Escape
		if !errors.As(err, &escape) || layer.Exists(at) {
			t.Fatalf("%q leaves the root: %q %v", lookup, got, err)
		}
		return
	}
	below := filepath.Join(disk, strings.TrimPrefix(at, Root))
	want, wantErr := os.ReadFile(below)
	if (err == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
		t.Fatalf("%q: %q %v, want %q %v", lookup, got, err, want, wantErr)
	}
	info, statErr := os.Stat(below)
	if layer.Exists(at) != (statErr == nil) || layer.IsDir(at) != (statErr == nil && info.IsDir()) {
		t.Fatalf("%q: exists %t, is a directory %t, but %v", lookup, layer.Exists(at), layer.IsDir(at), statErr)
	}
	wantNames, listErr := os.ReadDir(below)
	names, err := layer.ReadDir(at)
	if (err == nil) != (listErr == nil) || len(names) != len(wantNames) {
		t.Fatalf("%q: lists %q %v, want %v %v", lookup, names, err, wantNames, listErr)
	}
}
