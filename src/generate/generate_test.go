package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestCleanDropsProseAndKeepsData(t *testing.T) {
	schema := `{"description":"d","type":"object","title":"t","required":["description"],"properties":{
		"description":{"description":"d","type":"string","default":"description"},
		"items":{"type":"array","items":{"description":"d","type":"string","enum":["title"]}},
		"any":{"anyOf":[{"description":"d","required":["title"]}],"x-kubernetes-validations":[{"rule":"self.title","message":"m"}]}},
		"additionalProperties":false}`
	want := `{"additionalProperties":false,"properties":{` +
		`"any":{"anyOf":[{"required":["title"]}],"x-kubernetes-validations":[{"message":"m","rule":"self.title"}]},` +
		`"description":{"default":"description","type":"string"},` +
		`"items":{"items":{"enum":["title"],"type":"string"},"type":"array"}},"required":["description"],"type":"object"}`
	value, err := parseJSON([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	got, err := compact(clean(object(value)))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDefinitionsOfATemplate(t *testing.T) {
	file := `{{- if .Values.crds }}
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.example.org
  labels:
    {{- include "labels" . | nindent 4 }}
  annotations:
    from: {{ .Release.Namespace }}/{{ include "name" . }}
{{- end }}
---
kind: ConfigMap
`
	found, err := definitions([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || text(found[0], "metadata", "name") != "things.example.org" || text(found[0], "metadata", "annotations", "from") != "x/x" {
		t.Errorf("got %v", found)
	}
}

func TestSetCopies(t *testing.T) {
	before := map[string]any{"a": map[string]any{"b": 1, "c": 2}}
	after := set(before, []string{"a", "b"}, 3)
	if !reflect.DeepEqual(after, map[string]any{"a": map[string]any{"b": 3, "c": 2}}) || object(before, "a")["b"] != 1 {
		t.Errorf("got %v from %v", after, before)
	}
}

func TestPlatformValues(t *testing.T) {
	directory := t.TempDir()
	write := func(name, content string) {
		if err := writeFile(filepath.Join(directory, name), []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	write("values.yaml", "a: {b: x, c: 1, d: 1.5, e: true, f: [], g: {}}\nh:\n")
	for _, variant := range platformVariants[1:] {
		write("values-"+variant+".yaml", "h: "+variant+"\n")
	}
	write("templates/x.yaml", `{{ .Values.a.b }}{{ ((.Values.a).undeclared).below }}{{- /* .Values.comment */ -}}
{{ dig "i" "j" nil ($root.Values.a | default dict) }}{{ .Values.a.g.anything }}`)
	want := map[string]any{
		"a.b": "string", "a.c": "integer", "a.d": "number", "a.e": "boolean", "a.f": "list", "a.g": "map", "h": "string",
		"a.undeclared.below": "any", "a.i.j": "any",
	}
	if got, err := platformValues(directory); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestReleases generates every release again and compares it with what is committed. It needs the checkouts
// cozystack-<release> in $UPSTREAM, or in a directory `shared/upstream` beside the repository.
func TestReleases(t *testing.T) {
	upstream := os.Getenv("UPSTREAM")
	if upstream == "" {
		upstream = "../../../shared/upstream"
	}
	committed := "../../schemas"
	to := t.TempDir()
	releases, _ := filepath.Glob(filepath.Join(committed, "cozystack/*/catalog.json"))
	for _, catalog := range releases {
		release := filepath.Base(filepath.Dir(catalog))
		from := filepath.Join(upstream, "cozystack-"+release)
		if _, err := os.Stat(from); err != nil {
			t.Skipf("no checkout of cozystack at %s: set UPSTREAM to a directory that holds cozystack-%s", release, release)
		}
		if err := generate(options{from: from, release: release, to: to, kubernetes: "v1.35.4"}); err != nil {
			t.Fatal(err)
		}
	}
	compare(t, to, committed, "generated anew")
	compare(t, filepath.Join(committed, "cozystack/crds"), filepath.Join(to, "cozystack/crds"), "committed")
}

func compare(t *testing.T, from, with, what string) {
	err := fs.WalkDir(os.DirFS(from), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		ours, err := os.ReadFile(filepath.Join(from, path))
		if err != nil {
			return err
		}
		if theirs, err := os.ReadFile(filepath.Join(with, path)); err != nil || !bytes.Equal(ours, theirs) {
			t.Errorf("%s differs from what is %s", path, what)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
