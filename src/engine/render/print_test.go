package render

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"
)

// Every text must come out as it does on kustomize's own way; plain says whether the short cut is taken.
func TestPrintAsKustomizeDoes(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		plain bool
	}{
		"strings":                   {"a: b\nc: 'd'\ne: \"f\"\n", true},
		"words that YAML 1.1 reads": {"a: yes\nb: off\nc: y\nd: NO\ny: 1\n", true},
		"numbers":                   {"a: 1\nb: -20\nc: 0\nd: 123456789012345678\n", true},
		"quoted numbers":            {"a: '1'\nb: \"1.5\"\nc: \"1e3\"\nd: \"0x1f\"\n", true},
		"floats":                    {"a: 0.5\nb: -12.25\nc: 1.0\nd: 100.10\n", true},
		"null and true":             {"a: null\nb: ~\nc: true\nd: false\n", true},
		"punctuation":               {"a: '<&>\"'\nb: 'it''s'\nc: '\\'\nd: '- x'\ne: '#'\nf: 'a: b'\ng: ' '\nh: '*'\ni: '!x'\nj: '%'\nk: '@'\n", true},
		"lists":                     {"a: []\nb: [1, [x, {c: d}]]\nc: {}\n", true},
		"comments":                  {"# head\na: b # line\n# foot\nc:\n# in\n- 1 # one\n", true},
		"an empty string":           {"a: ''\n", true},
		"nothing":                   {"a:\nb: {c: }\n", false},
		"several lines":             {"a: |\n  x\n  y\n", false},
		"an octal number":           {"a: 010\nb: 0o10\nc: 0b1\nd: 1_000\n", false},
		"a big number":              {"a: 18446744073709551615\n", false},
		"exponents":                 {"a: 1e3\nb: 1E-7\nc: .5\nd: 5.\n", false},
		"infinity":                  {"a: .Inf\n", false},
		"a date":                    {"a: 2001-12-14\n", false},
		"letters beyond ASCII":      {"a: ü\n", false},
		"a tag":                     {"a: !!str 1\nb: !!int \"1\"\n", false},
		"a number as key":           {"1: a\n", false},
		"a key twice":               {"a: 1\na: 2\n", false},
		"negative zero":             {"a: -0\nb: -0.0\n", false},
		"a capital True":            {"a: True\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			node, err := yaml.Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			wantJSON, wantErr := node.MarshalJSON()
			var wantYAML []byte
			if wantErr == nil {
				wantYAML, wantErr = k8syaml.JSONToYAML(wantJSON)
			}
			alone, _, aloneErr := print(node, false)
			gotJSON, gotYAML, err := print(node, true)
			if string(alone) != string(gotJSON) || (aloneErr == nil) != (err == nil) {
				t.Errorf("without YAML: %s %v", alone, aloneErr)
			}
			if string(gotJSON) != string(wantJSON) && err == nil || string(gotYAML) != string(wantYAML) || (err == nil) != (wantErr == nil) {
				t.Errorf("got %s %s %v\nwant %s %s %v", gotJSON, gotYAML, err, wantJSON, wantYAML, wantErr)
			}
			if _, plain := plainMap(node.YNode(), 0); plain != c.plain {
				t.Errorf("plain: %v", plain)
			}
		})
	}
}
