package parity

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// Large repositories are where an index could go wrong without a small one showing it.
func TestGenerated(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no Node to generate repositories with")
	}
	count := 1000
	if testing.Short() {
		count = 60
	}
	e, r := startEngine(t), startReference(t)
	for _, layout := range []string{"flat", "folders", "nested", "patched", "components", "workloads"} {
		t.Run(layout, func(t *testing.T) {
			root := t.TempDir()
			write := filepath.Join("..", "..", "..", "__tests__", "bench", "write.mjs")
			if text, err := exec.Command("node", write, layout, strconv.Itoa(count), root).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			if !compare(t, r, e, job{Repository: root, Path: "clusters/prod", Spec: map[string]any{}}) {
				t.Error("not built")
			}
		})
	}
}
