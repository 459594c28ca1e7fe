package parity

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// asWorker makes the test binary a process that builds with the real packages.
const asWorker = "PARITY_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(asWorker) != "" {
		if err := work(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A process that answers on its standard output.
type process struct {
	t   testing.TB
	in  io.WriteCloser
	out *bufio.Reader
}

func start(t *testing.T, env, name string, args ...string) *process {
	t.Helper()
	command := exec.Command(name, args...)
	command.Env = append(os.Environ(), env)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		command.Wait()
	})
	return &process{t, in, bufio.NewReader(out)}
}

// A reference builds with the real packages.
type reference struct{ *process }

func startReference(t *testing.T) reference {
	return reference{start(t, asWorker+"=1", os.Args[0])}
}

func (r reference) build(j job) verdict {
	r.t.Helper()
	text, err := json.Marshal(j)
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(r.in, "%s\n", text); err != nil {
		r.t.Fatal(err)
	}
	line, err := r.out.ReadBytes('\n')
	if err != nil {
		r.t.Fatal(err)
	}
	var v verdict
	if err := json.Unmarshal(line, &v); err != nil {
		r.t.Fatal(err)
	}
	return v
}

// An engine is the native engine, which speaks frames.
type engine struct {
	*process
	loaded string
}

func startEngine(t *testing.T) *engine {
	t.Helper()
	native := os.Getenv("CUSTOMIZER_LINT_NATIVE")
	if native == "" {
		native = filepath.Join("..", ".build", "native")
	}
	if _, err := os.Stat(native); err != nil {
		t.Skip("no native engine (npm run build:engine -- --native)")
	}
	return &engine{process: start(t, "", native, "-serve")}
}

// answer is BuildResponse of protocol.ts.
type answer struct {
	OK      bool
	YAML    string
	SHA256  string
	Objects []struct {
		Value struct {
			Kind     string
			Metadata struct{ Name, Namespace string }
		}
		Dropped string
	}
	Error struct{ Message, Class string }
}

func (e *engine) build(j job, output string) answer {
	e.t.Helper()
	var a answer
	if err := json.Unmarshal(e.ask(j, output), &a); err != nil {
		e.t.Fatal(err)
	}
	return a
}

// ask returns the answer to a build as it is.
func (e *engine) ask(j job, output string) []byte {
	e.t.Helper()
	if e.loaded != j.Repository {
		e.call(loadFrame(e.t, j.Repository))
		e.loaded = j.Repository
	}
	header, err := json.Marshal(map[string]any{"op": "build", "path": j.Path, "kustomization": j.Spec, "output": output})
	if err != nil {
		e.t.Fatal(err)
	}
	return e.call(chunk(nil, header))
}

func (p *process) call(frame []byte) []byte {
	p.t.Helper()
	if _, err := p.in.Write(chunk(nil, frame)); err != nil {
		p.t.Fatal(err)
	}
	return p.next()
}

// next is the text that it says next.
func (p *process) next() []byte {
	p.t.Helper()
	var n uint32
	if err := binary.Read(p.out, binary.LittleEndian, &n); err != nil {
		p.t.Fatal(err)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(p.out, text); err != nil {
		p.t.Fatal(err)
	}
	return text
}

func chunk(frame, text []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(frame, uint32(len(text))), text...)
}

func loadFrame(t testing.TB, root string) []byte {
	var links []string
	var files []byte
	walk(t, root, func(name string, d fs.DirEntry) {
		if !d.Type().IsRegular() {
			links = append(links, name)
			return
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		files = chunk(chunk(files, []byte(name)), text)
	})
	header, err := json.Marshal(map[string]any{"op": "load", "links": links})
	if err != nil {
		t.Fatal(err)
	}
	return append(chunk(nil, header), files...)
}

func walk(t testing.TB, root string, visit func(name string, d fs.DirEntry)) {
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, p)
		visit(filepath.ToSlash(name), d)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// corpus lists every kustomization of the repositories that are there to test with.
func corpus(t *testing.T) []job {
	t.Helper()
	folder := os.Getenv("CUSTOMIZER_LINT_CORPUS")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	repositories, err := os.ReadDir(folder)
	if err != nil {
		t.Skip("no corpus of repositories (CUSTOMIZER_LINT_CORPUS)")
	}
	var jobs []job
	for _, r := range repositories {
		if r.IsDir() {
			jobs = append(jobs, kustomizationsIn(t, filepath.Join(folder, r.Name()))...)
		}
	}
	return jobs
}

func kustomizationsIn(t *testing.T, root string) []job {
	var jobs []job
	walk(t, root, func(name string, d fs.DirEntry) {
		switch filepath.Base(name) {
		case "kustomization.yaml", "kustomization.yml", "Kustomization":
			jobs = append(jobs, job{Repository: root, Path: filepath.Dir(name), Spec: map[string]any{}})
		}
	})
	return jobs
}

// compare builds with both and reports any difference.
func compare(t *testing.T, r reference, e *engine, j job) (built bool) {
	t.Helper()
	want, got := r.build(j), e.build(j, "yaml")
	name := filepath.Base(j.Repository) + "/" + j.Path
	if as := e.build(j, "objects"); as.OK != got.OK || anyAddress(as.Error.Message) != anyAddress(got.Error.Message) {
		t.Errorf("%s: objects: %v, %+v; YAML: %v, %+v", name, as.OK, as.Error, got.OK, got.Error)
	}
	switch {
	case want.Error == "" && !got.OK:
		t.Errorf("%s: refused, but Flux builds it: %s", name, got.Error.Message)
	case want.Error != "" && got.OK:
		t.Errorf("%s: built, but Flux refuses it: %s", name, want.Error)
	case want.Error == "":
		if want.YAML != got.YAML {
			t.Errorf("%s: the output differs%s", name, firstDifference(want.YAML, got.YAML))
		}
		if want.SHA256 != got.SHA256 {
			t.Errorf("%s: SHA-256 %s, want %s", name, got.SHA256, want.SHA256)
		}
		return true
	case remote(want.Error) && got.Error.Class == "remote-base":
	case anyAddress(want.Error) != anyAddress(got.Error.Message):
		t.Errorf("%s: another refusal\n got %s\nwant %s", name, got.Error.Message, want.Error)
	}
	return false
}

// remote tells a build that failed for want of a network from others.
func remote(message string) bool {
	for _, sign := range []string{"git fetch", "dial tcp", "hit 27s timeout running", "HTTP Error", "proxyconnect"} {
		if strings.Contains(message, sign) {
			return true
		}
	}
	return false
}

var address = regexp.MustCompile(`0x[0-9a-f]{6,}`)

// anyAddress takes the addresses of memory out of a message; kustomize prints some.
func anyAddress(message string) string { return address.ReplaceAllString(message, "0x") }

func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf(" in line %d\n got %s\nwant %s", i+1, b[i], a[i])
		}
	}
	return fmt.Sprintf(": %d lines, want %d", len(b), len(a))
}

func TestCorpus(t *testing.T) {
	compareAll(t, some(corpus(t), 60))
}

// The repositories that the rules and the README are tested on are built as they are here.
func TestRepositoriesOfTheTests(t *testing.T) {
	tests, err := filepath.Abs(filepath.Join("..", "..", "..", "__tests__"))
	if err != nil {
		t.Fatal(err)
	}
	var roots []string
	for _, pattern := range []string{"examples/*", "rules/*/*"} {
		found, err := filepath.Glob(filepath.Join(tests, pattern))
		if err != nil {
			t.Fatal(err)
		}
		roots = append(roots, found...)
	}
	var jobs []job
	for _, root := range roots {
		if info, err := os.Stat(root); err == nil && info.IsDir() {
			jobs = append(jobs, kustomizationsIn(t, root)...)
		}
	}
	compareAll(t, some(jobs, 200))
}

func compareAll(t *testing.T, jobs []job) {
	t.Helper()
	e, r := startEngine(t), startReference(t)
	built := 0
	for _, j := range jobs {
		if compare(t, r, e, j) {
			built++
		}
	}
	t.Logf("%d kustomizations: %d built, %d refused", len(jobs), built, len(jobs)-built)
}

// some takes n of the jobs in the short run, five times as many in the long one, and all with FULL=1.
func some(jobs []job, n int) []job {
	if os.Getenv("FULL") != "" {
		return jobs
	}
	if !testing.Short() {
		n *= 5
	}
	return sample(jobs, n)
}

// sample takes some of the jobs, the same every time.
func sample(jobs []job, n int) []job {
	if len(jobs) <= n {
		return jobs
	}
	picked := rand.New(rand.NewSource(1)).Perm(len(jobs))[:n]
	slices.Sort(picked)
	var out []job
	for _, i := range picked {
		out = append(out, jobs[i])
	}
	return out
}

// The worker resets kustomize's global state between builds, which must be as good as a new process.
func TestResetIsAsGoodAsANewProcess(t *testing.T) {
	jobs := some(corpus(t), 60)
	n := 20
	if testing.Short() {
		jobs, n = sample(jobs, 20), 3
	}
	long := startReference(t)
	for _, j := range jobs {
		long.build(j)
	}
	for _, j := range sample(jobs, n) {
		if want, got := startReference(t).build(j), long.build(j); want.YAML != got.YAML || want.Error != got.Error {
			t.Errorf("%s/%s: a used process builds something else", j.Repository, j.Path)
		}
	}
}
