package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"customizer-lint/engine/flux"
	"customizer-lint/engine/tree"
)

// A chain is a specification: files in, and for every leaf that is more than a parsed node of a resource a line that says who
// wrote it, latest first. Then come the fields that are gone.
//
//	Kind name: path = value | by place + place ~ Kind name: path | by place
//
// A place is file:line:column; file#field:line:column in a text that stands in a field; file#field for a field of a
// kustomization; file:line for a line of a text. A part of a scalar has [start,end] behind it, a key is in <>. ~ leads to the
// nodes that the value is made from.
type chain struct {
	name  string
	files string
	flux  flux.Kustomization
	want  string
}

func (c chain) run(t *testing.T) {
	t.Helper()
	declared := Declared{}
	if c.flux.Name != "" {
		declared = Declared{"flux.yaml", 2}
	}
	options := Options{Path: ".", Kustomization: c.flux, Objects: true, Digest: true, DeclaredAt: declared}
	result, err := Run(tree.New(archive(c.files), nil).NewLayer(), options)
	if err != nil {
		t.Fatal(err)
	}
	got := (&told{t: t, result: result}).lines()
	if want := strings.TrimSpace(c.want); got != want {
		t.Errorf("got:\n%s\nwant:\n%s\ndiffers:\n%s", got, want, differing(got, want))
	}
	options.NoOrigins = true
	without, err := Run(tree.New(archive(c.files), nil).NewLayer(), options)
	if err != nil || without.SHA256 != result.SHA256 {
		t.Errorf("it is not the same when nobody asks who wrote it: %v", err)
	}
}

func differing(got, want string) string {
	var out []string
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			out = append(out, "- "+y, "+ "+x)
		}
	}
	return strings.Join(out, "\n")
}

// archive reads files, each below a line with its name: "-- name --".
func archive(text string) map[string][]byte {
	files := map[string][]byte{}
	name := ""
	for line := range strings.Lines(text) {
		if found, ok := strings.CutPrefix(line, "-- "); ok {
			name = strings.TrimSuffix(strings.TrimSpace(found), " --")
			files[name] = nil
		} else if name != "" {
			files[name] = append(files[name], line...)
		}
	}
	return files
}

type told struct {
	t      *testing.T
	result Result
	traces []struct {
		By      string
		From    []json.RawMessage
		Before  []int
		Derived []json.RawMessage `json:"derivedFrom"`
	}
	values []map[string]any
}

func (r *told) lines() string {
	if r.result.Traces != nil {
		r.decode(r.result.Traces, &r.traces)
	}
	for _, o := range r.result.Objects {
		var value map[string]any
		r.decode(o.JSON, &value)
		r.values = append(r.values, value)
	}
	var out []string
	for i, o := range r.result.Objects {
		var origin []any
		r.decode(o.Origin, &origin)
		r.leaves(i, r.values[i], origin, nil, &out)
		var removed [][2]json.RawMessage
		if o.Removed != nil {
			r.decode(o.Removed, &removed)
		}
		for _, gone := range removed {
			var path []any
			var by []int
			r.decode(gone[0], &path)
			r.decode(gone[1], &by)
			out = append(out, fmt.Sprintf("%s: %s gone%s", r.name(i), dotted(path), r.chain(by)))
		}
	}
	return strings.Join(out, "\n")
}

func (r *told) decode(text []byte, into any) {
	r.t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		r.t.Fatalf("%s: %v", text, err)
	}
}

func (r *told) name(object int) string {
	meta, _ := r.values[object]["metadata"].(map[string]any)
	return fmt.Sprintf("%v %v", r.values[object]["kind"], meta["name"])
}

func (r *told) leaves(object int, value any, origin []any, path []any, out *[]string) {
	switch v := value.(type) {
	case map[string]any:
		entries, _ := origin[3].([]any)
		if len(entries) != len(v) {
			r.t.Errorf("%s: %d origins of %d entries", dotted(path), len(entries), len(v))
		}
		if len(v) > 0 {
			for _, e := range entries {
				entry := e.([]any)
				r.leaves(object, v[entry[0].(string)], entry[4].([]any), append(path, entry[0]), out)
			}
			return
		}
	case []any:
		items, _ := origin[3].([]any)
		if len(items) != len(v) {
			r.t.Errorf("%s: %d origins of %d items", dotted(path), len(items), len(v))
		}
		if len(v) > 0 {
			for i, item := range items {
				r.leaves(object, v[i], item.([]any), append(path, i), out)
			}
			return
		}
	}
	chain := r.chain([]int{int(origin[0].(float64)), int(origin[1].(float64)), int(origin[2].(float64))})
	if strings.HasPrefix(chain, " | resource ") && !strings.Contains(chain[3:], "|") {
		return
	}
	text, _ := json.Marshal(value)
	*out = append(*out, fmt.Sprintf("%s: %s = %s%s", r.name(object), dotted(path), strings.Trim(string(text), `"`), chain))
}

func (r *told) chain(head []int) string {
	var out strings.Builder
	for head != nil {
		switch head[0] {
		case -1:
			return out.String() + " | nobody"
		case -2:
			trace := r.traces[head[1]]
			fmt.Fprintf(&out, " | %s", trace.By)
			for i, p := range trace.From {
				if i > 0 {
					out.WriteString(" +")
				}
				out.WriteString(" " + r.point(p))
			}
			for _, d := range trace.Derived {
				var link struct {
					object int
					path   []any
				}
				r.decode(d, &[]any{&link.object, &link.path})
				fmt.Fprintf(&out, " ~ %s: %s", r.name(link.object), dotted(link.path))
			}
			head = trace.Before
		default:
			by := r.result.Sources[head[0]].By
			if by == "" {
				by = "resource"
			}
			fmt.Fprintf(&out, " | %s %s", by, r.place(head))
			head = nil
		}
	}
	return out.String()
}

func (r *told) place(head []int) string {
	s := r.result.Sources[head[0]]
	at := s.File
	if s.Within > 0 {
		at += fmt.Sprintf("@%d", s.Within)
	}
	if s.Inside != nil {
		at += "#" + dotted(s.Inside)
	}
	at += fmt.Sprintf(":%d:%d", s.Line+head[1], head[2])
	if len(head) > 3 {
		at += fmt.Sprintf("[%d,%d]", head[3], head[4])
	}
	return at
}

func (r *told) point(text json.RawMessage) string {
	if text[0] == '[' {
		var head []int
		r.decode(text, &head)
		return r.place(head)
	}
	var p struct {
		File     string
		Document int
		Path     []any
		Part     string
		Line     int
		Span     []int
	}
	r.decode(text, &p)
	at := p.File
	if p.Document > 0 {
		at += fmt.Sprintf("@%d", p.Document)
	}
	if p.Line > 0 {
		at += fmt.Sprintf(":%d", p.Line)
	} else {
		at += "#" + dotted(p.Path)
	}
	if p.Part == "key" {
		at = "<" + at + ">"
	}
	if p.Span != nil {
		at += fmt.Sprintf("[%d,%d]", p.Span[0], p.Span[1])
	}
	return at
}

func dotted(path []any) string {
	var out []string
	for _, step := range path {
		out = append(out, fmt.Sprint(step))
	}
	return strings.Join(out, ".")
}

const deployment = `
-- d.yaml --
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: a
        image: nginx:1.0
        env:
        - name: X
          value: x
      - name: b
        image: redis
      nodeSelector:
        disk: ssd
        zone: a
`

const object = `
-- p.yaml --
apiVersion: example.com/v1
kind: Thing
metadata:
  name: one
spec:
  a: 1
  b: {c: x, d: y}
  list: [1, 2]
`

func TestMergePatches(t *testing.T) {
	for _, c := range []chain{
		{
			name: "a patch file writes over a scalar and adds one",
			files: object + `
-- kustomization.yaml --
resources: [p.yaml]
patches: [{path: patch.yaml}]
-- patch.yaml --
apiVersion: example.com/v1
kind: Thing
metadata:
  name: one
spec:
  a: 2
  new: {x: 1}
`,
			want: `
Thing one: spec.a = 2 | merge-patch patch.yaml:6:6 | resource p.yaml:6:6
Thing one: spec.new.x = 1 | merge-patch patch.yaml:7:12
`,
		},
		{
			name: "patches of two layers, the upper one inline and with a target",
			files: `
-- kustomization.yaml --
resources: [base]
patches:
- target: {kind: Thing}
  patch: |-
    apiVersion: any
    kind: any
    metadata: {name: any, labels: {l: new}}
    spec:
      a: 3
-- base/kustomization.yaml --
resources: [p.yaml]
patchesStrategicMerge: [patch.yaml]
-- base/patch.yaml --
apiVersion: example.com/v1
kind: Thing
metadata: {name: one}
spec: {a: 2}
` + strings.ReplaceAll(object, "-- p", "-- base/p"),
			want: `
Thing one: metadata.labels.l = new | merge-patch kustomization.yaml#patches.0.patch:3:35
Thing one: spec.a = 3 | merge-patch kustomization.yaml#patches.0.patch:5:6 | merge-patch base/patch.yaml:4:11 | resource base/p.yaml:6:6
`,
		},
		{
			name: "what is gone: nulls and directives",
			files: object + `
-- kustomization.yaml --
resources: [p.yaml]
patches: [{path: patch.yaml}]
-- patch.yaml --
apiVersion: example.com/v1
kind: Thing
metadata:
  name: one
spec:
  a: null
  b:
    $patch: replace
    c: z
  list: null
`,
			want: `
Thing one: spec.b.c = z | merge-patch patch.yaml:9:8 | resource p.yaml:7:10
Thing one: spec.a gone | merge-patch patch.yaml:6:6 | resource p.yaml:6:6
Thing one: spec.list gone | merge-patch patch.yaml:10:9 | resource p.yaml:8:9
Thing one: spec.b.d gone | merge-patch patch.yaml:8:13 | resource p.yaml:7:16
`,
		},
		{
			name: "a list that is not merged is written anew, a map is deleted",
			files: object + `
-- kustomization.yaml --
resources: [p.yaml]
patches: [{path: patch.yaml}]
-- patch.yaml --
apiVersion: example.com/v1
kind: Thing
metadata:
  name: one
spec:
  b: {$patch: delete}
  list: [3]
`,
			want: `
Thing one: spec.list.0 = 3 | merge-patch patch.yaml:7:10
Thing one: spec.b gone | merge-patch patch.yaml:6:15 | resource p.yaml:7:6
`,
		},
		{
			name: "items merged by key",
			files: deployment + `
-- kustomization.yaml --
resources: [d.yaml]
patches: [{path: patch.yaml}]
-- patch.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
      - name: new
        image: new
      - name: a
        env:
        - name: Y
          value: y
        - name: X
          value: z
      - name: b
        $patch: delete
      nodeSelector:
        disk: null
`,
			want: `
Deployment web: spec.template.spec.containers.0.name = new | merge-patch patch.yaml:8:15
Deployment web: spec.template.spec.containers.0.image = new | merge-patch patch.yaml:9:16
Deployment web: spec.template.spec.containers.1.name = a | merge-patch patch.yaml:10:15 | resource d.yaml:11:15
Deployment web: spec.template.spec.containers.1.env.0.name = Y | merge-patch patch.yaml:12:17
Deployment web: spec.template.spec.containers.1.env.0.value = y | merge-patch patch.yaml:13:18
Deployment web: spec.template.spec.containers.1.env.1.name = X | merge-patch patch.yaml:14:17 | resource d.yaml:14:17
Deployment web: spec.template.spec.containers.1.env.1.value = z | merge-patch patch.yaml:15:18 | resource d.yaml:15:18
Deployment web: spec.template.spec.containers.1 gone | merge-patch patch.yaml:17:17 | resource d.yaml:16:9
Deployment web: spec.template.spec.nodeSelector.disk gone | merge-patch patch.yaml:19:15 | resource d.yaml:19:15
`,
		},
	} {
		t.Run(c.name, c.run)
	}
}

func TestLists(t *testing.T) {
	chain{
		files: `
-- kustomization.yaml --
resources: [list.yaml]
patches:
- target: {kind: ConfigMap}
  patch: '[{"op": "add", "path": "/data/b", "value": "2"}]'
-- list.yaml --
apiVersion: v1
kind: ConfigMapList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: one}
  data: {a: "1"}
`,
		want: `
ConfigMap one: data.b = 2 | json-patch kustomization.yaml#patches.0.patch:1:44
`,
	}.run(t)
}

func TestTransformers(t *testing.T) {
	for _, c := range []chain{
		{
			name: "namespace, created and written over",
			files: `
-- kustomization.yaml --
resources: [all.yaml]
namespace: ours
-- all.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b, namespace: theirs}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: r}
subjects:
- kind: ServiceAccount
  name: default
`,
			want: `
ConfigMap a: metadata.namespace = ours | transformer kustomization.yaml#namespace
ConfigMap b: metadata.namespace = ours | transformer kustomization.yaml#namespace | resource all.yaml:7:32
RoleBinding r: metadata.namespace = ours | transformer kustomization.yaml#namespace
RoleBinding r: subjects.0.namespace = ours | transformer kustomization.yaml#namespace
`,
		},
		{
			name: "a name with a prefix and a suffix, in two layers",
			files: `
-- kustomization.yaml --
resources: [base]
namePrefix: x-
-- base/kustomization.yaml --
resources: [p.yaml]
namePrefix: p-
nameSuffix: -s
` + strings.ReplaceAll(object, "-- p", "-- base/p"),
			want: `
Thing x-p-one-s: metadata.name = x-p-one-s | transformer kustomization.yaml#namePrefix + base/kustomization.yaml#nameSuffix + base/kustomization.yaml#namePrefix + base/p.yaml:4:9 | transformer base/kustomization.yaml#nameSuffix + base/kustomization.yaml#namePrefix + base/p.yaml:4:9 | transformer base/kustomization.yaml#namePrefix + base/p.yaml:4:9 | resource base/p.yaml:4:9
`,
		},
		{
			name: "labels and annotations",
			files: deployment + `
-- kustomization.yaml --
resources: [d.yaml]
labels:
- pairs: {l: v}
- pairs: {app: other}
  includeSelectors: true
commonLabels: {c: d}
commonAnnotations: {a: b}
`,
			want: `
Deployment web: metadata.labels.app = other | transformer kustomization.yaml#labels.1.pairs.app | resource d.yaml:5:17
Deployment web: metadata.labels.l = v | transformer kustomization.yaml#labels.0.pairs.l
Deployment web: metadata.labels.c = d | transformer kustomization.yaml#commonLabels.c
Deployment web: metadata.annotations.a = b | transformer kustomization.yaml#commonAnnotations.a
Deployment web: spec.template.metadata.labels.app = other | transformer kustomization.yaml#labels.1.pairs.app
Deployment web: spec.template.metadata.labels.c = d | transformer kustomization.yaml#commonLabels.c
Deployment web: spec.template.metadata.annotations.a = b | transformer kustomization.yaml#commonAnnotations.a
Deployment web: spec.selector.matchLabels.app = other | transformer kustomization.yaml#labels.1.pairs.app
Deployment web: spec.selector.matchLabels.c = d | transformer kustomization.yaml#commonLabels.c
`,
		},
		{
			name: "images and replicas",
			files: deployment + `
-- kustomization.yaml --
resources: [d.yaml]
images:
- {name: nginx, newTag: "1.1"}
- {name: redis, newName: valkey, newTag: "7"}
- {name: valkey, digest: sha256:a}
replicas: [{name: web, count: 3}]
`,
			want: `
Deployment web: spec.replicas = 3 | transformer kustomization.yaml#replicas.0.count | resource d.yaml:7:13
Deployment web: spec.template.spec.containers.0.image = nginx:1.1 | transformer kustomization.yaml#images.0.newTag + d.yaml:12:16 | resource d.yaml:12:16
Deployment web: spec.template.spec.containers.1.image = valkey@sha256:a | transformer kustomization.yaml#images.2.digest + kustomization.yaml#images.1.newName | transformer kustomization.yaml#images.1.newTag + kustomization.yaml#images.1.newName | resource d.yaml:17:16
`,
		},
		{
			name: "two layers set the same tag: of the lower one nothing is left",
			files: deployment + `
-- kustomization.yaml --
resources: [base]
images: [{name: nginx, newTag: "3"}]
-- base/kustomization.yaml --
resources: [../d.yaml]
images: [{name: nginx, newTag: "2"}]
patches:
- target: {kind: Deployment}
  patch: '[{"op": "remove", "path": "/spec/template/spec/containers/1"}]'
`,
			want: `
Deployment web: spec.template.spec.containers.0.image = nginx:3 | transformer kustomization.yaml#images.0.newTag + d.yaml:12:16 | transformer base/kustomization.yaml#images.0.newTag + d.yaml:12:16 | resource d.yaml:12:16
Deployment web: spec.template.spec.containers.1 gone | json-patch base/kustomization.yaml#patches.0.patch:1:9 | resource d.yaml:16:9
`,
		},
	} {
		t.Run(c.name, c.run)
	}
}

func TestJSONPatches(t *testing.T) {
	for _, c := range []chain{
		{
			name: "add, replace and remove, inline as YAML",
			files: object + `
-- kustomization.yaml --
resources: [p.yaml]
patches:
- target: {kind: Thing}
  patch: |-
    - op: replace
      path: /spec/a
      value: 2
    - op: add
      path: /spec/new
      value: {x: [1]}
    - op: add
      path: /spec/list/0
      value: 0
    - op: remove
      path: /spec/b/c
`,
			want: `
Thing one: spec.a = 2 | json-patch kustomization.yaml#patches.0.patch:3:10 | resource p.yaml:6:6
Thing one: spec.list.0 = 0 | json-patch kustomization.yaml#patches.0.patch:9:10
Thing one: spec.new.x.0 = 1 | json-patch kustomization.yaml#patches.0.patch:6:15
Thing one: spec.b.c gone | json-patch kustomization.yaml#patches.0.patch:10:7 | resource p.yaml:7:10
`,
		},
		{
			name: "copy and move, from a file as JSON",
			files: object + `
-- kustomization.yaml --
resources: [p.yaml]
patches:
- {target: {kind: Thing}, path: patch.json}
-- patch.json --
[
  {"op": "move", "from": "/spec/b", "path": "/spec/moved"},
  {"op": "copy", "from": "/spec/a", "path": "/spec/list/-"},
  {"op": "test", "path": "/spec/a", "value": 1}
]
`,
			want: `
Thing one: spec.list.2 = 1 | json-patch p.yaml:6:6 + patch.json:3:26 | resource p.yaml:6:6
Thing one: spec.moved.c = x | json-patch p.yaml:7:10 + patch.json:2:26 | resource p.yaml:7:10
Thing one: spec.moved.d = y | json-patch p.yaml:7:16 + patch.json:2:26 | resource p.yaml:7:16
Thing one: spec.b gone | json-patch patch.json:2:10 | resource p.yaml:7:6
`,
		},
		{
			name: "the older list, in a file and inline, over a merge patch",
			files: object + `
-- kustomization.yaml --
resources: [p.yaml]
patches:
- patch: |-
    apiVersion: example.com/v1
    kind: Thing
    metadata: {name: one}
    spec: {a: 2, list: null}
patchesJson6902:
- target: {kind: Thing, version: v1, group: example.com, name: one}
  path: patch.yaml
- target: {kind: Thing, version: v1, group: example.com, name: one}
  patch: |
    - {op: replace, path: /spec/b/d, value: "#"}
-- patch.yaml --
# a comment
---
- op: replace
  path: /spec/a
  value: 3
`,
			want: `
Thing one: spec.a = 3 | json-patch patch.yaml:5:10 | merge-patch kustomization.yaml#patches.0.patch:4:11 | resource p.yaml:6:6
Thing one: spec.b.d = # | json-patch kustomization.yaml#patchesJson6902.1.patch:1:41 | resource p.yaml:7:16
Thing one: spec.list gone | merge-patch kustomization.yaml#patches.0.patch:4:20 | resource p.yaml:8:9
`,
		},
		{
			name: "a field need not be there to be replaced",
			files: object + `
-- kustomization.yaml --
resources: [p.yaml]
patches:
- target: {kind: Thing}
  patch: '[{"op": "replace", "path": "/spec/new", "value": 1}]'
`,
			want: `
Thing one: spec.new = 1 | json-patch kustomization.yaml#patches.0.patch:1:50
`,
		},
		{
			name: "a map for a map: what stays has a history, what does not is gone",
			files: object + `
-- kustomization.yaml --
resources: [p.yaml]
patches:
- target: {kind: Thing}
  patch: '[{"op": "replace", "path": "/spec/b", "value": {"c": "new"}}]'
`,
			want: `
Thing one: spec.b.c = new | json-patch kustomization.yaml#patches.0.patch:1:54 | resource p.yaml:7:10
Thing one: spec.b.d gone | json-patch kustomization.yaml#patches.0.patch:1:9 | resource p.yaml:7:16
`,
		},
		{
			name: "a map for a map, twice: what was gone before is still gone",
			files: object + `
-- kustomization.yaml --
resources: [p.yaml]
patches:
- target: {kind: Thing}
  patch: '[{"op": "add", "path": "/spec/b", "value": {"e": 1}}]'
- target: {kind: Thing}
  patch: '[{"op": "add", "path": "/spec/b", "value": {"f": 2}}]'
`,
			want: `
Thing one: spec.b.f = 2 | json-patch kustomization.yaml#patches.1.patch:1:50
Thing one: spec.b.c gone | json-patch kustomization.yaml#patches.0.patch:1:9 | resource p.yaml:7:10
Thing one: spec.b.d gone | json-patch kustomization.yaml#patches.0.patch:1:9 | resource p.yaml:7:16
Thing one: spec.b.e gone | json-patch kustomization.yaml#patches.1.patch:1:9 | json-patch kustomization.yaml#patches.0.patch:1:50
`,
		},
		{
			name: "a map that is removed and set again: what it had is gone",
			files: object + `
-- kustomization.yaml --
resources: [p.yaml]
patches:
- target: {kind: Thing}
  patch: '[{"op": "remove", "path": "/spec/b/c"}, {"op": "remove", "path": "/spec/b"}]'
- target: {kind: Thing}
  patch: '[{"op": "add", "path": "/spec/b", "value": {"e": {}}}]'
`,
			want: `
Thing one: spec.b.e = {} | json-patch kustomization.yaml#patches.1.patch:1:50
Thing one: spec.b.c gone | json-patch kustomization.yaml#patches.0.patch:1:9 | resource p.yaml:7:10
Thing one: spec.b.d gone | json-patch kustomization.yaml#patches.0.patch:1:48 | resource p.yaml:7:16
`,
		},
		{
			name: "the last annotation is removed, another one added by a plugin",
			files: `
-- kustomization.yaml --
resources: [base]
transformers:
- |-
  apiVersion: builtin
  kind: AnnotationsTransformer
  metadata: {name: any}
  annotations: {b: "2"}
  fieldSpecs: [{path: metadata/annotations, create: true}]
-- base/kustomization.yaml --
resources: [p.yaml]
patchesJson6902:
- target: {version: v1, group: example.com, kind: Thing, name: one}
  patch: '[{"op": "remove", "path": "/metadata/annotations/a"}]'
-- base/p.yaml --
apiVersion: example.com/v1
kind: Thing
metadata:
  name: one
  annotations: {a: "1"}
`,
			want: `
Thing one: metadata.annotations.b = 2 | transformer kustomization.yaml#transformers.0:4:18
Thing one: metadata.annotations.a gone | json-patch base/kustomization.yaml#patchesJson6902.0.patch:1:9 | resource base/p.yaml:5:20
`,
		},
		{
			name: "null for what is not there",
			files: object + `
-- kustomization.yaml --
resources: [p.yaml]
patches:
- target: {kind: Thing}
  patch: '[{"op": "copy", "from": "/spec/not", "path": "/spec/copied"}, {"op": "add", "path": "/spec/added"}]'
`,
			want: `
Thing one: spec.added = null | json-patch
Thing one: spec.copied = null | json-patch
`,
		},
	} {
		t.Run(c.name, c.run)
	}
}

func TestGenerators(t *testing.T) {
	for _, c := range []chain{
		{
			name: "literals, files and envs, a hash and a reference to it",
			files: deployment + `
-- kustomization.yaml --
resources: [d.yaml]
configMapGenerator:
- name: cm
  literals: [a=b, "q='r'"]
  files: [f.txt, k=sub/g.txt]
  envs: [e.env]
  options: {labels: {own: x}}
generatorOptions: {labels: {all: "y"}, immutable: true}
patches:
- target: {kind: Deployment}
  patch: |-
    - {op: add, path: /spec/template/spec/containers/0/envFrom, value: [{configMapRef: {name: cm}}]}
-- f.txt --
text
-- sub/g.txt --
more
-- e.env --
# comment
 E=1
`,
			want: `
Deployment web: spec.template.spec.containers.0.envFrom.0.configMapRef.name = cm-d2ff87d9c8 | reference kustomization.yaml#patches.0.patch:1:91 + kustomization.yaml#configMapGenerator.0.name ~ ConfigMap cm-d2ff87d9c8: metadata.name | json-patch kustomization.yaml#patches.0.patch:1:91
ConfigMap cm-d2ff87d9c8: apiVersion = v1 | generator
ConfigMap cm-d2ff87d9c8: kind = ConfigMap | generator
ConfigMap cm-d2ff87d9c8: metadata.name = cm-d2ff87d9c8 | hash kustomization.yaml#configMapGenerator.0.name ~ ConfigMap cm-d2ff87d9c8: data.E ~ ConfigMap cm-d2ff87d9c8: data.a ~ ConfigMap cm-d2ff87d9c8: data.f.txt ~ ConfigMap cm-d2ff87d9c8: data.k ~ ConfigMap cm-d2ff87d9c8: data.q | generator kustomization.yaml#configMapGenerator.0.name
ConfigMap cm-d2ff87d9c8: metadata.labels.all = y | generator kustomization.yaml#generatorOptions.labels.all
ConfigMap cm-d2ff87d9c8: metadata.labels.own = x | generator kustomization.yaml#configMapGenerator.0.options.labels.own
ConfigMap cm-d2ff87d9c8: data.E = 1 | generator e.env:2[3,4] + kustomization.yaml#configMapGenerator.0.envs.0
ConfigMap cm-d2ff87d9c8: data.a = b | generator kustomization.yaml#configMapGenerator.0.literals.0[2,3]
ConfigMap cm-d2ff87d9c8: data.f.txt = text\n | generator f.txt:1 + kustomization.yaml#configMapGenerator.0.files.0
ConfigMap cm-d2ff87d9c8: data.k = more\n | generator sub/g.txt:1 + kustomization.yaml#configMapGenerator.0.files.1
ConfigMap cm-d2ff87d9c8: data.q = r | generator kustomization.yaml#configMapGenerator.0.literals.1[3,4]
ConfigMap cm-d2ff87d9c8: immutable = true | generator kustomization.yaml#generatorOptions.immutable
`,
		},
		{
			name: "merged into a generated one and replacing one that was read",
			files: `
-- kustomization.yaml --
resources: [base]
configMapGenerator:
- {name: cm, behavior: merge, literals: [a=2, new=n]}
secretGenerator:
- {name: s, behavior: replace, literals: [x=y], type: own}
-- base/kustomization.yaml --
resources: [s.yaml]
configMapGenerator:
- {name: cm, literals: [a=1, b=1], options: {disableNameSuffixHash: true, labels: {l: m}}}
-- base/s.yaml --
apiVersion: v1
kind: Secret
metadata: {name: s, labels: {k: v}}
data: {old: eA==}
`,
			want: `
Secret s: apiVersion = v1 | generator
Secret s: kind = Secret | generator
Secret s: type = own | generator kustomization.yaml#secretGenerator.0.type
Secret s: data.x = eQ== | generator kustomization.yaml#secretGenerator.0.literals.0[2,3]
Secret s: data.old gone | generator kustomization.yaml#secretGenerator.0.behavior | resource base/s.yaml:4:13
ConfigMap cm: apiVersion = v1 | generator
ConfigMap cm: kind = ConfigMap | generator
ConfigMap cm: metadata.name = cm | generator base/kustomization.yaml#configMapGenerator.0.name
ConfigMap cm: metadata.labels.l = m | generator base/kustomization.yaml#configMapGenerator.0.options.labels.l
ConfigMap cm: data.a = 2 | generator kustomization.yaml#configMapGenerator.0.literals.0[2,3] | generator base/kustomization.yaml#configMapGenerator.0.literals.0[2,3]
ConfigMap cm: data.b = 1 | generator base/kustomization.yaml#configMapGenerator.0.literals.1[2,3]
ConfigMap cm: data.new = n | generator kustomization.yaml#configMapGenerator.0.literals.1[4,5]
`,
		},
		{
			name: "merged into one that lost an entry before",
			files: `
-- kustomization.yaml --
resources: [base]
configMapGenerator: [{name: cm, behavior: merge, literals: [b=2], options: {disableNameSuffixHash: true}}]
-- base/kustomization.yaml --
resources: [cm.yaml]
patches:
- target: {kind: ConfigMap}
  patch: '[{"op": "remove", "path": "/data/a"}]'
-- base/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data: {a: "1", b: "1"}
`,
			want: `
ConfigMap cm: apiVersion = v1 | generator
ConfigMap cm: kind = ConfigMap | generator
ConfigMap cm: data.b = 2 | generator kustomization.yaml#configMapGenerator.0.literals.0[2,3] | resource base/cm.yaml:4:19
ConfigMap cm: data.a gone | json-patch base/kustomization.yaml#patches.0.patch:1:9 | resource base/cm.yaml:4:11
`,
		},
		{
			name: "references to a name with a prefix",
			files: `
-- kustomization.yaml --
resources: [all.yaml]
namePrefix: p-
namespace: ns
-- all.yaml --
apiVersion: v1
kind: ServiceAccount
metadata: {name: sa}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: r}
subjects:
- kind: ServiceAccount
  name: sa
`,
			want: `
ServiceAccount p-sa: metadata.name = p-sa | transformer kustomization.yaml#namePrefix + all.yaml:3:18 | resource all.yaml:3:18
ServiceAccount p-sa: metadata.namespace = ns | transformer kustomization.yaml#namespace
RoleBinding p-r: metadata.name = p-r | transformer kustomization.yaml#namePrefix + all.yaml:7:18 | resource all.yaml:7:18
RoleBinding p-r: metadata.namespace = ns | transformer kustomization.yaml#namespace
RoleBinding p-r: subjects.0.name = p-sa | reference all.yaml:10:9 + kustomization.yaml#namePrefix + all.yaml:3:18 ~ ServiceAccount p-sa: metadata.name | resource all.yaml:10:9
RoleBinding p-r: subjects.0.namespace = ns | reference kustomization.yaml#namespace ~ ServiceAccount p-sa: metadata.namespace
`,
		},
		{
			name: "a reference to a name that nobody changes is from where it is written",
			files: `
-- kustomization.yaml --
resources: [all.yaml]
namespace: ns
-- all.yaml --
apiVersion: v1
kind: ServiceAccount
metadata: {name: sa}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: r}
subjects:
- kind: ServiceAccount
  name: sa
  namespace: ns
`,
			want: `
ServiceAccount sa: metadata.namespace = ns | transformer kustomization.yaml#namespace
RoleBinding r: metadata.namespace = ns | transformer kustomization.yaml#namespace
`,
		},
		{
			name: "a reference whose name is changed below and read again above",
			files: `
-- kustomization.yaml --
resources: [base]
namespace: ns
-- base/kustomization.yaml --
resources: [all.yaml]
namePrefix: p-
-- base/all.yaml --
apiVersion: v1
kind: ServiceAccount
metadata: {name: sa, namespace: old}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: r, namespace: old}
subjects:
- kind: ServiceAccount
  name: sa
  namespace: old
`,
			want: `
ServiceAccount p-sa: metadata.name = p-sa | transformer base/kustomization.yaml#namePrefix + base/all.yaml:3:18 | resource base/all.yaml:3:18
ServiceAccount p-sa: metadata.namespace = ns | transformer kustomization.yaml#namespace | resource base/all.yaml:3:33
RoleBinding p-r: metadata.name = p-r | transformer base/kustomization.yaml#namePrefix + base/all.yaml:7:18 | resource base/all.yaml:7:18
RoleBinding p-r: metadata.namespace = ns | transformer kustomization.yaml#namespace | resource base/all.yaml:7:32
RoleBinding p-r: subjects.0.name = p-sa | reference base/all.yaml:10:9 + base/kustomization.yaml#namePrefix + base/all.yaml:3:18 ~ ServiceAccount p-sa: metadata.name | resource base/all.yaml:10:9
RoleBinding p-r: subjects.0.namespace = ns | reference base/all.yaml:11:14 + kustomization.yaml#namespace ~ ServiceAccount p-sa: metadata.namespace | resource base/all.yaml:11:14
`,
		},
	} {
		t.Run(c.name, c.run)
	}
}

func TestReplacements(t *testing.T) {
	for _, c := range []chain{
		{
			name: "a whole value, a part and a tree",
			files: object + deployment + `
-- kustomization.yaml --
resources: [p.yaml, d.yaml]
replacements:
- source: {kind: Thing, fieldPath: spec.b.c}
  targets:
  - select: {kind: Deployment}
    fieldPaths: [spec.template.spec.nodeSelector.disk]
  - select: {kind: Deployment}
    fieldPaths: [metadata.annotations.made]
    options: {create: true}
- source: {kind: Thing, fieldPath: spec.a}
  targets:
  - select: {kind: Deployment}
    fieldPaths: [spec.template.spec.containers.0.image]
    options: {delimiter: ":", index: 1}
- source: {kind: Thing, fieldPath: spec.b}
  targets:
  - select: {kind: Deployment}
    fieldPaths: [spec.template.spec.tree]
    options: {create: true}
- sourceValue: fixed
  targets:
  - select: {kind: Deployment}
    fieldPaths: [spec.template.spec.nodeSelector.zone]
`,
			want: `
Deployment web: metadata.annotations.made = x | replacement p.yaml:7:10 + kustomization.yaml#replacements.0 ~ Thing one: spec.b.c
Deployment web: spec.template.spec.containers.0.image = nginx:1 | replacement p.yaml:6:6 + kustomization.yaml#replacements.1 + d.yaml:12:16 ~ Thing one: spec.a | resource d.yaml:12:16
Deployment web: spec.template.spec.nodeSelector.disk = x | replacement p.yaml:7:10 + kustomization.yaml#replacements.0 ~ Thing one: spec.b.c | resource d.yaml:19:15
Deployment web: spec.template.spec.nodeSelector.zone = fixed | replacement kustomization.yaml#replacements.3.sourceValue + kustomization.yaml#replacements.3 | resource d.yaml:20:15
Deployment web: spec.template.spec.tree.c = x | replacement p.yaml:7:10 + kustomization.yaml#replacements.2 ~ Thing one: spec.b.c
Deployment web: spec.template.spec.tree.d = y | replacement p.yaml:7:16 + kustomization.yaml#replacements.2 ~ Thing one: spec.b.d
`,
		},
		{
			name: "a tree for a tree: what the one lost the other never had",
			files: `
-- kustomization.yaml --
resources: [all.yaml]
patches:
- target: {name: from}
  patch: '[{"op": "remove", "path": "/spec/b/gone"}]'
replacements:
- source: {kind: Thing, name: from, fieldPath: spec}
  targets:
  - select: {kind: Thing, name: to}
    fieldPaths: [spec]
-- all.yaml --
apiVersion: example.com/v1
kind: Thing
metadata: {name: from}
spec: {b: {c: x, gone: y}}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: to}
spec: {a: 1, b: {d: z}}
`,
			want: `
Thing from: spec.b.gone gone | json-patch kustomization.yaml#patches.0.patch:1:9 | resource all.yaml:4:24
Thing to: spec.b.c = x | replacement all.yaml:4:15 + kustomization.yaml#replacements.0 ~ Thing from: spec.b.c
Thing to: spec.a gone | replacement kustomization.yaml#replacements.0 | resource all.yaml:9:11
Thing to: spec.b.d gone | replacement kustomization.yaml#replacements.0 | resource all.yaml:9:21
`,
		},
		{
			name: "vars",
			files: `
-- kustomization.yaml --
resources: [all.yaml]
namePrefix: p-
vars:
- name: NAME
  objref: {apiVersion: v1, kind: Service, name: s}
-- all.yaml --
apiVersion: v1
kind: Service
metadata: {name: s}
---
apiVersion: v1
kind: Pod
metadata: {name: pod}
spec:
  containers:
  - name: c
    image: i
    args: [$(NAME), "--at=$(NAME).svc", $(OTHER)]
`,
			want: `
Service p-s: metadata.name = p-s | transformer kustomization.yaml#namePrefix + all.yaml:3:18 | resource all.yaml:3:18
Pod p-pod: metadata.name = p-pod | transformer kustomization.yaml#namePrefix + all.yaml:7:18 | resource all.yaml:7:18
Pod p-pod: spec.containers.0.args.0 = p-s | replacement kustomization.yaml#namePrefix + all.yaml:3:18 + kustomization.yaml#vars.0 + all.yaml:12:12 ~ Service p-s: metadata.name | resource all.yaml:12:12
Pod p-pod: spec.containers.0.args.1 = --at=p-s.svc | replacement kustomization.yaml#namePrefix + all.yaml:3:18 + kustomization.yaml#vars.0 + all.yaml:12:21 ~ Service p-s: metadata.name | resource all.yaml:12:21
`,
		},
	} {
		t.Run(c.name, c.run)
	}
}

func TestConfiguredPlugins(t *testing.T) {
	for _, c := range []chain{
		{
			name: "transformers and generators in files and inline",
			files: object + deployment + `
-- kustomization.yaml --
resources: [p.yaml, d.yaml]
generators: [gen.yaml]
transformers:
- t.yaml
- |-
  apiVersion: builtin
  kind: AnnotationsTransformer
  metadata: {name: any}
  annotations: {a: b}
  fieldSpecs: [{path: metadata/annotations, create: true}]
-- gen.yaml --
apiVersion: builtin
kind: ConfigMapGenerator
metadata: {name: gen}
literals: [a=b]
options: {disableNameSuffixHash: true}
-- t.yaml --
apiVersion: builtin
kind: NamespaceTransformer
metadata: {name: any, namespace: ns}
---
apiVersion: builtin
kind: PrefixSuffixTransformer
metadata: {name: any}
prefix: p-
suffix: -s
fieldSpecs: [{path: metadata/name}]
---
apiVersion: builtin
kind: ImageTagTransformer
metadata: {name: any}
imageTag: {name: nginx, newTag: "2"}
---
apiVersion: builtin
kind: PatchTransformer
metadata: {name: any}
target: {kind: Thing}
patch: |-
  - op: replace
    path: /spec/a
    value: 5
---
apiVersion: builtin
kind: ReplicaCountTransformer
metadata: {name: any}
replica: {name: web, count: 7}
fieldSpecs: [{path: spec/replicas, create: true, kind: Deployment}]
`,
			want: `
Thing p-one-s: metadata.name = p-one-s | transformer t.yaml:9:9 + t.yaml:8:9 + p.yaml:4:9 | transformer t.yaml:8:9 + p.yaml:4:9 | resource p.yaml:4:9
Thing p-one-s: metadata.namespace = ns | transformer t.yaml:3:34
Thing p-one-s: metadata.annotations.a = b | transformer kustomization.yaml#transformers.1:4:18
Thing p-one-s: spec.a = 5 | json-patch t.yaml@3#patch:3:10 | resource p.yaml:6:6
Deployment p-web-s: metadata.name = p-web-s | transformer t.yaml:9:9 + t.yaml:8:9 + d.yaml:4:9 | transformer t.yaml:8:9 + d.yaml:4:9 | resource d.yaml:4:9
Deployment p-web-s: metadata.namespace = ns | transformer t.yaml:3:34
Deployment p-web-s: metadata.annotations.a = b | transformer kustomization.yaml#transformers.1:4:18
Deployment p-web-s: spec.replicas = 7 | transformer t.yaml:29:29 | resource d.yaml:7:13
Deployment p-web-s: spec.template.spec.containers.0.image = nginx:2 | transformer t.yaml:15:33 + d.yaml:12:16 | resource d.yaml:12:16
ConfigMap p-gen-s: apiVersion = v1 | generator
ConfigMap p-gen-s: kind = ConfigMap | generator
ConfigMap p-gen-s: metadata.name = p-gen-s | transformer t.yaml:9:9 + t.yaml:8:9 + gen.yaml:3:18 | transformer t.yaml:8:9 + gen.yaml:3:18 | generator gen.yaml:3:18
ConfigMap p-gen-s: metadata.namespace = ns | transformer t.yaml:3:34
ConfigMap p-gen-s: metadata.annotations.a = b | transformer kustomization.yaml#transformers.1:4:18
ConfigMap p-gen-s: data.a = b | generator gen.yaml:4:12[2,3]
`,
		},
		{
			name: "a service account for a policy",
			files: `
-- kustomization.yaml --
generators: [gen.yaml]
-- gen.yaml --
apiVersion: builtin
kind: IAMPolicyGenerator
metadata: {name: any}
cloud: gke
kubernetesService: {name: k8s, namespace: ns}
serviceAccount: {name: gsa, projectId: project}
`,
			want: `
ServiceAccount k8s: apiVersion = v1 | generator
ServiceAccount k8s: kind = ServiceAccount | generator
ServiceAccount k8s: metadata.name = k8s | generator gen.yaml:5:27
ServiceAccount k8s: metadata.namespace = ns | generator gen.yaml:5:43
ServiceAccount k8s: metadata.annotations.config.kubernetes.io/origin = configuredIn: gen.yaml\nconfiguredBy:\n  apiVersion: builtin\n  kind: IAMPolicyGenerator\n  name: any\n | transformer
ServiceAccount k8s: metadata.annotations.iam.gke.io/gcp-service-account = gsa@project.iam.gserviceaccount.com | generator gen.yaml:6:24 + gen.yaml:6:40
`,
		},
	} {
		t.Run(c.name, c.run)
	}
}

func TestFlux(t *testing.T) {
	for _, c := range []chain{
		{
			name: "what the Flux object adds",
			files: object + `
-- kustomization.yaml --
resources: [p.yaml]
namespace: theirs
patches:
- target: {kind: Thing}
  patch: '[{"op": "replace", "path": "/spec/b/c", "value": "z"}]'
`,
			flux: flux.Kustomization{
				Name:            "flux",
				TargetNamespace: "ns",
				NamePrefix:      "p-",
				Patches: []flux.Patch{{
					Patch:  "- op: replace\n  path: /spec/a\n  value: 2\n",
					Target: &flux.Selector{Kind: "Thing"},
				}},
			},
			want: `
Thing p-one: metadata.name = p-one | transformer flux.yaml@2#spec.namePrefix + p.yaml:4:9 | resource p.yaml:4:9
Thing p-one: metadata.namespace = ns | transformer flux.yaml@2#spec.targetNamespace
Thing p-one: spec.a = 2 | json-patch flux.yaml@2#spec.patches.0.patch:3:10 | resource p.yaml:6:6
Thing p-one: spec.b.c = z | json-patch kustomization.yaml#patches.0.patch:1:50 | resource p.yaml:7:10
`,
		},
		{
			name: "variables",
			files: `
-- kustomization.yaml --
resources: [cm.yaml]
-- cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data:
  plain: text
  one: ${a}
  two: "${a}-${b}-${c:=d}"
  none: $${a}
spec:
  number: ${n}
  map: ${m}
  list: ["${a}", x]
`,
			flux: flux.Kustomization{
				Name:      "flux",
				PostBuild: &flux.PostBuild{Substitute: map[string]string{"a": "A", "b": "B", "n": "5", "m": "{x: y}"}},
			},
			want: `
ConfigMap cm: data.none = ${a} | variable cm.yaml:8:9 | resource cm.yaml:8:9
ConfigMap cm: data.one = A | variable cm.yaml:6:8 + flux.yaml@2#spec.postBuild.substitute.a | resource cm.yaml:6:8
ConfigMap cm: data.two = A-B-d | variable cm.yaml:7:8 + flux.yaml@2#spec.postBuild.substitute.a + flux.yaml@2#spec.postBuild.substitute.b | resource cm.yaml:7:8
ConfigMap cm: spec.list.0 = A | variable cm.yaml:12:10 + flux.yaml@2#spec.postBuild.substitute.a | resource cm.yaml:12:10
ConfigMap cm: spec.map.x = true | variable cm.yaml:11:8 + flux.yaml@2#spec.postBuild.substitute.m | resource cm.yaml:11:8
ConfigMap cm: spec.number = 5 | variable cm.yaml:10:11 + flux.yaml@2#spec.postBuild.substitute.n | resource cm.yaml:10:11
`,
		},
		{
			name: "a variable that goes on in another value",
			files: `
-- kustomization.yaml --
resources: [cm.yaml]
-- cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data:
  a: x${none:=y
  b: z}
`,
			flux: flux.Kustomization{
				Name:      "flux",
				PostBuild: &flux.PostBuild{Substitute: map[string]string{"a": "A"}},
			},
			want: `
ConfigMap cm: data.a = xy | variable | resource cm.yaml:5:6
ConfigMap cm: data.b = z | variable | resource cm.yaml:6:6
`,
		},
		{
			name:  "without a kustomization",
			files: object,
			flux:  flux.Kustomization{Name: "flux", TargetNamespace: "ns"},
			want: `
Thing one: metadata.namespace = ns | transformer flux.yaml@2#spec.targetNamespace
`,
		},
	} {
		t.Run(c.name, c.run)
	}
}

// A hostile patch costs no more than its length: it is told in a bounded number of places.
func TestManyCopies(t *testing.T) {
	var patch strings.Builder
	for range 2000 {
		patch.WriteString("- {op: copy, from: /spec/a, path: /spec/b}\n- {op: copy, from: /spec/b, path: /spec/a}\n")
	}
	files := archive(object + `
-- kustomization.yaml --
resources: [p.yaml]
patches: [{target: {kind: Thing}, path: patch.yaml}]
`)
	files["patch.yaml"] = []byte(patch.String())
	result, err := Run(tree.New(files, nil).NewLayer(), Options{Path: ".", Objects: true})
	if err != nil {
		t.Fatal(err)
	}
	if size := len(result.Traces); size > 40<<20 {
		t.Errorf("%d bytes of traces", size)
	}
}
