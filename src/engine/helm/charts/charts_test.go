package charts

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
)

const about = "apiVersion: v2\nname: it\nversion: 1.0.0\n"

func textFiles(of map[string]string) []File {
	var out []File
	for name, text := range of {
		out = append(out, File{name, []byte(text)})
	}
	return out
}

func TestAssembleIsThatOfSourceWatcher(t *testing.T) {
	component := textFiles(map[string]string{
		"values.yaml": "never: seen\n", "one.yaml": "a: {b: 1}\nlist: [1, 2]\n", "two.yaml": "a: {c: 2, d: null}\n---\nlist: [3]\n",
		"charts/lib/kept.yaml": "own", "charts/lib/both.yaml": "own",
	})
	libraries := []Library{{"lib", textFiles(map[string]string{"both.yaml": "library", "more.yaml": "library"})}}
	for _, test := range []struct {
		name        string
		valuesFiles []string
		values, err string
	}{
		{"none", nil, "never: seen\n", ""},
		{"one, as it is", []string{"one.yaml"}, "a: {b: 1}\nlist: [1, 2]\n", ""},
		{"two, where a list replaces a list and null stays", []string{"one.yaml", "two.yaml"}, "a:\n  b: 1\n  c: 2\n  d: null\nlist:\n- 3\n", ""},
		{"one that is not there", []string{"three.yaml"}, "", "source 'three.yaml' does not exist"},
	} {
		files, err := Assemble(component, libraries, test.valuesFiles)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		found := map[string]string{}
		for _, file := range files {
			found[file.Name] = string(file.Data)
		}
		if err != nil || found["values.yaml"] != test.values {
			t.Errorf("%s: %v, %q", test.name, err, found["values.yaml"])
		}
		if found["charts/lib/kept.yaml"] != "own" || found["charts/lib/both.yaml"] != "library" || found["charts/lib/more.yaml"] != "library" {
			t.Errorf("%s: %v", test.name, found)
		}
	}
}

// rendered gives the objects of a chart with one template, or why there are none.
func rendered(t *testing.T, template string, world World) ([]Object, Asked, *Failure) {
	t.Helper()
	chart, err := Load(textFiles(map[string]string{"Chart.yaml": about, "templates/a.yaml": template}))
	if err != nil {
		t.Fatal(err)
	}
	world.KubeVersion = "v1.35.0"
	objects, asked, failure := chart.Render(Release{Name: "n", Namespace: "s", IsUpgrade: true, Revision: 2}, map[string]any{}, world)
	return objects, asked.Told(), failure
}

func TestWhatOneLimitStopsDoesNotStopTheNext(t *testing.T) {
	for range 2 {
		if _, _, failure := rendered(t, `{{ repeat 1000000000 "a" }}`, World{}); failure == nil || failure.Stage != "limit" {
			t.Fatal(failure)
		}
		if _, _, failure := rendered(t, `{{ fail "own words" }}`, World{}); failure == nil || failure.Stage != "render" || failure.Own != "own words" {
			t.Fatal(failure)
		}
	}
}

func TestMessageIsCutBetweenRunes(t *testing.T) {
	_, _, failure := rendered(t, `{{ fail (repeat 5000 "ä") }}`, World{})
	for _, text := range []string{failure.Message, failure.Own} {
		if len(text) > maxMessage+len("…") || !strings.HasSuffix(text, "ä…") {
			t.Errorf("%d bytes: …%q", len(text), text[len(text)-10:])
		}
	}
}

func TestListOfAKindIsReadAsHelmsClientReadsIt(t *testing.T) {
	objects, _, failure := rendered(t, "apiVersion: v1\nkind: SecretList\nitems:\n- {metadata: {name: a}}\n- {kind: Other, metadata: {name: b}}\n- text\n", World{})
	if failure != nil {
		t.Fatal(failure)
	}
	var found []string
	for _, object := range objects {
		found = append(found, string(object.Object))
	}
	if want := []string{`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}`, `{"kind":"Other","metadata":{"name":"b"}}`}; !reflect.DeepEqual(found, want) {
		t.Error(found)
	}
}

func TestChanceChangesAllThatIsRandom(t *testing.T) {
	template := "a: {{ randAlphaNum 8 }}\nb: {{ randAlpha 8 }}\nc: '{{ randNumeric 8 }}'\nd: {{ randAscii 8 }}\ne: {{ randBytes 8 }}\nf: {{ randInt 1 9 }}\n" +
		"g: {{ shuffle \"abc\" }}\nh: {{ uuidv4 }}\ni: {{ bcrypt \"a\" }}\nj: {{ htpasswd \"a\" \"b\" }}\nk: {{ encryptAES \"a\" \"b\" }}\nl: {{ now | date \"2006\" | quote }}\n" +
		"m: {{ now | date \"01\" | quote }}\nn: {{ now | date \"02\" | quote }}\no: {{ now | date \"05\" | quote }}\np: {{ ago 0 }}\nq: {{ genPrivateKey \"rsa\" | quote }}\n" +
		"r: {{ (genCA \"a\" 1).Cert | quote }}\ns: {{ keys (dict \"a\" 1 \"b\" 2) | join \",\" }}\n"
	read := func(chance int) (map[string]any, Asked) {
		objects, asked, failure := rendered(t, template, World{Chance: chance})
		if failure != nil {
			t.Fatal(failure)
		}
		var out map[string]any
		if err := json.Unmarshal(objects[0].Object, &out); err != nil {
			t.Fatal(err)
		}
		return out, asked
	}
	first, asked := read(0)
	other, _ := read(1)
	if len(first) != 19 || len(asked.Random) != 16 {
		t.Errorf("%d fields, asked for %v", len(first), asked.Random)
	}
	for key, value := range first {
		if reflect.DeepEqual(other[key], value) {
			t.Errorf("%s: %v with each chance", key, value)
		}
	}
}

func TestManifestsAreThoseOfHelm(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"-", "--", "---", "\n---", "---\n", "\n", " ", "\t", "\f", "\r", "\u00a0", "a", "#", "b: 1", "\n---\n---\n"}
	for range 20_000 {
		var text strings.Builder
		for range random.IntN(12) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		var want []string
		of := releaseutil.SplitManifests(text.String())
		for i := range len(of) {
			want = append(want, of[fmt.Sprintf("manifest-%d", i)])
		}
		if found := manifestsIn(text.String()); !slices.Equal(found, want) {
			t.Fatalf("%q: %q, and Helm has %q", text.String(), found, want)
		}
	}
}

// What is kept of a render must not show in the next one, which may be of other values.
func TestRendersDoNotKnowOfEachOther(t *testing.T) {
	files := map[string]string{
		"Chart.yaml": about, "values.yaml": "a: 1\nbad: false\n",
		"crds/one.yaml":    "---\napiVersion: v1\nkind: Definition\nmetadata: {name: one}\n---\nkind: Definition\nmetadata: {name: two}\n",
		"templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: {{ .Values.a | quote }}}\n",
		"templates/same.yaml": "apiVersion: v1\nkind: Same\nmetadata: {name: same}\ntext: |+\n  one\n\n\n---\n" +
			"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Item, metadata: {name: item}}\n",
		"templates/bad.yaml": "{{ if .Values.bad }}apiVersion: v1\nkind: Same\nmetadata: {name: same}\n{{ end }}",
	}
	kept, err := Load(textFiles(files))
	if err != nil {
		t.Fatal(err)
	}
	for _, values := range []string{`{}`, `{"a":2}`, `{"bad":true}`, `{}`, `{"a":3}`, `{"a":2}`} {
		fresh, err := Load(textFiles(files))
		if err != nil {
			t.Fatal(err)
		}
		render := func(chart *Chart) string {
			given := map[string]any{}
			if err := json.Unmarshal([]byte(values), &given); err != nil {
				t.Fatal(err)
			}
			objects, _, failure := chart.Render(Release{Name: "it", Namespace: "it"}, given, World{KubeVersion: "v1.35.0", PostRender: true})
			text, err := json.Marshal(objects)
			if err != nil {
				t.Fatal(err)
			}
			if failure != nil {
				return failure.Message
			}
			return string(text)
		}
		if of, other := render(kept), render(fresh); of != other {
			t.Errorf("%s: %s\nand anew: %s", values, of, other)
		}
	}
	if kept.Kept() == 0 {
		t.Error("nothing is kept")
	}
	if kept.Forget(); kept.Kept() != 0 {
		t.Error("it is not forgotten")
	}
}
