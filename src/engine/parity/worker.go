package parity

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fluxcd/pkg/kustomize"
	"github.com/fluxcd/pkg/sourceignore"
	ssautil "github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// A job is one build by the real packages.
type job struct {
	Repository string `json:"repository"`
	// Path of the directory to build, relative to the repository.
	Path string         `json:"path"`
	Spec map[string]any `json:"spec"`
}

// A verdict is what came of it.
type verdict struct {
	YAML  string `json:"yaml,omitempty"`
	Error string `json:"error,omitempty"`
	// Applied are kind, namespace and name of what the controller would apply.
	Applied []string `json:"applied,omitempty"`
	SHA256  string   `json:"sha256,omitempty"`
}

// work answers jobs, one JSON document a line, as kustomize-controller 1.8.0 builds.
func work(in io.Reader, out io.Writer) error {
	artifacts := map[string]string{}
	defer func() {
		for _, dir := range artifacts {
			os.RemoveAll(dir)
		}
	}()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var j job
		if err := json.Unmarshal(lines.Bytes(), &j); err != nil {
			return err
		}
		root, ok := artifacts[j.Repository]
		if !ok {
			// Jobs of one repository follow each other, so one artifact is enough.
			for old, dir := range artifacts {
				os.RemoveAll(dir)
				delete(artifacts, old)
			}
			var err error
			if root, err = archive(j.Repository, ""); err != nil {
				return err
			}
			artifacts[j.Repository] = root
		}
		text, err := json.Marshal(j.run(root))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s\n", text); err != nil {
			return err
		}
	}
	return lines.Err()
}

// archive copies what source-controller 1.8.0 would pack (gitrepository_controller.go, artifact/storage/archive.go); ignore is
// spec.ignore of the source.
func archive(repository, ignore string) (string, error) {
	root, err := os.MkdirTemp("", "parity-")
	if err != nil {
		return "", err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return "", err
	}
	domain := strings.Split(repository, string(filepath.Separator))
	patterns, err := sourceignore.LoadIgnorePatterns(repository, domain)
	if err != nil {
		return "", err
	}
	if ignore != "" {
		patterns = append(patterns, sourceignore.ReadPatterns(strings.NewReader(ignore), domain)...)
	}
	matcher := sourceignore.NewDefaultMatcher(patterns, domain)
	if len(patterns) > 0 {
		matcher = sourceignore.NewMatcher(append(sourceignore.VCSPatterns(domain), patterns...))
	}
	return root, filepath.WalkDir(repository, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() || !d.Type().IsRegular() || matcher.Match(strings.Split(p, string(filepath.Separator)), false) {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		to := filepath.Join(root, strings.TrimPrefix(p, repository))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	})
}

// run builds and puts the directory back as it was.
func (j job) run(root string) verdict {
	// What a build leaves behind in kustomize's global schema must not reach the next one.
	openapi.ResetOpenAPI()
	dir := filepath.Join(root, filepath.Clean("/"+j.Path))
	defer restore(dir)()
	text, err := j.build(root, dir)
	if err != nil {
		return verdict{Error: Relative(err.Error(), root)}
	}
	v := verdict{YAML: string(text), SHA256: fmt.Sprintf("%x", sha256.Sum256(text))}
	objects, err := ssautil.ReadObjects(bytes.NewReader(text))
	if err != nil {
		return verdict{Error: err.Error()}
	}
	for _, o := range objects {
		v.Applied = append(v.Applied, o.GetKind()+"/"+o.GetNamespace()+"/"+o.GetName())
	}
	return v
}

func (j job) build(root, dir string) ([]byte, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("kustomization path not found: %w", err)
	}
	object := unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
		"metadata": map[string]any{"name": "test", "namespace": "flux-system"}, "spec": j.Spec,
	}}
	if _, err := kustomize.NewGenerator(root, object).WriteFile(dir); err != nil {
		return nil, err
	}
	m, err := kustomize.SecureBuild(root, dir, true)
	if err != nil {
		return nil, fmt.Errorf("kustomize build failed: %w", err)
	}
	for _, res := range m.Resources() {
		if res.GetName() == "" || res.GetKind() == "" || res.GetApiVersion() == "" {
			return nil, fmt.Errorf("failed to decode Kubernetes apiVersion, kind and name from: %v", res.String())
		}
		if _, ok := j.Spec["postBuild"]; !ok {
			continue
		}
		out, err := kustomize.SubstituteVariables(context.Background(), nil, object, res, kustomize.SubstituteWithDryRun(true))
		if err != nil {
			return nil, fmt.Errorf("post build failed for '%s/%s': %w", res.GetGvk(), res.GetName(), err)
		}
		if out != nil {
			if _, err := m.Replace(res); err != nil {
				return nil, err
			}
		}
	}
	text, err := m.AsYaml()
	if err != nil {
		return nil, fmt.Errorf("kustomize build failed: %w", err)
	}
	return text, nil
}

// restore remembers the kustomization that Flux is going to write over.
func restore(dir string) func() {
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			return func() { os.WriteFile(filepath.Join(dir, name), text, 0o644) }
		}
	}
	return func() { os.Remove(filepath.Join(dir, "kustomization.yaml")) }
}

// Relative cuts the folder of the artifact from a message as the engine cuts its root.
func Relative(message, root string) string {
	message = strings.ReplaceAll(message, root+"/", "")
	return strings.ReplaceAll(message, root, ".")
}
