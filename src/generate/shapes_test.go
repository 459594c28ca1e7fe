package main

import (
	"bytes"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v4/pkg/chart/common"
	commonutil "helm.sh/helm/v4/pkg/chart/common/util"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
)

// plant writes files below a new directory and gives its path.
func plant(t *testing.T, files map[string]string) string {
	t.Helper()
	directory := t.TempDir()
	for name, content := range files {
		if err := writeFile(filepath.Join(directory, name), []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	return directory
}

const aChart = "apiVersion: v2\nversion: 1.0.0\nname: "

func TestShapeOfAChart(t *testing.T) {
	from := plant(t, map[string]string{
		"packages/system/a/Chart.yaml":  aChart + "a\n",
		"packages/system/a/values.yaml": "# commented: 1\n## @param b.documented what it is\nb: {image: {tag: v1}, replicas: 2}\nlist: [1]\nnone: []\nempty: {}\nnothing:\ntext: ''\n",
		"packages/system/a/more.yaml":   "list: {}\nflag: true\n",
		"packages/system/a/charts/b/Chart.yaml": aChart + `b
dependencies:
- {name: c, alias: d, version: 1.x.x, condition: d.enabled}
- {name: gone, version: 1.x.x}
`,
		"packages/system/a/charts/b/values.yaml":            "image: {repository: r, tag: ''}\nfree: {}\nflat: x\n",
		"packages/system/a/charts/b/charts/c/Chart.yaml":    aChart + "c\n",
		"packages/system/a/charts/b/charts/c/values.yaml":   "deep: 1.5\n",
		"packages/system/a/charts/b/values.schema.json":     `{"$schema":"s","description":"d","properties":{"only":{"type":"object","title":"t"},"flat":{"$ref":"#/definitions/x"}},"definitions":{"x":{"properties":{"y":{"type":"array"}}}}}`,
		"packages/library/cozy-lib/Chart.yaml":              aChart + "cozy-lib\n",
		"packages/library/cozy-lib/values.yaml":             "x: 1\n",
		"packages/system/unrelated/charts/b/templates/x.md": "",
	})
	component := map[string]any{
		"path": "system/a", "libraries": []any{"cozy-lib", "no-such-lib"}, "valuesFiles": []any{"values.yaml", "more.yaml", "absent.yaml"},
	}
	shape, err := chartShape(from, component)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := compact(shape)
	want := `{"mentioned":["commented","documented"],"missing":["b.gone","no-such-lib"],"optional":[["b","d"]],` +
		`"schemas":{"b":{"definitions":{"x":{"properties":{"y":{"type":"array"}}}},"properties":{"flat":{"$ref":"#/definitions/x"},"only":{"type":"object"}}}},` +
		`"subcharts":[["b"],["b","d"],["cozy-lib"]],` +
		`"values":{"b":{"d":{"deep":"number","enabled":"boolean"},"flat":"any","free":"empty map","gone":"any","image":{"repository":"text","tag":"text"},"only":"empty map","replicas":"number"},` +
		`"cozy-lib":{"x":"number"},"empty":"empty map","flag":"boolean","list":"empty map","none":"empty list","nothing":"any","text":"any"}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if absent := absentFiles(from, component); !reflect.DeepEqual(absent, []any{"absent.yaml"}) {
		t.Errorf("absent: %v", absent)
	}
}

// TestWhatHelmMakesOfValues holds what the linter says of misshapen values against Helm, in the version that Flux has.
func TestWhatHelmMakesOfValues(t *testing.T) {
	directory := plant(t, map[string]string{
		"Chart.yaml":           aChart + "a\n",
		"values.yaml":          "image: {repository: r}\nouter: {inner: {a: 1}}\nports: []\nb: {replicas: 1}\n",
		"templates/x.yaml":     "{{ .Values.image.repository }}{{ range .Values.ports }}{{ . }}{{ end }}",
		"charts/b/Chart.yaml":  aChart + "b\n",
		"charts/b/values.yaml": "replicas: 1\nflags: {a: true}\n",
		"charts/b/values.schema.json": `{"additionalProperties":false,"properties":{"replicas":{"type":"number"},"global":{},"flags":{"type":"object",
			"properties":{"a":{"type":["null","boolean"]},"level":{"enum":["all","none"]},"name":{"pattern":"^x"},"many":{"minimum":1}}}}}`,
	})
	for _, test := range []struct{ name, values, warning, failure string }{
		{"nothing", "{}", "", ""},
		{"an unknown key", "{imge: {}, b: {replicas: 2}}", "", ""},
		{"a text for a map", "{image: x}", "", "can't evaluate field repository in type interface {}"},
		{"a list for a map", "{image: [x]}", "", "can't evaluate field repository in type interface {}"},
		{"a text for a map below", "{outer: {inner: x}}", "warning: cannot overwrite table with non table for a.outer.inner", ""},
		{"a text for a list", "{ports: x}", "", "range can't iterate over x"},
		{"a text for a sub-chart", "{b: x}", "", "type mismatch on b"},
		{"a list for a sub-chart", "{b: [x]}", "", "type mismatch on b"},
		{"a null for a map", "{image: null}", "", "nil pointer evaluating interface {}.repository"},
		{"a null that a schema would refuse", "{b: {replicas: null}}", "", ""},
		{"a type", `{b: {replicas: "3"}}`, "", "- at '/replicas': got string, want number"},
		{"types", `{b: {flags: {a: x}}}`, "", "- at '/flags/a': got string, want null or boolean"},
		{"a key", `{b: {replica: 3}}`, "", "additional properties 'replica' not allowed"},
		{"a word", `{b: {flags: {level: some}}}`, "", "- at '/flags/level': value must be one of 'all', 'none'"},
		{"a pattern", `{b: {flags: {name: other}}}`, "", "- at '/flags/name': 'other' does not match pattern '^x'"},
		{"a bound", `{b: {flags: {many: 0}}}`, "", "- at '/flags/many': minimum: got 0, want 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			warnings, err := helm(t, directory, test.values)
			if !strings.Contains(warnings, test.warning) {
				t.Errorf("warnings: %q, not %q", warnings, test.warning)
			}
			if test.failure == "" && err != nil || test.failure != "" && (err == nil || !strings.Contains(err.Error(), test.failure)) {
				t.Errorf("got %v, not %q", err, test.failure)
			}
		})
	}
}

// helm does with values what an upgrade does before it reaches the cluster.
func helm(t *testing.T, directory, values string) (warnings string, err error) {
	t.Helper()
	parsed, err := parseYAML([]byte(values))
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := loadChart(directory)
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	log.SetOutput(&written)
	defer log.SetOutput(os.Stderr)
	given := object(parsed)
	if err := chartutil.ProcessDependencies(loaded, given); err != nil {
		return written.String(), err
	}
	prepared, err := commonutil.ToRenderValuesWithSchemaValidation(loaded, given, common.ReleaseOptions{}, nil, false)
	if err == nil {
		_, err = engine.Render(loaded, prepared)
	}
	return written.String(), err
}

func TestReadsOfTemplates(t *testing.T) {
	directory := plant(t, map[string]string{
		"Chart.yaml": aChart + "a\n",
		"templates/x.yaml": `{{- /* .Values.comment */ -}}
{{ .Values.a.b }}{{ ((.Values.c).d).e }}{{ $.Values.f | quote }}{{ .root.Values.g }}
{{ with .Values.h }}{{ .i }}{{ $.Values.j }}{{ else }}{{ .Values.k }}{{ end }}
{{ $l := .Values.l | default dict }}{{ $l.m }}{{ index .Values "n" "o.p" }}{{ (index .Values.q "r").s }}
{{ dig "t" "u" nil .Values.v }}{{ range $key, $value := .Values.w }}{{ .no }}{{ $value.no }}{{ end }}
{{ if and .Values.x (hasKey .Values.y "z") }}{{ end }}{{ (default .Values.aa .Values.ab).ac }}
{{ toYaml .Values.ad | nindent 2 }}{{ include "x" (dict "image" .Values.ae "root" $) }}`,
		"templates/_helpers.tpl": `{{ define "x" }}{{ .Values.af }}{{ .image.tag }}{{ end }}`,
	})
	loaded, err := loadChart(directory)
	if err != nil {
		t.Fatal(err)
	}
	tree, open, err := readByTemplates(loaded)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := compact(tree)
	want := `{"a":{"b":"any"},"aa":"any","ab":{"ac":"any"},"ad":"any","ae":"any","af":"any","c":{"d":{"e":"any"}},"f":"any","g":"any",` +
		`"h":{"i":"any"},"j":"any","k":"any","l":{"m":"any"},"n":{"o.p":"any"},"q":{"r":{"s":"any"}},"v":{"t":{"u":"any"}},"w":"any",` +
		`"x":"any","y":{"z":"any"}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var taken []string
	for _, path := range open {
		taken = append(taken, strings.Join(path, "."))
	}
	for _, path := range []string{"ad", "ae", "w", "aa"} {
		if !slices.Contains(taken, path) {
			t.Errorf("%s is taken as a whole; found %v", path, taken)
		}
	}
	for _, path := range []string{"a", "h", "l", "x", "y", "v"} {
		if slices.Contains(taken, path) {
			t.Errorf("%s is not taken as a whole", path)
		}
	}
}
