package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
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
	for _, variant := range []string{"b", "c"} {
		write("values-"+variant+".yaml", "h: "+variant+"\n")
	}
	write("templates/x.yaml", `{{ .Values.a.b }}{{ ((.Values.a).undeclared).below }}{{- /* .Values.comment */ -}}
{{ dig "i" "j" nil ($root.Values.a | default dict) }}{{ .Values.a.g.anything }}`)
	want := map[string]any{
		"a.b": "string", "a.c": "integer", "a.d": "number", "a.e": "boolean", "a.f": "list", "a.g": "map", "h": "string",
		"a.undeclared.below": "any", "a.i.j": "any",
	}
	if got, err := platformValues(directory, []string{"default", "b", "c"}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestArtifactOfTheInstaller(t *testing.T) {
	digest := "sha256:" + strings.Repeat("0a", 32)
	for values, want := range map[string]any{
		"platformSourceUrl: oci://a.example/b\n  platformSourceRef: digest=" + digest:   map[string]any{"url": "oci://a.example/b", "digest": digest},
		"platformSourceUrl: oci://a.example/b\n  platformSourceRef: tag=v1":             nil,
		"platformSourceUrl: https://a.example/b\n  platformSourceRef: branch=main":      nil,
		"platformSourceUrl: https://a.example/b\n  platformSourceRef: digest=" + digest: nil,
	} {
		from := t.TempDir()
		if err := writeFile(filepath.Join(from, "packages/core/installer/values.yaml"), []byte("cozystackOperator:\n  "+values+"\n")); err != nil {
			t.Fatal(err)
		}
		for _, release := range []string{"v9.9.9", "next"} {
			to := t.TempDir()
			path := filepath.Join(to, "cozystack", release, "artifact.json")
			if err := writeFile(path, []byte("{}")); err != nil {
				t.Fatal(err)
			}
			if err := writeArtifact(options{from: from, release: release, to: to}); err != nil {
				t.Fatal(err)
			}
			got, err := readJSON(path)
			if release == "next" || want == nil {
				if !os.IsNotExist(err) {
					t.Errorf("%s, %s: got %v, %v", values, release, got, err)
				}
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: got %v, %v", values, release, got, err)
			}
		}
	}
}

// TestReleases generates every release again and compares it with what is committed. It needs the checkouts
// cozystack-<release> in $CUSTOMIZER_LINT_UPSTREAM, or in a directory `shared/upstream` beside the repository. The short run takes the newest.
func TestReleases(t *testing.T) {
	releases, _ := filepath.Glob("../../schemas/cozystack/v*/catalog.json")
	if len(releases) == 0 {
		t.Fatal("no release is committed")
	}
	slices.Sort(releases)
	if testing.Short() {
		releases = releases[len(releases)-1:]
	} else {
		releases = append(releases, "../../schemas/cozystack/next/catalog.json")
	}
	// The built-in kinds are those of no release: once is enough, and each version is a large module to fetch.
	versions := strings.Split(kubernetesVersions, ",")
	if testing.Short() {
		versions = []string{"v1.35.4"}
	}
	for _, catalog := range releases {
		release := filepath.Base(filepath.Dir(catalog))
		t.Run(release, func(t *testing.T) {
			if err := checkCommitted(options{from: checkout(t, release), release: release, to: "../../schemas", kubernetes: versions}); err != nil {
				t.Error(err)
			}
		})
		versions = nil
	}
}

func checkout(t *testing.T, release string) string {
	upstream := os.Getenv("CUSTOMIZER_LINT_UPSTREAM")
	if upstream == "" {
		upstream = "../../../shared/upstream"
	}
	from := filepath.Join(upstream, "cozystack-"+release)
	if _, err := os.Stat(from); err != nil {
		t.Skipf("no checkout of cozystack at %s: set CUSTOMIZER_LINT_UPSTREAM to a directory that holds cozystack-%s", release, release)
	}
	return from
}

// TestOwnedValues holds the table of values that the platform chart sets against the chart: with the platform values of its
// condition the value is there, and with another value of its knob it is another.
func TestOwnedValues(t *testing.T) {
	content, err := os.ReadFile("../../schemas/cozystack/ownership.yaml")
	if err != nil {
		t.Fatal(err)
	}
	table, err := parseYAML(content)
	if err != nil {
		t.Fatal(err)
	}
	releases := []string{"v1.6.2", "v1.5.4", "next"}
	if testing.Short() {
		releases = releases[:1]
	}
	for _, release := range releases {
		t.Run(release, func(t *testing.T) {
			directory := filepath.Join(checkout(t, release), "packages", platformPath)
			for _, row := range list(table, "values") {
				for _, variant := range list(row, "variants") {
					if !isIn(release, text(row, "since"), text(row, "until")) || variant == "isp-hosted" && release != "next" {
						continue
					}
					for i, path := range list(row, "paths") {
						checkOwned(t, directory, variant.(string), row, path.([]any), i)
					}
				}
			}
		})
	}
}

func isIn(release, since, until string) bool {
	if since == "proposed" || until != "" {
		return false
	}
	return release == "next" || since != "next" && release >= since
}

func checkOwned(t *testing.T, directory, variant string, row any, path []any, index int) {
	t.Helper()
	values, err := variantValues(directory, variant)
	if err != nil {
		t.Fatal(err)
	}
	knob := text(row, "knob")
	if knobs := list(row, "knob"); knobs != nil {
		knob = knobs[index].(string)
	}
	met := meet(values, row)
	before := owned(t, directory, met, row, path)
	turned := met
	if knob != "" {
		turned = sampled(met, strings.Split(knob, "."))
	}
	after := owned(t, directory, turned, row, path)
	if before == nil && after == nil {
		t.Errorf("%s: %s/%s sets no %v", variant, text(row, "package"), text(row, "component"), path)
	}
	if knob != "" && reflect.DeepEqual(before, after) {
		t.Errorf("%s: %s/%s %v is %v whatever %s is", variant, text(row, "package"), text(row, "component"), path, before, knob)
	}
}

// meet makes the condition of a row hold.
func meet(values map[string]any, row any) map[string]any {
	if name := text(row, "when", "package"); name != "" {
		values = set(values, enabledPackages, append(slices.Clone(list(values, enabledPackages...)), name))
	}
	if path, value, found := strings.Cut(text(row, "when", "switch"), "="); found {
		parsed, _ := parseJSON([]byte(value))
		values = set(values, strings.Split(path, "."), parsed)
	}
	if path := text(row, "when", "set"); path != "" {
		values = sampled(values, strings.Split(path, "."))
	}
	return values
}

// sampled puts another value of the same type at a path.
func sampled(values map[string]any, path []string) map[string]any {
	return set(values, path, another(at(values, path)))
}

func another(value any) any {
	switch value := value.(type) {
	case string:
		return "https://" + value + "example.org:99"
	case bool:
		return !value
	case []any:
		return append(slices.Clone(value), "sample")
	case map[string]any:
		changed := maps.Clone(value)
		for _, key := range sortedKeys(value) {
			changed[key] = another(value[key])
			return changed
		}
		changed["sample"] = "sample"
		return changed
	case nil:
		return false
	}
	return json.Number("7")
}

// owned is what the chart sets at the path of a row's component; nil, if nothing.
func owned(t *testing.T, directory string, values map[string]any, row any, path []any) any {
	t.Helper()
	rendered, err := renderPackages(directory, values)
	if err != nil {
		t.Fatal(err)
	}
	place := []string{"components", text(row, "component"), "values"}
	for _, step := range path {
		if step != "**" {
			place = append(place, step.(string))
		}
	}
	return at(rendered[text(row, "package")], place)
}

// TestOut generates a fork's data into a directory of its own, which holds all that the linter reads of a release.
func TestOut(t *testing.T) {
	if testing.Short() {
		t.Skip("the generator runs twice, and TestReleases has run it once")
	}
	from := checkout(t, "next")
	out := t.TempDir()
	if err := run(options{from: from, release: "of-our-own", to: "../../schemas"}, out, false); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"cozystack/of-our-own/catalog.json", "cozystack/of-our-own/crds.json", "kubernetes/v1.35.json"} {
		if _, err := os.Stat(filepath.Join(out, file)); err != nil {
			t.Error(err)
		}
	}
	// A second run finds nothing that differs but what was put there meanwhile.
	if err := writeFile(filepath.Join(out, "cozystack/crds/stray.json"), nil); err != nil {
		t.Fatal(err)
	}
	err := run(options{from: from, release: "of-our-own", to: "../../schemas"}, out, true)
	if err == nil || !strings.HasSuffix(err.Error(), " gives:\n  cozystack/crds/stray.json belongs to no release") {
		t.Errorf("got %v", err)
	}
}

func TestNameOfRelease(t *testing.T) {
	for _, release := range []string{"crds", "../v1", "a/b", "", ".hidden"} {
		if err := run(options{from: "nowhere", release: release}, t.TempDir(), false); err == nil || !strings.HasPrefix(err.Error(), "release ") {
			t.Errorf("%q: got %v", release, err)
		}
	}
}
