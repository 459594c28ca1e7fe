package parity

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// startModule runs the module that is shipped in Node, with the same way to ask it.
func startModule(t *testing.T) *engine {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no Node")
	}
	module := filepath.Join("..", "..", "..", "dist", "engine", "render.wasm.br")
	if _, err := os.Stat(module); err != nil {
		t.Skip("no module (npm run build:engine)")
	}
	return &engine{process: start(t, "", "node", filepath.Join("..", "smoke", "serve.mjs"))}
}

// The module must answer as the program does, to the byte: objects, origins, steps, errors.
func TestModuleAnswersAsTheProgram(t *testing.T) {
	jobs := some(corpus(t), 60)
	native, module := startEngine(t), startModule(t)
	for _, j := range jobs {
		want, got := native.ask(j, "objects"), module.ask(j, "objects")
		if !bytes.Equal(want, got) {
			t.Errorf("%s/%s: %s", filepath.Base(j.Repository), j.Path, firstDifference(split(want), split(got)))
		}
	}
}

// split puts the entries of an answer on lines of their own, for a message.
func split(answer []byte) string {
	return string(bytes.ReplaceAll(answer, []byte(`},{`), []byte("},\n{")))
}
