package session

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"customizer-lint/engine/frame"
)

// answerOf is what the tests look at in an answer.
type answerOf struct {
	OK     bool
	SHA256 string
	YAML   string
	Error  struct {
		Message, Stage, Class, File, Kustomization string
		Field                                      []any
		Line                                       int
		Document                                   *int
	}
	Files   []string
	Objects []struct {
		Value   map[string]any
		Source  int
		Origin  string
		Dropped string
	}
	Sources []struct {
		File           string
		Document, Line int
		Inside         []any
	}
	Steps []struct {
		Kustomization     string
		Field             []any
		Kind              string
		Selected, Changed int
	}
	Dropped []struct {
		File string
		Path []any
	}
	UndefinedVariables []string
	Lost               []map[string]string
	Documents          []struct{ Source int }
	Failures           []struct{ File, Message string }
}

func call(t *testing.T, s *Session, header map[string]any, files map[string]string) answerOf {
	t.Helper()
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	chunks := frame.Append(nil, text)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		chunks = frame.Append(frame.Append(chunks, []byte(name)), []byte(files[name]))
	}
	var a answerOf
	if err := json.Unmarshal(s.Call(chunks), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// build loads the files and builds the root.
func build(t *testing.T, files map[string]string, kustomization map[string]any) answerOf {
	t.Helper()
	var s Session
	call(t, &s, map[string]any{"op": "load"}, files)
	return call(t, &s, map[string]any{"op": "build", "path": ".", "kustomization": kustomization, "output": "objects"}, nil)
}

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cm\ndata:\n  k: v\n"

func TestWhereABuildFails(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		spec  map[string]any
		// want is stage, class, file, kustomization, field and, if the parser names a line, document:line.
		want string
	}{
		"no such path":              {map[string]string{"x/a.yaml": configMap}, nil, ""},
		"broken root":               {map[string]string{"kustomization.yaml": "resources: [\n"}, nil, "prepare - kustomization.yaml - [] 0:1"},
		"broken manifest, no root":  {map[string]string{"sub/a.yaml": configMap + "---\na: b\n c: d\n"}, nil, "prepare - sub/a.yaml - [] 1:2"},
		"values file, no root":      {map[string]string{"a.yaml": configMap, "values.yaml": "a: 1\n"}, nil, "prepare - values.yaml - []"},
		"broken base":               {map[string]string{"kustomization.yaml": "resources: [base]\n", "base/kustomization.yaml": "a: [\n"}, nil, "build - base/kustomization.yaml kustomization.yaml [resources 0] 0:1"},
		"misspelt key below":        {map[string]string{"kustomization.yaml": "resources: [a.yaml, base]\n", "a.yaml": configMap, "base/kustomization.yaml": "resource: [b.yaml]\n"}, nil, "build - base/kustomization.yaml kustomization.yaml [resources 1]"},
		"missing file":              {map[string]string{"kustomization.yaml": "resources: [a.yaml, nope.yaml]\n", "a.yaml": configMap}, nil, "build missing-path - kustomization.yaml [resources 1]"},
		"missing file of a base":    {map[string]string{"kustomization.yaml": "resources: [base]\n", "base/kustomization.yaml": "resources: [nope.yaml]\n"}, nil, "build missing-path - base/kustomization.yaml [resources 0]"},
		"missing base, legacy":      {map[string]string{"kustomization.yaml": "resources: [a.yaml]\nbases: [nope]\n", "a.yaml": configMap}, nil, "build missing-path - kustomization.yaml [bases 0]"},
		"base without one":          {map[string]string{"kustomization.yaml": "resources: [base]\n", "base/a.yaml": configMap}, nil, "build - - kustomization.yaml [resources 0]"},
		"missing component":         {map[string]string{"kustomization.yaml": "components: [nope]\n"}, nil, "build missing-path - kustomization.yaml [components 0]"},
		"missing component of Flux": {map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": configMap}, map[string]any{"components": []string{"nope"}}, "build missing-path - - [spec components 0]"},
		"outside":                   {map[string]string{"kustomization.yaml": "resources: [/etc/passwd]\n"}, nil, "build escape - kustomization.yaml [resources 0]"},
		"outside, patch":            {map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches:\n- path: ../../x.yaml\n", "a.yaml": configMap}, nil, "build escape - kustomization.yaml [patches 0]"},
		"remote base":               {map[string]string{"kustomization.yaml": "resources: ['https://github.com/a/b//c?ref=v1']\n"}, nil, "build remote-base - kustomization.yaml [resources 0]"},
		"remote base, short":        {map[string]string{"kustomization.yaml": "resources: ['github.com/a/b']\n"}, nil, "build remote-base - kustomization.yaml [resources 0]"},
		"remote file of a generator": {map[string]string{"kustomization.yaml": "configMapGenerator:\n- name: a\n  literals: [a=b]\n- name: b\n  files: ['x=https://example.org/x']\n"}, nil,
			"build remote-base - kustomization.yaml [configMapGenerator 1]"},
		"broken manifest":          {map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": configMap + "---\n" + configMap + "---\na: b\n c: d\n"}, nil, "build - a.yaml kustomization.yaml [resources 0] 2:2"},
		"the same twice":           {map[string]string{"kustomization.yaml": "resources: [a.yaml, b.yaml]\n", "a.yaml": configMap, "b.yaml": configMap}, nil, "build - b.yaml kustomization.yaml [resources 1]"},
		"patch, missing":           {map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches:\n- patch: |\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: cm}\n- path: nope.yaml\n", "a.yaml": configMap}, nil, "build missing-path - kustomization.yaml [patches 1]"},
		"patch, broken":            {map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{path: p.yaml}]\n", "a.yaml": configMap, "p.yaml": "a: b\n c: d\n"}, nil, "build - p.yaml kustomization.yaml [patches 0] 0:2"},
		"patch, inline and broken": {map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches:\n- patch: 'a: ['\n", "a.yaml": configMap}, nil, "build - kustomization.yaml kustomization.yaml [patches 0]"},
		"patch, without base":      {map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{path: p.yaml}]\n", "a.yaml": configMap, "p.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: x}\n"}, nil, "build - - kustomization.yaml [patches 0]"},
		"patch of Flux":            {map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches:\n- target: {kind: X}\n  patch: '[{\"op\": \"remove\", \"path\": \"/x\"}]'\n", "a.yaml": configMap}, map[string]any{"patches": []any{map[string]any{"patch": "apiVersion: v1\nkind: Secret\nmetadata: {name: x}\n"}}}, "build - - - [spec patches 0]"},
		"patch, operation fails":   {map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: '[{\"op\": \"remove\", \"path\": \"/x\"}]'\n", "a.yaml": configMap}, nil, "build - - kustomization.yaml [patches 0]"},
		"replacement":              {map[string]string{"kustomization.yaml": "resources: [a.yaml]\nreplacements:\n- path: r.yaml\n- source: {kind: Nope}\n  targets: [{select: {kind: ConfigMap}}]\n", "a.yaml": configMap, "r.yaml": "- source: {kind: ConfigMap}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.k]}]\n- source: {kind: ConfigMap}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.k]}]\n"}, nil, "build - - kustomization.yaml [replacements 1]"},
		"generator":                {map[string]string{"kustomization.yaml": "configMapGenerator:\n- {name: a, literals: [a=b]}\n- {name: a, literals: [a=b]}\n"}, nil, "build - - kustomization.yaml [configMapGenerator 1]"},
		"configurations":           {map[string]string{"kustomization.yaml": "resources: [a.yaml]\nconfigurations: [nope.yaml]\n", "a.yaml": configMap}, nil, "build missing-path - kustomization.yaml [configurations]"},
		"helm chart":               {map[string]string{"kustomization.yaml": "helmCharts: [{name: x}]\n"}, nil, "build plugin - kustomization.yaml [helmCharts 0]"},
		"plugin":                   {map[string]string{"kustomization.yaml": "resources: [a.yaml]\ntransformers: [t.yaml]\n", "a.yaml": configMap, "t.yaml": "apiVersion: x/v1\nkind: Own\nmetadata: {name: t}\n"}, nil, "build plugin - kustomization.yaml []"},
		"no apiVersion":            {map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "kind: X\nmetadata: {name: x}\n"}, nil, "build - a.yaml kustomization.yaml []"},
		"a component elsewhere":    {map[string]string{"a.yaml": configMap}, map[string]any{"components": []string{"https://x"}}, "prepare - - - [spec components 0]"},
		"a variable's name":        {map[string]string{"a.yaml": configMap}, map[string]any{"postBuild": map[string]any{"substitute": map[string]string{"a-b": "c"}}}, "substitute - a.yaml - [spec postBuild substitute a-b]"},
		"variables":                {map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: \"${\"}\n"}, map[string]any{"postBuild": map[string]any{"substitute": map[string]string{"a": "b"}}}, "substitute - a.yaml - []"},
	} {
		t.Run(name, func(t *testing.T) {
			var s Session
			call(t, &s, map[string]any{"op": "load"}, c.files)
			path := "."
			if name == "no such path" {
				path, c.want = "nope", "prepare missing-path - - []"
			}
			a := call(t, &s, map[string]any{"op": "build", "path": path, "kustomization": c.spec, "output": "digest"}, nil)
			if a.OK {
				t.Fatal("built")
			}
			dash := func(s string) string {
				if s == "" {
					return "-"
				}
				return s
			}
			e := a.Error
			got := strings.Join([]string{e.Stage, dash(e.Class), dash(e.File), dash(e.Kustomization), fmt.Sprint(e.Field)}, " ")
			if e.Document != nil {
				got += fmt.Sprintf(" %d:%d", *e.Document, e.Line)
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s\n%s", got, c.want, e.Message)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	bomb := "x0: &x0 [a, a, a, a, a, a, a, a, a, a]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("x%d: &x%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*x%d, ", i), 10), ", "))
	}
	grow := "resources: [a.yaml]\nreplacements:\n"
	copies := "["
	for i := range 40 {
		grow += fmt.Sprintf("- source: {kind: ConfigMap, fieldPath: data}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.x%d], options: {create: true}}]\n", i)
		copies += fmt.Sprintf(`{"op": "copy", "from": "/data", "path": "/data/x%d"},`, i)
	}
	copies = strings.TrimSuffix(copies, ",") + "]"
	twice := map[string]string{}
	for i := range 30 {
		twice[fmt.Sprintf("b%d/kustomization.yaml", i)] = fmt.Sprintf("resources: [l, r]\n")
		for _, side := range []string{"l", "r"} {
			twice[fmt.Sprintf("b%d/%s/kustomization.yaml", i, side)] = fmt.Sprintf("namePrefix: %s\nresources: [../../b%d]\n", side, i+1)
		}
	}
	twice["b30/kustomization.yaml"] = "resources: [a.yaml]\n"
	twice["b30/a.yaml"] = "apiVersion: v1\nkind: List\nitems: []\n"
	twice["kustomization.yaml"] = "resources: [b0]\n"

	for name, c := range map[string]struct {
		files map[string]string
		spec  map[string]any
		want  string
	}{
		"aliases of aliases":            {map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": configMap + bomb}, nil, "nodes with its aliases expanded"},
		"an anchor in itself":           {map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": configMap + "x: &x [*x]\n"}, nil, "an anchor of the document contains itself"},
		"brackets in a manifest":        {map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": configMap + "x: " + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "\n"}, nil, "exceeded max depth"},
		"brackets in the kustomization": {map[string]string{"kustomization.yaml": "resources: " + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "\n"}, nil, "exceeded max depth"},
		"documents":                     {map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": strings.Repeat("# x\n---\n", 20_001)}, nil, "20002 documents"},
		"a replacement of itself":       {map[string]string{"kustomization.yaml": grow, "a.yaml": configMap}, nil, "an object has more than"},
		"copies of copies":              {map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: '" + copies + "'\n", "a.yaml": configMap}, nil, "accumulated size"},
		"bases twice at every level":    {twice, nil, "more than 50000 kustomizations"},
		"variables of variables":        {map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: \"" + strings.Repeat("${a}", 2_000) + "\"}\n"}, map[string]any{"postBuild": map[string]any{"substitute": map[string]string{"a": strings.Repeat("x", 10_000)}}}, "variables expand to more than"},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && strings.Contains(name, "at every level") {
				t.Skip("50,000 kustomizations take seconds: --samples=6 builds them")
			}
			a := build(t, c.files, c.spec)
			if a.OK || a.Error.Stage != "limit" || a.Error.Class != "limit" || !strings.Contains(a.Error.Message, c.want) {
				t.Errorf("%+v", a.Error)
			}
		})
	}
}

func TestRefusedFiles(t *testing.T) {
	var s Session
	call(t, &s, map[string]any{"op": "load", "refused": map[string]string{"big.yaml": "it has 10 MiB"}}, map[string]string{"kustomization.yaml": "resources: [a.yaml, big.yaml]\n", "a.yaml": configMap})
	a := call(t, &s, map[string]any{"op": "build", "path": ".", "output": "digest"}, nil)
	if a.Error.Stage != "limit" || a.Error.File != "big.yaml" || a.Error.Message != "big.yaml is not read: it has 10 MiB" {
		t.Errorf("%+v", a.Error)
	}
	if want := []string{"a.yaml", "big.yaml", "kustomization.yaml"}; !slices.Equal(a.Files, want) {
		t.Errorf("files %q, want %q", a.Files, want)
	}
}

func TestSteps(t *testing.T) {
	a := build(t, map[string]string{
		"kustomization.yaml":      "namespace: web\nresources: [base]\npatches:\n- target: {kind: Nope}\n  patch: '[{\"op\": \"remove\", \"path\": \"/x\"}]'\n- path: same.yaml\n- target: {kind: ConfigMap}\n  path: other.yaml\n- target: {name: cm}\n  patch: '[{\"op\": \"replace\", \"path\": \"/data/k\", \"value\": \"v\"}]'\n- target: {kind: Secret}\n  patch: \"{apiVersion: v1, kind: Secret, metadata: {name: s}, $patch: delete}\"\nreplacements:\n- path: r.yaml\n- source: {kind: ConfigMap, name: cm}\n  targets: [{select: {kind: Nope}, fieldPaths: [x]}]\nimages:\n- {name: a, newTag: b}\nlabels:\n- pairs: {a: b}\n",
		"base/kustomization.yaml": "resources: [a.yaml]\nnamePrefix: x-\n",
		"base/a.yaml":             strings.Replace(configMap, "name: cm", "name: why", 1) + "---\n" + configMap + "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\n",
		"same.yaml":               configMap,
		"other.yaml":              "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: any}\ndata: {new: x}\n",
		"r.yaml":                  "- source: {kind: ConfigMap, name: cm, fieldPath: data.k}\n  targets: [{select: {name: why}, fieldPaths: [data.new]}]\n",
	}, map[string]any{
		"images":  []any{map[string]any{"name": "a", "newTag": "c"}},
		"patches": []any{map[string]any{"target": map[string]any{"name": "x-why"}, "patch": "- {op: add, path: /data/z, value: z}\n"}},
	})
	if !a.OK {
		t.Fatal(a.Error.Message)
	}
	var got []string
	for _, s := range a.Steps {
		got = append(got, fmt.Sprintf("%s %v %s %d/%d", s.Kustomization, s.Field, s.Kind, s.Changed, s.Selected))
	}
	want := []string{
		"base/kustomization.yaml [namePrefix] transformer 3/3",
		"kustomization.yaml [patches 0] patch 0/0",
		"kustomization.yaml [patches 1] patch 0/1",
		"kustomization.yaml [patches 2] patch 2/2",
		"kustomization.yaml [patches 3] patch 0/1",
		"kustomization.yaml [patches 4] patch 1/1",
		" [spec patches 0] patch 1/1",
		"kustomization.yaml [namespace] transformer 2/2",
		"kustomization.yaml [labels 0] transformer 2/2",
		" [spec images 0] transformer 0/2",
		"kustomization.yaml [replacements 0] replacement 1/1",
		"kustomization.yaml [replacements 1] replacement 0/0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestSources(t *testing.T) {
	a := build(t, map[string]string{
		"kustomization.yaml": "resources: [a.yaml]\npatches:\n- patch: |-\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: cm}\n    data: {p: q}\nconfigMapGenerator:\n- {name: gen, literals: [a=b]}\n",
		"a.yaml":             "# nothing\n---\n" + configMap + "--- # two\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\n",
	}, nil)
	if got, want := fmt.Sprint(a.Sources), "[{a.yaml 0 0 []} {a.yaml 1 2 []} {a.yaml 2 9 []} {kustomization.yaml 0 0 [patches 0 patch]}]"; got != want {
		t.Errorf("sources\n got %s\nwant %s", got, want)
	}
	var got []int
	for _, o := range a.Objects {
		got = append(got, o.Source)
	}
	if want := []int{1, 2, -1}; !slices.Equal(got, want) {
		t.Errorf("objects come from %v, want %v", got, want)
	}
	if want := `[1,1,1,[["apiVersion",1,1,1,[1,1,13]],["kind",1,2,1,[1,2,7]],["metadata",1,3,1,[1,4,3,[["name",1,4,3,[1,4,9]]]]],["data",1,5,1,[1,6,3,[["k",1,6,3,[1,6,6]],["p",3,4,8,[3,4,11]]]]]]]`; a.Objects[0].Origin != want {
		t.Errorf("origin\n got %s\nwant %s", a.Objects[0].Origin, want)
	}
}

func TestDroppedKeys(t *testing.T) {
	a := build(t, map[string]string{
		"kustomization.yaml": "Resources: [a.yaml]\nresource: [b.yaml]\nmetadata: {name: x, labels: {any: thing}, lables: {}}\npatches:\n- {path: p.yaml, traget: {kind: X}, target: {knd: Y}}\nlabels:\n- {pairs: {any: thing}, includeSelector: true}\nreplacements:\n- {source: {kind: ConfigMap, fieldpath: data.k, nam: x}, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.k]}]}\n",
		"a.yaml":             configMap, "p.yaml": configMap,
	}, nil)
	if !a.OK {
		t.Fatal(a.Error.Message)
	}
	var got []string
	for _, d := range a.Dropped {
		got = append(got, d.File+fmt.Sprint(d.Path))
	}
	want := []string{
		"kustomization.yaml[labels 0 includeSelector]",
		"kustomization.yaml[metadata lables]",
		"kustomization.yaml[patches 0 target knd]",
		"kustomization.yaml[patches 0 traget]",
		"kustomization.yaml[replacements 0 source nam]",
		"kustomization.yaml[resource]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestUndefinedVariables(t *testing.T) {
	files := map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: \"${a}\", b: \"${b}\", c: \"${c:-d}\", d: \"${b^^}\"}\n"}
	substitute := map[string]any{"substitute": map[string]string{"a": "1x"}}
	a := build(t, files, map[string]any{"postBuild": substitute})
	if got, want := fmt.Sprint(a.UndefinedVariables, a.Objects[0].Value["data"]), "[b] map[a:1x b:<nil> c:d d:<nil>]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	substitute["substituteFrom"] = []any{map[string]any{"kind": "ConfigMap", "name": "vars"}}
	a = build(t, files, map[string]any{"postBuild": substitute})
	if got, want := fmt.Sprint(a.UndefinedVariables, a.Objects[0].Value["data"]), "[b] map[a:1x b:${b} c:${c:-d} d:${b^^}]"; got != want {
		t.Errorf("the cluster may know: got %s, want %s", got, want)
	}
}

func TestDroppedObjectsAndItems(t *testing.T) {
	a := build(t, map[string]string{
		"kustomization.yaml": "resources: [a.yaml]\n",
		"a.yaml":             "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nmetadata: {name: x}\n---\napiVersion: x/v1\nkind: Thing\nmetadata: {name: t}\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: in}}\n- {kind: ConfigMap}\n",
	}, nil)
	var got []string
	for _, o := range a.Objects {
		got = append(got, fmt.Sprint(o.Value["kind"], o.Source, ":", o.Dropped))
	}
	want := []string{
		"Kustomization0:it is a kustomize configuration object",
		"Thing1:it is a list, its items are applied instead",
		"ConfigMap1:",
		"ConfigMap1:it has no apiVersion, kind or name",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestMarked(t *testing.T) {
	var s Session
	call(t, &s, map[string]any{"op": "load"}, map[string]string{"a.yaml": configMap})
	kustomization := map[string]any{"name": "k", "namespace": "n", "commonMetadata": map[string]any{"annotations": map[string]string{"a": "b"}}}
	a := call(t, &s, map[string]any{"op": "build", "path": ".", "kustomization": kustomization, "output": "objects", "marked": true}, nil)
	want := map[string]any{
		"name":        "cm",
		"labels":      map[string]any{"kustomize.toolkit.fluxcd.io/name": "k", "kustomize.toolkit.fluxcd.io/namespace": "n"},
		"annotations": map[string]any{"a": "b"},
	}
	if got := a.Objects[0].Value["metadata"]; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestReadTakesFilesAsTheyAre(t *testing.T) {
	var s Session
	call(t, &s, map[string]any{"op": "load"}, map[string]string{"a.yaml": configMap + "---\n- a\n- b\n---\njust: this\n", "b.yaml": "a: [\n"})
	a := call(t, &s, map[string]any{"op": "read", "files": []string{"a.yaml", "b.yaml", "nope.yaml"}}, nil)
	if got, want := fmt.Sprint(a.Documents, a.Sources), "[{0} {1} {2}] [{a.yaml 0 0 []} {a.yaml 1 7 []} {a.yaml 2 10 []} {b.yaml 0 0 []}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	want := "[{b.yaml MalformedYAMLError: yaml: line 1: did not find expected node content} {nope.yaml open nope.yaml: no such file or directory}]"
	if got := fmt.Sprint(a.Failures); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What one build tells kustomize for good must not reach the next.
func TestBuildsDoNotSeeEachOther(t *testing.T) {
	thing := "apiVersion: x/v1\nkind: Thing\nmetadata: {name: t}\nspec: {items: [{name: a, v: 1}, {name: b, v: 2}]}\n"
	patch := "apiVersion: x/v1\nkind: Thing\nmetadata: {name: t}\nspec: {items: [{name: b, v: 3}]}\n"
	schema := `{"definitions":{"x.v1.Thing":{"properties":{"spec":{"properties":{"items":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}},"x-kubernetes-patch-merge-key":"name","x-kubernetes-patch-strategy":"merge"}}}},"x-kubernetes-group-version-kind":[{"group":"x","kind":"Thing","version":"v1"}]}}}`
	files := map[string]string{
		"plain/kustomization.yaml": "resources: [a.yaml]\npatches: [{path: p.yaml}]\n", "plain/a.yaml": thing, "plain/p.yaml": patch,
		"own/kustomization.yaml": "resources: [a.yaml]\nopenapi: {path: o.json}\npatches: [{path: p.yaml}]\n", "own/a.yaml": thing, "own/p.yaml": patch, "own/o.json": schema,
		"crds/kustomization.yaml": "resources: [a.yaml]\ncrds: [o.json]\npatches: [{path: p.yaml}]\n", "crds/a.yaml": thing, "crds/p.yaml": patch, "crds/o.json": `{"x.v1.Thing": {"Schema": {"properties": {"spec": {"x-kubernetes-object-ref-api-version": "v1", "x-kubernetes-object-ref-kind": "ConfigMap"}}}}}`,
	}
	digest := func(s *Session, path string) string {
		return call(t, s, map[string]any{"op": "build", "path": path, "output": "digest"}, nil).SHA256
	}
	alone := map[string]string{}
	for _, path := range []string{"plain", "own", "crds"} {
		var s Session
		call(t, &s, map[string]any{"op": "load"}, files)
		alone[path] = digest(&s, path)
	}
	if alone["plain"] == alone["own"] {
		t.Fatal("the schema changes nothing, so the test shows nothing")
	}
	var s Session
	call(t, &s, map[string]any{"op": "load"}, files)
	for _, path := range []string{"own", "plain", "crds", "plain", "own", "crds", "own", "plain"} {
		if got := digest(&s, path); got != alone[path] {
			t.Errorf("%s builds something else after another build", path)
		}
	}
}

func TestNonsenseIsAnswered(t *testing.T) {
	var s Session
	for name, in := range map[string][]byte{
		"nothing":          nil,
		"no JSON":          frame.Append(nil, []byte("{")),
		"no operation":     frame.Append(nil, []byte("{}")),
		"a build of air":   frame.Append(nil, []byte(`{"op":"build"}`)),
		"half a load":      append(frame.Append(nil, []byte(`{"op":"load"}`)), 1, 2),
		"a path, no bytes": frame.Append(frame.Append(nil, []byte(`{"op":"load"}`)), []byte("a.yaml")),
	} {
		t.Run(name, func(t *testing.T) {
			var a answerOf
			if err := json.Unmarshal(s.Call(in), &a); err != nil {
				t.Fatal(err)
			}
			if a.OK || a.Error.Stage != "internal" {
				t.Errorf("%+v", a)
			}
		})
	}
}
