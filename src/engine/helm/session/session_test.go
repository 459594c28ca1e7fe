package session

import (
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"
)

func frame(t *testing.T, request any, chunks ...string) []byte {
	t.Helper()
	first, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	for _, chunk := range append([]string{string(first)}, chunks...) {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(chunk)))
		out = append(out, chunk...)
	}
	return out
}

type object = map[string]any

func loaded(t *testing.T, s *Session, files map[string]string) string {
	t.Helper()
	var listed []object
	var chunks []string
	for path, text := range files {
		chunks = append(chunks, text)
		listed = append(listed, object{"path": path, "chunk": len(chunks)})
	}
	return string(s.Call(frame(t, object{"op": "load", "chart": "c", "files": listed}, chunks...)))
}

func TestWhatMakesNoSenseIsRefused(t *testing.T) {
	s := New()
	for name, call := range map[string][]byte{
		"a frame that is cut off":      {9, 0, 0, 0, 1},
		"no JSON":                      {1, 0, 0, 0, '{'},
		"another operation":            frame(t, object{"op": "install"}),
		"a chart that is not loaded":   frame(t, object{"op": "render", "chart": "none"}),
		"a chunk that is not there":    frame(t, object{"op": "load", "chart": "c", "files": []object{{"path": "a", "chunk": 3}}}),
		"an archive that is not there": frame(t, object{"op": "load", "chart": "c", "archive": 2}),
	} {
		if answer := string(s.Call(call)); !strings.HasPrefix(answer, `{"ok":false,"error":`) {
			t.Errorf("%s: %s", name, answer)
		}
	}
}

func TestChartStaysUntilItIsForgotten(t *testing.T) {
	s := New()
	files := map[string]string{
		"Chart.yaml":       "apiVersion: v2\nname: it\nversion: 1.0.0\n",
		"values.yaml":      "a: 1\n",
		"templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: it}\ndata: {a: {{ .Values.a | quote }}}\n",
	}
	if answer := loaded(t, s, files); answer != `{"ok":true,"chart":{"name":"it","version":"1.0.0","values":{"a":1}}}` {
		t.Fatal(answer)
	}
	render := frame(t, object{"op": "render", "chart": "c", "kubeVersion": "v1.35.0", "values": object{"a": 2}})
	for range 2 {
		if answer := string(s.Call(render)); !strings.Contains(answer, `"data":{"a":"2"}`) {
			t.Fatal(answer)
		}
	}
	s.Call(frame(t, object{"op": "forget", "chart": "c"}))
	if answer := string(s.Call(render)); !strings.HasPrefix(answer, `{"ok":false`) {
		t.Fatal(answer)
	}
}

func TestDefinitionsAreToldInFullWhereTheyAreAskedFor(t *testing.T) {
	s := New()
	loaded(t, s, map[string]string{
		"Chart.yaml":       "apiVersion: v2\nname: it\nversion: 1.0.0\n",
		"crds/a.yaml":      "apiVersion: v1\nkind: Definition\nmetadata: {name: a}\nspec: {long: true}\n",
		"templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"<\"}\n",
	})
	const other = `{"object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"\u003c"}},"template":"it/templates/a.yaml"}`
	for _, test := range []struct {
		definitions bool
		objects     string
	}{
		{false, `"objects":[{"object":{"apiVersion":"v1","kind":"Definition","metadata":{"name":"a"}},"template":"it/crds/a.yaml","crd":true},` + other + `]}`},
		{true, `"objects":[{"object":{"apiVersion":"v1","kind":"Definition","metadata":{"name":"a"},"spec":{"long":true}},"template":"it/crds/a.yaml","crd":true},` + other + `]}`},
	} {
		render := frame(t, object{"op": "render", "chart": "c", "kubeVersion": "v1.35.0", "postRender": true, "definitions": test.definitions})
		if answer := string(s.Call(render)); !json.Valid([]byte(answer)) || !strings.HasSuffix(answer, test.objects) {
			t.Errorf("%v: %s", test.definitions, answer)
		}
	}
}

func TestArchiveThatIsNoneIsNotLoaded(t *testing.T) {
	answer := string(New().Call(frame(t, object{"op": "load", "chart": "c", "archive": 1}, "no gzip")))
	if answer != `{"ok":true,"failed":{"stage":"load","message":"unexpected EOF"}}` && !strings.Contains(answer, "gzip") {
		t.Fatal(answer)
	}
}

func FuzzCall(f *testing.F) {
	f.Add([]byte{2, 0, 0, 0, '{', '}'})
	f.Fuzz(func(t *testing.T, call []byte) {
		if answer := New().Call(call); !json.Valid(answer) {
			t.Fatalf("%q", answer)
		}
	})
}
