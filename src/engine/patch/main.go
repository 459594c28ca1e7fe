package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// A target is a Go module of the engine whose dependencies are patched.
type target struct {
	name string
	// folder is where its go.mod lies, relative to the engine's module.
	folder string
	// patches are applied in this order.
	patches []patch
	// originals names the SHA-256 of each file that is edited, as upstream has it.
	originals string
	// bakes says that the built-in OpenAPI definitions are among what is added.
	bakes bool
}

var targets = map[string]target{
	"render": {
		name: "render", folder: ".", patches: []patch{index, cut, trace, writers, limits}, originals: "patch/originals.txt", bakes: true,
	},
	"apply": {name: "apply", folder: "apply", patches: []patch{lean}, originals: "patch/originals-apply.txt"},
	"helm":  {name: "helm", folder: "helm", patches: []patch{charts}, originals: "patch/originals-helm.txt"},
}

func main() {
	of := flag.String("of", "render", "the module whose dependencies are patched: render, apply or helm")
	out := flag.String("out", ".build", "the build folder, relative to the engine's module")
	show := flag.Bool("show-patch", false, "print the unified difference of every changed file")
	sums := flag.Bool("update-originals", false, "write originals.txt anew, after the originals were read by a person")
	other := flag.String("upstream-diff", "", "print upstream's own difference of the edited files between MODULE@VERSION and the version in go.mod")
	flag.Parse()
	t, ok := targets[*of]
	err := error(nil)
	switch {
	case !ok:
		err = fmt.Errorf("-of %s: none of render, apply and helm", *of)
	case *other != "":
		err = t.upstreamDiff(*other)
	default:
		err = t.run(*out, *show, *sums)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "patch:", err)
		os.Exit(1)
	}
}

// run works in the folder of the engine's go.mod.
func (t target) run(out string, show, sums bool) error {
	modules, err := t.copies(out)
	if err != nil {
		return err
	}
	if t.bakes {
		if err := bakeOpenAPI(out); err != nil {
			return err
		}
	}
	originals, err := t.readOriginals()
	if err != nil {
		return err
	}
	seen := map[string]string{}
	for _, p := range t.patches {
		for _, e := range p.edits {
			m := modules[e.module]
			key := m.path + "@" + m.version + "/" + e.file
			if seen[key], err = m.sum(e.file); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			if !sums && originals[key] != seen[key] {
				return fmt.Errorf("%s: %s is not the file that the edits were made for (-update-originals, after reading it)", p.name, key)
			}
			if err := m.edit(e); err != nil {
				return fmt.Errorf("%s: %s: %w", p.name, m.path, err)
			}
		}
		for _, f := range p.files {
			if err := modules[f.module].add(f, out); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	if sums {
		if err := t.writeOriginals(seen); err != nil {
			return err
		}
	}
	if show {
		if err := t.showAll(modules); err != nil {
			return err
		}
	}
	return t.writeModfile(out, modules)
}

// copies are the modules that a patch edits or adds to, as upstream has them.
func (t target) copies(out string) (map[string]*module, error) {
	modules := map[string]*module{}
	for _, p := range t.patches {
		for _, e := range p.edits {
			modules[e.module] = nil
		}
		for _, f := range p.files {
			modules[f.module] = nil
		}
	}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		m, err := t.locate(path, out)
		if err != nil {
			return nil, err
		}
		if err := m.copy(); err != nil {
			return nil, err
		}
		modules[path] = m
	}
	return modules, nil
}

// showAll prints what the patches do and why, and the differences of the edited files.
func (t target) showAll(modules map[string]*module) error {
	for _, p := range t.patches {
		p.describe()
	}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		if err := modules[path].diff(); err != nil {
			return err
		}
	}
	return nil
}

// describe lists what a patch does and why; the differences of the edited files follow.
func (p patch) describe() {
	for _, e := range p.edits {
		fmt.Printf("# %s: edits %s/%s: %s\n", p.name, e.module, e.file, e.why)
	}
	for _, f := range p.files {
		verb := "adds"
		if f.from == "" {
			verb = "deletes"
		}
		fmt.Printf("# %s: %s %s/%s: %s\n", p.name, verb, f.module, f.path, f.why)
	}
}

// A module is copied from the module cache to the build folder.
type module struct {
	path, version string
	from, to      string
}

func (t target) locate(path, out string) (*module, error) {
	text, err := t.goTool("mod", "download", "-json", path).Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download %s: %w", path, err)
	}
	text, err = t.goTool("list", "-m", "-f", "{{.Version}}\t{{.Dir}}", path).Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m %s: %w", path, err)
	}
	version, dir, _ := strings.Cut(strings.TrimSpace(string(text)), "\t")
	return &module{path: path, version: version, from: dir, to: filepath.Join(out, "modules", strings.ReplaceAll(path, "/", "_"))}, nil
}

// goTool is Go's own, in the folder of the go.mod.
func (t target) goTool(args ...string) *exec.Cmd {
	command := exec.Command("go", args...)
	command.Dir = t.folder
	return command
}

// copy begins anew: what an earlier run has added or deleted is as upstream has it again.
func (m *module) copy() error {
	if err := os.RemoveAll(m.to); err != nil {
		return err
	}
	return filepath.WalkDir(m.from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(m.to, strings.TrimPrefix(path, m.from))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	})
}

// sum is the SHA-256 of a file as upstream has it.
func (m *module) sum(file string) (string, error) {
	original, err := os.ReadFile(filepath.Join(m.from, file))
	return fmt.Sprintf("%x", sha256.Sum256(original)), err
}

// edit changes a file that may have been edited before: it sees what the patches before it left.
func (m *module) edit(e edit) error {
	path := filepath.Join(m.to, e.file)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if text, err = apply(e.file, text, e.do); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

func (m *module) add(f file, out string) error {
	to := filepath.Join(m.to, f.path)
	if f.from == "" {
		return removeAll(to)
	}
	from := f.from
	if f.made {
		from = filepath.Join(out, f.from)
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

// removeAll deletes what a pattern names, which is something.
func removeAll(pattern string) error {
	found, err := filepath.Glob(pattern)
	if err == nil && found == nil {
		err = fmt.Errorf("no file is %s", pattern)
	}
	for _, path := range found {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

func (m *module) diff() error {
	command := exec.Command("git", "diff", "--no-index", "--no-prefix", "--no-color", "--diff-filter=M", m.from, m.to)
	text, err := command.Output()
	var failed *exec.ExitError
	if err != nil && !(errors.As(err, &failed) && failed.ExitCode() == 1) {
		return err
	}
	name := m.path + "@" + m.version
	text = bytes.ReplaceAll(text, []byte(strings.TrimPrefix(m.from, "/")), []byte(name))
	text = bytes.ReplaceAll(text, []byte("/"+name), []byte(name))
	text = bytes.ReplaceAll(text, []byte(m.to), []byte(name))
	_, err = os.Stdout.Write(text)
	return err
}

// writeModfile writes the go.mod with a replacement for every patched module, and its go.sum beside it.
func (t target) writeModfile(out string, modules map[string]*module) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(t.folder, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, name), text, 0o644); err != nil {
			return err
		}
	}
	modfile, err := filepath.Abs(filepath.Join(out, "go.mod"))
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		// Relative paths keep the build the same on every machine.
		to, err := filepath.Rel(t.folder, modules[path].to)
		if err != nil {
			return err
		}
		if to = filepath.ToSlash(to); !strings.HasPrefix(to, "../") {
			to = "./" + to
		}
		if text, err := t.goTool("mod", "edit", "-replace", path+"="+to, modfile).CombinedOutput(); err != nil {
			return fmt.Errorf("go mod edit: %w: %s", err, text)
		}
	}
	return nil
}

// bakeOpenAPI writes the built-in OpenAPI definitions of the unpatched kyaml.
func bakeOpenAPI(out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	command := exec.Command("go", "run", "-p", "2", "./patch/openapi")
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return fmt.Errorf("patch/openapi: %w", err)
	}
	return os.WriteFile(filepath.Join(out, "openapi.tsv"), text, 0o644)
}

func (t target) readOriginals() (map[string]string, error) {
	text, err := os.ReadFile(t.originals)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, key, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if _, err := hex.DecodeString(sum); err != nil || !ok {
			return nil, fmt.Errorf("%s: %q is no line of sha256sum", t.originals, line)
		}
		sums[key] = sum
	}
	return sums, nil
}

func (t target) writeOriginals(sums map[string]string) error {
	var lines []string
	for key, sum := range sums {
		lines = append(lines, sum+"  "+key+"\n")
	}
	sort.Slice(lines, func(i, j int) bool { return lines[i][64:] < lines[j][64:] })
	return os.WriteFile(t.originals, []byte(strings.Join(lines, "")), 0o644)
}
