package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

var files = map[string][]byte{
	"a.yaml":              []byte("a: 1\n"),
	"base/b.yaml":         []byte("b: 1\n"),
	"base/deep/c.yaml":    []byte("c: 1\n"),
	"base/deep/d":         []byte("d"),
	"base.yaml":           []byte("e"),
	"base/kustomization":  nil,
	"base/.hidden.yaml":   []byte("f"),
	"clusters/prod/k.yml": []byte("k"),
}

func newLayer() *Layer { return New(files, map[string]string{"big.yaml": "it is too big"}).NewLayer() }

// onDisk is the same tree under Flux's rules for paths, on a disk: what the layer must be like.
func onDisk(t *testing.T) (root string, disk filesys.FileSystem) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		to := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root, filesys.MakeFsOnDisk()
}

func TestAnswersAsADiskDoes(t *testing.T) {
	root, disk := onDisk(t)
	layer := newLayer()
	// Every answer as one text, with the root cut out of it.
	ask := func(f filesys.FileSystem, root, name string) string {
		p := root + "/" + name
		content, readErr := f.ReadFile(p)
		dir, base, absErr := f.CleanedAbs(p)
		list, listErr := f.ReadDir(p)
		text := fmt.Sprint(f.Exists(p), f.IsDir(p), "\nread ", string(content), readErr, "\nabs ", dir, base, absErr, "\nlist ", list, listErr != nil)
		return strings.ReplaceAll(text, root, "ROOT")
	}
	for _, name := range []string{
		"a.yaml", "./a.yaml", "base/../a.yaml", "base", "base/", "base/deep", "base/deep/c.yaml",
		"nope", "nope/deeper", "a.yaml/below", "a.yaml/below/deeper", "base/nope", "base/deep/../b.yaml", ".",
	} {
		t.Run(name, func(t *testing.T) {
			want, got := ask(disk, root, name), ask(layer, Root, name)
			// The big file is on one side only.
			if got = strings.Replace(got, "base.yaml big.yaml", "base.yaml", 1); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestWalksAsADiskDoes(t *testing.T) {
	root, disk := onDisk(t)
	walk := func(f filesys.FileSystem, root, from string) (seen []string) {
		err := f.Walk(root+from, func(p string, info os.FileInfo, err error) error {
			seen = append(seen, fmt.Sprint(strings.TrimPrefix(p, root), info != nil && info.IsDir(), err != nil))
			if filepath.Base(p) == "deep" {
				return filepath.SkipDir
			}
			return err
		})
		return append(seen, fmt.Sprint(err != nil))
	}
	for _, from := range []string{"", "/base", "/a.yaml", "/nope"} {
		want, got := walk(disk, root, from), walk(newLayer(), Root, from)
		got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, "/big.yaml") })
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q\nwant %q", from, got, want)
		}
	}
}

func TestPathsAboveTheRootAreRefused(t *testing.T) {
	layer := newLayer()
	_, err := layer.ReadFile(Root + "/../etc/passwd")
	want := "fs-security-constraint read " + Root + "/../etc/passwd: path '" + Root + "/../etc/passwd' is not in or below '" + Root + "'"
	var escape *Escape
	if !errors.As(err, &escape) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, _, err := layer.CleanedAbs("/"); !errors.As(err, &escape) {
		t.Errorf("got %v", err)
	}
	if err := layer.WriteFile("/x", nil); !errors.As(err, &escape) {
		t.Errorf("got %v", err)
	}
	if layer.Exists("/") || layer.IsDir("/") {
		t.Error("there is something above the root")
	}
	if len(layer.Read()) > 0 {
		t.Errorf("read %q", layer.Read())
	}
}

func TestALayerKeepsWhatItWrites(t *testing.T) {
	tree := New(files, nil)
	one, two := tree.NewLayer(), tree.NewLayer()
	for _, name := range []string{"/a.yaml", "/base/new.yaml"} {
		if err := one.WriteFile(Root+name, []byte("mine")); err != nil {
			t.Fatal(err)
		}
		if content, _ := one.ReadFile(Root + name); string(content) != "mine" {
			t.Errorf("%s is %q in the layer that wrote it", name, content)
		}
		if content, _ := two.ReadFile(Root + name); string(content) == "mine" {
			t.Errorf("%s is seen in another layer", name)
		}
	}
	if names, _ := one.ReadDir(Root + "/base"); !slices.Contains(names, "new.yaml") {
		t.Errorf("the directory holds %q", names)
	}
	if err := one.WriteFile(Root+"/nope/x", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file in no directory: %v", err)
	}
}

func TestRefusedFilesExistButAreNotRead(t *testing.T) {
	layer := newLayer()
	if !layer.Exists(Root + "/big.yaml") {
		t.Error("it does not exist")
	}
	_, err := layer.ReadFile(Root + "/big.yaml")
	var refusal *Refusal
	if !errors.As(err, &refusal) || layer.Refused() != refusal || Relative(err.Error()) != "big.yaml is not read: it is too big" {
		t.Errorf("got %v", err)
	}
	if !slices.Equal(layer.Read(), []string{"big.yaml"}) {
		t.Errorf("read %q", layer.Read())
	}
}

func TestRelative(t *testing.T) {
	for message, want := range map[string]string{
		"open " + Root + "/a/b.yaml: gone": "open a/b.yaml: gone",
		"under '" + Root + "'":             "under '.'",
		"apps/repository/x.yaml":           "apps/repository/x.yaml",
	} {
		if got := Relative(message); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
