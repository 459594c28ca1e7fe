package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const upstream = `// Licence.

package thing

import (
	"context"
	"fmt"
	heavy "k8s.io/kubernetes/pkg/controller/heavy"
	"k8s.io/klog/v2"
)

// Strategy is asked.
var Strategy = strategy{}

type strategy struct{}

// Validate says what is wrong.
func (strategy) Validate(ctx context.Context) string { return check(heavy.Name) }

// Resize is nobody's to ask.
func (strategy) Resize() { klog.Info("resized") }

func check(name string) string { return fmt.Sprint(name, limit) }

const limit = 3

func unused() { klog.Info("unused") }
`

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestCutKeepsWhatTheStrategyNeeds(t *testing.T) {
	root := folder(t, map[string]string{
		"pkg/thing/strategy.go":         upstream,
		"pkg/thing/strategy_test.go":    "package thing\n\nvar Strategy int\n",
		"pkg/controller/heavy/heavy.go": "package heavy\n\nconst Name = \"heavy\"\n\nfunc Client() {}\n",
	})
	files, err := cut(root, "pkg/thing", part{roots: []string{"Strategy"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 {
		t.Fatalf("files: %d", len(files))
	}
	text := string(files["strategy.go"])
	for _, kept := range []string{"// Licence.", "var Strategy", "// Validate says", `check("heavy")`, "func check", "const limit", `"fmt"`} {
		if !strings.Contains(text, kept) {
			t.Errorf("%q is missing in:\n%s", kept, text)
		}
	}
	for _, left := range []string{"Resize", "unused", "klog", "pkg/controller"} {
		if strings.Contains(text, left) {
			t.Errorf("%q is left in:\n%s", left, text)
		}
	}
}

func TestCutTakesOwnDeclarationsInstead(t *testing.T) {
	root := folder(t, map[string]string{"pkg/thing/strategy.go": upstream})
	files, err := cut(root, "pkg/thing", part{roots: []string{"Ask"}, instead: "const limit = 4\n\nfunc Ask() string { return check(\"a\") }\n"})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(files["strategy.go"]); strings.Contains(text, "limit = 3") || !strings.Contains(text, "func check") {
		t.Errorf("upstream:\n%s", text)
	}
	if text := string(files[ownName]); !strings.Contains(text, "limit = 4") {
		t.Errorf("own:\n%s", text)
	}
}

func TestCutSaysWhatIsMissing(t *testing.T) {
	root := folder(t, map[string]string{"pkg/thing/strategy.go": "package thing\n"})
	if _, err := cut(root, "pkg/thing", part{roots: []string{"Strategy"}}); err == nil || !strings.Contains(err.Error(), "Strategy") {
		t.Errorf("error: %v", err)
	}
}
