package render

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"customizer-lint/engine/flux"
	"customizer-lint/engine/tree"

	"go.yaml.in/yaml/v3"
)

// An origin in a result must be a place where just that value stands: no origin at all is allowed, a wrong one never.
func TestOriginsTellTheTruth(t *testing.T) {
	t.Run("small", func(t *testing.T) {
		known, all := checkOrigins(t, small, ".", flux.Kustomization{
			Patches: []flux.Patch{{Patch: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cm\ndata:\n  flux: patch\n"}},
		})
		if known < all*3/4 {
			t.Errorf("only %d of %d leaves have an origin", known, all)
		}
	})
	folder := os.Getenv("CUSTOMIZER_LINT_CORPUS")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	repositories, err := os.ReadDir(folder)
	if err != nil {
		t.Skip("no corpus of repositories (CUSTOMIZER_LINT_CORPUS)")
	}
	known, all := 0, 0
	for _, r := range repositories {
		if !r.IsDir() {
			continue
		}
		files, dirs := readRepository(t, filepath.Join(folder, r.Name()))
		if testing.Short() && len(dirs) > 20 {
			dirs = dirs[:20]
		}
		for _, dir := range dirs {
			k, a := checkOrigins(t, files, dir, flux.Kustomization{})
			known, all = known+k, all+a
		}
	}
	t.Logf("%d of %d leaves have an origin", known, all)
}

var small = map[string][]byte{
	"kustomization.yaml":      []byte("resources:\n- base\n- more.yaml\npatches:\n- path: p.yaml\n- patch: |-\n    apiVersion: cozystack.io/v1alpha1\n    kind: Package\n    metadata:\n      name: one\n    spec:\n      inline: true\n- target: {kind: Package}\n  patch: |\n\n    apiVersion: x\n    kind: x\n    metadata: {name: x, annotations: {target: patch}}\nreplacements:\n- source: {kind: ConfigMap, fieldPath: data.k}\n  targets: [{select: {kind: Package}, fieldPaths: [spec.replaced]}]\n- source: {kind: Package, fieldPath: spec.list}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [copied], options: {create: true}}]\n"),
	"base/kustomization.yaml": []byte("resources: [a.yaml]\ncomponents: [../c]\n"),
	"base/a.yaml":             []byte("# one\napiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: one # name\n  labels: {a: b, \"c\": 'd'}\nspec:\n  variant: default\n  replaced: old\n  list:\n  - a\n  - b: 1\n    c: [x, y]\n  text: |\n    several\n    lines\n  unicode: \"ü\"\n"),
	"c/kustomization.yaml":    []byte("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nlabels:\n- pairs: {team: x}\n"),
	"more.yaml":               []byte("---\n# nothing\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {k: \"1\"}\n--- # three\napiVersion: v1\nkind: Secret\nmetadata: &m {name: s}\nstringData:\n  a: b\nagain: *m\n"),
	"p.yaml":                  []byte("apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: one}\nspec:\n  variant: patched\n  new: {deep: [1, 2]}\n"),
}

func readRepository(t *testing.T, root string) (files map[string][]byte, dirs []string) {
	files = map[string][]byte{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, _ := filepath.Rel(root, p)
		if path.Base(name) == "kustomization.yaml" {
			dirs = append(dirs, path.Dir(name))
		}
		files[name], err = os.ReadFile(p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, dirs
}

func checkOrigins(t *testing.T, files map[string][]byte, dir string, k flux.Kustomization) (known, all int) {
	t.Helper()
	result, err := Run(tree.New(files, nil).NewLayer(), Options{Path: dir, Kustomization: k, Objects: true, Digest: true})
	if err != nil {
		return 0, 0
	}
	without, err := Run(tree.New(files, nil).NewLayer(), Options{Path: dir, Kustomization: k, Objects: true, Digest: true, NoOrigins: true})
	if err != nil || without.SHA256 != result.SHA256 {
		t.Errorf("%s: it is not the same when nobody asks who wrote it: %v", dir, err)
	}
	c := checker{t: t, files: files, kustomization: k, sources: result.Sources, places: map[int]map[place]*yaml.Node{}}
	if result.Traces != nil {
		if err := json.Unmarshal(result.Traces, &c.traces); err != nil {
			t.Fatalf("%s: %v", result.Traces, err)
		}
	}
	for _, o := range result.Objects {
		var value any
		if err := json.Unmarshal(o.JSON, &value); err != nil {
			t.Fatal(err)
		}
		var origin []any
		if err := json.Unmarshal(o.Origin, &origin); err != nil {
			t.Fatalf("%s: %v", o.Origin, err)
		}
		c.check(value, origin, dir)
	}
	return c.known, c.all
}

type checker struct {
	t             *testing.T
	files         map[string][]byte
	kustomization flux.Kustomization
	sources       []Source
	places        map[int]map[place]*yaml.Node
	traces        []struct {
		By   string
		From []any
	}
	known, all int
}

type place struct{ line, column int }

func (c *checker) check(value any, origin []any, at string) {
	switch v := value.(type) {
	case map[string]any:
		entries, _ := origin[3].([]any)
		if len(entries) != len(v) {
			c.t.Errorf("%s: %d origins of %d entries", at, len(entries), len(v))
			return
		}
		for _, e := range entries {
			entry := e.([]any)
			key := entry[0].(string)
			if n := c.node(entry[1:4]); n != nil && n.Value != key {
				c.t.Errorf("%s: the key %q is said to be at %v, where %q stands", at, key, entry[1:4], n.Value)
			}
			c.check(v[key], entry[4].([]any), at+"."+key)
		}
	case []any:
		items, _ := origin[3].([]any)
		if len(items) != len(v) {
			c.t.Errorf("%s: %d origins of %d items", at, len(items), len(v))
			return
		}
		for i, item := range items {
			c.check(v[i], item.([]any), at+"[]")
		}
	default:
		c.all++
		if origin = c.resolve(origin); origin == nil {
			return
		}
		c.known++
		if len(origin) == 0 {
			return
		}
		n := c.node(origin)
		if n == nil {
			c.t.Errorf("%s: nothing stands at %v", at, origin)
			return
		}
		var written any
		if err := n.Decode(&written); err != nil {
			c.t.Fatal(err)
		}
		a, _ := json.Marshal(written)
		b, _ := json.Marshal(value)
		text, _ := value.(string)
		// Kustomize prints and reads a text once more before it gives it out, which may change the space in it.
		if string(a) != string(b) && n.Value != value && !slices.Equal(strings.Fields(n.Value), strings.Fields(text)) {
			c.t.Errorf("%s: %s is said to be at %v, where %s stands", at, b, origin, a)
		}
	}
}

// resolve follows a trace to the place of the value, if it stands there whole. None means that nobody knows it, an empty one
// that it is made of something else.
func (c *checker) resolve(origin []any) []any {
	switch origin[0].(float64) {
	case -1:
		return nil
	case -2:
		trace := c.traces[int(origin[1].(float64))]
		if len(trace.From) == 0 {
			return nil
		}
		head, ok := trace.From[0].([]any)
		if !ok || len(head) > 3 || trace.By != "merge-patch" && trace.By != "json-patch" {
			return []any{}
		}
		return head
	}
	return origin
}

// node finds what is written at an origin.
func (c *checker) node(origin []any) *yaml.Node {
	source := int(origin[0].(float64))
	if source < 0 {
		return nil
	}
	if c.places[source] == nil {
		c.places[source] = map[place]*yaml.Node{}
		var root yaml.Node
		if err := yaml.Unmarshal([]byte(c.document(c.sources[source])), &root); err != nil {
			c.t.Fatal(err)
		}
		c.index(&root, c.places[source])
	}
	return c.places[source][place{int(origin[1].(float64)), int(origin[2].(float64))}]
}

func (c *checker) index(n *yaml.Node, places map[place]*yaml.Node) {
	if n.Kind == yaml.AliasNode {
		return
	}
	if _, taken := places[place{n.Line, n.Column}]; !taken || n.Kind == yaml.ScalarNode {
		places[place{n.Line, n.Column}] = n
	}
	for _, child := range n.Content {
		c.index(child, places)
	}
}

// document cuts a source out of its file, as the host does.
func (c *checker) document(s Source) string {
	text := strings.ReplaceAll(string(c.files[s.File]), "\r\n", "\n")
	if s.Inside != nil {
		text = c.inline(s)
		return strings.Join(strings.Split(text, "\n")[s.Line:], "\n")
	}
	documents := regexp.MustCompile(`\n---.*\n`).Split(text, -1)
	document := documents[s.Document]
	if lines := strings.Split(text, "\n"); !strings.HasPrefix(strings.Join(lines[s.Line:], "\n"), document) {
		c.t.Errorf("%s: document %d does not begin after %d lines", s.File, s.Document, s.Line)
	}
	return document
}

// inline takes the text of an inline patch out of the kustomization or the Flux object.
func (c *checker) inline(s Source) string {
	if s.File == "" {
		return c.kustomization.Patches[s.Inside[2].(int)].Patch
	}
	var value any
	if err := yaml.Unmarshal(c.files[s.File], &value); err != nil {
		c.t.Fatal(err)
	}
	for _, step := range s.Inside {
		switch step := step.(type) {
		case string:
			value = value.(map[string]any)[step]
		case int:
			value = value.([]any)[step]
		}
	}
	return value.(string)
}
