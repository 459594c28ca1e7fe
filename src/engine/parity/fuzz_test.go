package parity

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const patched = `apiVersion: cozystack.io/v1alpha1
kind: Package
metadata: {name: p, labels: {a: b}, annotations: {c: d}}
spec: {components: {x: {values: {list: [{name: a}, {name: b}], n: 1, t: "1", z: null, m: {}}}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: d, namespace: n}
spec: {template: {spec: {containers: [{name: c, image: i, ports: [{containerPort: 1}]}, {name: e}]}}}
`

// Any text as a patch does what it does in the packages of Flux: the same bytes, or a refusal by both.
func FuzzPatch(f *testing.F) {
	f.Add("- {op: add, path: /spec/variant, value: x}", "Package")
	f.Add("- {op: move, from: /spec/components, path: /metadata/labels/x}", "")
	f.Add("- {op: copy, from: '', path: /spec/self}\n- {op: test, path: /kind, value: Package}", "Package")
	f.Add("- {op: remove, path: /spec/components/x/values/list/0}", "Pack.*")
	f.Add("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: n}\nspec: {template: {spec: {containers: [{name: c, $patch: delete}]}}}", "")
	f.Add("apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: p}\nspec: {components: {$patch: replace, y: 1}}", "")
	f.Add("$patch: delete\napiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: p}", "")
	f.Add("{}", "Package")
	f.Add("a: &a {b: *a}", "Package")
	f.Add("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: n}\nspec: {template: {spec: {$setElementOrder/containers: [{name: e}, {name: c}]}}}", "")
	var r reference
	var e *engine
	f.Fuzz(func(t *testing.T, patch, kind string) {
		if len(patch) > 4096 || len(kind) > 64 || strings.Contains(patch, "http") {
			return
		}
		if e == nil {
			native := filepath.Join("..", ".build", "native")
			if _, err := os.Stat(native); err != nil {
				t.Skip("no native engine (npm run build:engine -- --native)")
			}
			e, r = &engine{process: launch(t, "", native, "-serve")}, reference{launch(t, asWorker+"=1", os.Args[0])}
		}
		e.t, r.t = t, t
		target := ""
		if kind != "" {
			target = fmt.Sprintf(", target: {kind: %q}", kind)
		}
		root := plant(t, map[string]string{
			"kustomization.yaml": "resources: [o.yaml]\npatches: [{path: patch" + target + "}]\n",
			"o.yaml":             patched,
			"patch":              patch,
		})
		defer os.RemoveAll(root)
		j := job{Repository: root, Path: ".", Spec: map[string]any{}}
		// What the engine does not take on, as an anchor that contains itself, is the end of the other process.
		if answer := e.build(j, "yaml"); !answer.OK && answer.Error.Class == "limit" {
			return
		}
		compare(t, r, e, j)
	})
}

// launch starts a process for all inputs; it ends when this one does.
func launch(t *testing.T, env, name string, args ...string) *process {
	command := exec.Command(name, args...)
	command.Env = append(os.Environ(), env)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return &process{t, in, bufio.NewReader(out)}
}

// plant writes a repository into a folder that no input had before, as both sides remember what they have read.
func plant(t *testing.T, files map[string]string) string {
	root, err := os.MkdirTemp("", "fuzz-")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
