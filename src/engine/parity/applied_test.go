package parity

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	note = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME, namespace: n}\ndata: {a: b}\n"
	apps = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: n}\n" +
		"spec: {interval: 5m, prune: true, path: ./apps, sourceRef: {kind: GitRepository, name: us, namespace: x}, MORE}\n"
	ours = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: us, namespace: x}\nspec: {interval: 5m, url: URL}\n"
)

func named(name string) string    { return strings.ReplaceAll(note, "NAME", name) }
func appsWith(more string) string { return strings.ReplaceAll(apps, "MORE", more) }

// What Flux applies is followed from object to object, and what cannot be known is said.
func TestApplied(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		// want are the names of the ConfigMaps that are applied.
		want      string
		undecided string
	}{
		"the first folder alone":    {map[string]string{"a.yaml": named("a"), "b.txt": named("b")}, "a", ""},
		"a folder of a Flux object": {map[string]string{"f.yaml": appsWith(""), "apps/b.yaml": named("b")}, "b", ""},
		"a Flux object of any name": {map[string]string{"kustomization.yaml": "resources: [f]\n", "f": appsWith(""), "apps/b.yaml": named("b")}, "b", ""},
		"a path that a patch gives": {map[string]string{
			"kustomization.yaml": "resources: [f]\npatches: [{target: {kind: Kustomization}, patch: '[{\"op\": \"replace\", \"path\": \"/spec/path\", \"value\": \"other\"}]'}]\n",
			"f":                  appsWith(""), "apps/b.yaml": named("b"), "other/c.yaml": named("c"),
		}, "c", ""},
		"two steps": {map[string]string{
			"f.yaml":      appsWith(""),
			"apps/f.yaml": strings.NewReplacer("name: apps", "name: more", "./apps", "more").Replace(appsWith("")), "more/c.yaml": named("c"),
		}, "c", ""},
		"a variable of a ConfigMap": {map[string]string{
			"f.yaml":      appsWith("postBuild: {substituteFrom: [{kind: ConfigMap, name: vars}]}"),
			"v.yaml":      strings.ReplaceAll(named("vars"), "a: b", "NAME: x"),
			"apps/b.yaml": named("\"${NAME}\""),
		}, "vars x", ""},
		"a suspended object":   {map[string]string{"f.yaml": appsWith("suspend: true"), "apps/b.yaml": named("b")}, "", "spec.suspend, which somebody may switch off"},
		"another cluster":      {map[string]string{"f.yaml": appsWith("kubeConfig: {}"), "apps/b.yaml": named("b")}, "", "spec.kubeConfig"},
		"our URL":              {map[string]string{"f.yaml": appsWith(""), "g.yaml": strings.ReplaceAll(ours, "URL", "https://us"), "apps/b.yaml": named("b")}, "b", ""},
		"another URL":          {map[string]string{"f.yaml": appsWith(""), "g.yaml": strings.ReplaceAll(ours, "URL", "https://them"), "apps/b.yaml": named("b")}, "", ""},
		"a URL of nobody":      {map[string]string{"f.yaml": appsWith(""), "g.yaml": strings.ReplaceAll(ours, "URL", "https://who"), "apps/b.yaml": named("b")}, "", "nothing says whose https://who is"},
		"what Flux is told of": {map[string]string{"a.yaml": strings.ReplaceAll(named("a"), "namespace: n", "namespace: n, annotations: {kustomize.toolkit.fluxcd.io/reconcile: Disabled}")}, "", ""},
		"what is not packed":   {map[string]string{".sourceignore": "/apps/\n", "f.yaml": appsWith(""), "apps/b.yaml": named("b")}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			answer := askOf(t, c.files)
			var got []string
			for _, o := range answer.Objects {
				if o.Value["kind"] == "ConfigMap" {
					got = append(got, o.Value["metadata"].(map[string]any)["name"].(string))
				}
			}
			if slices.Sort(got); strings.Join(got, " ") != c.want {
				t.Errorf("applied %q, want %q (%v)", got, c.want, answer.Failed)
			}
			if c.undecided == "" && len(answer.Undecided) > 0 || !strings.Contains(strings.Join(answer.Undecided, "\n"), c.undecided) {
				t.Errorf("undecided: %q, want %q", answer.Undecided, c.undecided)
			}
		})
	}
}

func askOf(t *testing.T, files map[string]string) Answer {
	root := t.TempDir()
	if _, listed := files["kustomization.yaml"]; !listed {
		var list strings.Builder
		for name := range files {
			if filepath.Ext(name) == ".yaml" && !strings.Contains(name, "/") {
				list.WriteString("\n- " + name)
			}
		}
		files["kustomization.yaml"] = "resources:" + list.String()
	}
	for name, text := range files {
		to := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "x"}} {
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %s", args[0], out)
		}
	}
	question, err := json.Marshal(Question{
		Repository: root, Commit: "HEAD", Sources: []string{"GitRepository/x/us"}, URLs: []string{"https://us"}, OtherURLs: []string{"https://them"},
		Entrypoint: map[string]any{"apiVersion": fluxGroup + "/v1", "kind": "Kustomization", "metadata": map[string]any{"name": "first", "namespace": "x"}, "spec": map[string]any{"path": "./"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := AnswerQuestions(bytes.NewReader(question), &out); err != nil {
		t.Fatal(err)
	}
	var answer Answer
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil || answer.Error != "" {
		t.Fatal(err, answer.Error)
	}
	return answer
}
