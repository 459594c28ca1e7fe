package parity

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	securejoin "github.com/cyphar/filepath-securejoin"
	"github.com/fluxcd/pkg/kustomize"
	ssautil "github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// A Question is a commit of a git repository, and what a cluster that Flux applies it to knows already.
type Question struct {
	Repository string `json:"repository"`
	Commit     string `json:"commit"`
	// Entrypoint is the Flux Kustomization by which the first directory is applied.
	Entrypoint map[string]any `json:"entrypoint"`
	// Sources are those of this repository in the cluster, each as Kind/namespace/name.
	Sources []string `json:"sources"`
	// URLs lead to this repository, OtherURLs to another; of a URL that is in neither nobody can tell.
	URLs      []string `json:"urls"`
	OtherURLs []string `json:"otherUrls"`
	// Existing are objects that the cluster has before: one that is applied only if it does not exist stays as it is.
	Existing []map[string]any `json:"existing"`
	// InCluster are objects of the cluster; with them, only the variables of the entrypoint are asked for, and there is no repository.
	InCluster []map[string]any `json:"inCluster"`
}

// An Answer is what is applied once nothing changes any more.
type Answer struct {
	Error   string   `json:"error,omitempty"`
	Objects []Object `json:"objects"`
	// Undecided are the objects that apply something that cannot be known from the repository, each with the reason.
	Undecided []string `json:"undecided"`
	// Failed are the Flux Kustomizations that cannot be built, each with the message.
	Failed []string `json:"failed"`
	// Variables are those of the entrypoint.
	Variables map[string]string `json:"variables,omitempty"`
}

// An Object is what one Flux Kustomization applies.
type Object struct {
	By    string         `json:"by"`
	Value map[string]any `json:"value"`
}

// More often than that no object of the tests leads to another one.
const mostRounds = 10

const fluxGroup = "kustomize.toolkit.fluxcd.io"

// AnswerQuestions answers until the input ends.
func AnswerQuestions(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && errors.Is(err, io.EOF) {
			return nil
		}
		var q Question
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		text, err := json.Marshal(q.answer())
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s\n", text); err != nil {
			return err
		}
	}
}

func (q Question) answer() Answer {
	if q.InCluster != nil {
		return q.loadVariables()
	}
	checkout, err := checkOut(q.Repository, q.Commit)
	if err != nil {
		return Answer{Error: err.Error()}
	}
	defer os.RemoveAll(checkout)
	c := &cluster{Question: q, checkout: checkout, artifacts: map[string]string{}}
	defer c.close()
	for range mostRounds {
		before := c.Answer
		if err := c.round(); err != nil {
			return Answer{Error: err.Error()}
		}
		// Messages may name a temporary folder.
		if reflect.DeepEqual(before.Objects, c.Objects) && reflect.DeepEqual(before.Undecided, c.Undecided) && len(before.Failed) == len(c.Failed) {
			return c.Answer
		}
	}
	return Answer{Error: "the cluster does not come to rest"}
}

// loadVariables answers with what postBuild of the entrypoint substitutes: those of substituteFrom, and over them its own.
func (q Question) loadVariables() Answer {
	c := &cluster{}
	for _, value := range q.InCluster {
		c.Objects = append(c.Objects, Object{Value: value})
	}
	k := unstructured.Unstructured{Object: q.Entrypoint}
	loaded, err := kustomize.LoadVariables(context.Background(), variables{c: c}, k)
	if err != nil {
		return Answer{Error: err.Error()}
	}
	own, _, err := unstructured.NestedStringMap(q.Entrypoint, "spec", "postBuild", "substitute")
	if err != nil {
		return Answer{Error: err.Error()}
	}
	for name, value := range own {
		loaded[name] = strings.ReplaceAll(value, "\n", "")
	}
	return Answer{Variables: loaded}
}

// A cluster is what the rounds so far have left, and what they are made of.
type cluster struct {
	Question
	Answer
	checkout string
	// By spec.ignore of the source.
	artifacts map[string]string
}

func (c *cluster) close() {
	for _, dir := range c.artifacts {
		os.RemoveAll(dir)
	}
}

// round lets every Flux Kustomization that is in the cluster reconcile once.
func (c *cluster) round() error {
	next := Answer{Objects: []Object{}, Undecided: []string{}, Failed: []string{}}
	kustomizations := []map[string]any{c.Entrypoint}
	for _, o := range c.Objects {
		if u := (unstructured.Unstructured{Object: o.Value}); u.GetKind() == "ResourceSet" {
			next.Undecided = append(next.Undecided, idOf(o.Value)+": a ResourceSet")
		}
		if isFluxKustomization(o.Value) {
			kustomizations = append(kustomizations, o.Value)
		}
	}
	for i, k := range kustomizations {
		if slices.ContainsFunc(kustomizations[:i], func(other map[string]any) bool { return reflect.DeepEqual(other, k) }) {
			continue
		}
		artifact, why := c.sourceOf(k, i == 0)
		if why != "" {
			next.Undecided = append(next.Undecided, idOf(k)+": "+why)
		}
		if artifact == nil {
			continue
		}
		objects, err := c.reconcile(k, *artifact)
		if err != nil {
			next.Failed = append(next.Failed, idOf(k)+": "+err.Error())
			continue
		}
		for _, o := range objects {
			next.Objects = append(next.Objects, Object{By: idOf(k), Value: o.Object})
		}
	}
	c.Answer = next
	return nil
}

func isFluxKustomization(o map[string]any) bool {
	u := unstructured.Unstructured{Object: o}
	return u.GroupVersionKind().Group == fluxGroup && u.GetKind() == "Kustomization"
}

func idOf(o map[string]any) string {
	u := unstructured.Unstructured{Object: o}
	return u.GetKind() + "/" + u.GetNamespace() + "/" + u.GetName()
}

// sourceOf returns spec.ignore of the source where it is this repository, or why nobody can tell.
func (c *cluster) sourceOf(k map[string]any, first bool) (ignore *string, why string) {
	none := ""
	if first {
		return &none, ""
	}
	spec, _, _ := unstructured.NestedMap(k, "spec")
	if suspended, _ := spec["suspend"].(bool); suspended {
		return nil, "spec.suspend, which somebody may switch off"
	}
	if _, remote := spec["kubeConfig"]; remote {
		return nil, "spec.kubeConfig"
	}
	// The API server of Flux 2.8 serves this version alone.
	if (&unstructured.Unstructured{Object: k}).GroupVersionKind().Version != "v1" {
		return nil, "a version that is not served"
	}
	kind, _, _ := unstructured.NestedString(spec, "sourceRef", "kind")
	name, _, _ := unstructured.NestedString(spec, "sourceRef", "name")
	namespace, _, _ := unstructured.NestedString(spec, "sourceRef", "namespace")
	if namespace == "" {
		namespace = (&unstructured.Unstructured{Object: k}).GetNamespace()
	}
	id := kind + "/" + namespace + "/" + name
	for _, o := range c.Objects {
		if idOf(o.Value) == id && (&unstructured.Unstructured{Object: o.Value}).GroupVersionKind().Group == "source.toolkit.fluxcd.io" {
			return c.artifactOf(o.Value)
		}
	}
	if slices.Contains(c.Sources, id) {
		return &none, ""
	}
	return nil, "nothing says what " + id + " is"
}

func (c *cluster) artifactOf(source map[string]any) (ignore *string, why string) {
	if (&unstructured.Unstructured{Object: source}).GetKind() != "GitRepository" {
		return nil, ""
	}
	spec, _, _ := unstructured.NestedMap(source, "spec")
	url, _ := spec["url"].(string)
	if slices.Contains(c.OtherURLs, url) {
		return nil, ""
	}
	if !slices.Contains(c.URLs, url) {
		return nil, "nothing says whose " + url + " is"
	}
	if _, composed := spec["include"]; composed {
		return nil, "spec.include of its source"
	}
	ref, _ := spec["ref"].(map[string]any)
	if branch, _ := ref["branch"].(string); ref != nil && (len(ref) > 1 || branch != "main") {
		return nil, "spec.ref of its source"
	}
	text, _ := spec["ignore"].(string)
	return &text, ""
}

// artifact is what the source makes of the commit.
func (c *cluster) artifact(ignore string) (string, error) {
	if dir, ok := c.artifacts[ignore]; ok {
		return dir, nil
	}
	dir, err := archive(c.checkout, ignore)
	if err == nil {
		c.artifacts[ignore] = dir
	}
	return dir, err
}

// reconcile builds as kustomization_controller.go of kustomize-controller 1.8.0 does, up to what it would send.
func (c *cluster) reconcile(k map[string]any, ignore string) ([]*unstructured.Unstructured, error) {
	root, err := c.artifact(ignore)
	if err != nil {
		return nil, err
	}
	path, _, _ := unstructured.NestedString(k, "spec", "path")
	dir, err := securejoin.SecureJoin(root, path)
	if err != nil {
		return nil, err
	}
	openapi.ResetOpenAPI()
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("kustomization path not found: %s", Relative(err.Error(), root))
	}
	defer restore(dir)()
	text, err := c.build(k, root, dir)
	if err != nil {
		return nil, errors.New(Relative(err.Error(), root))
	}
	objects, err := ssautil.ReadObjects(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	common, _, _ := unstructured.NestedMap(k, "spec", "commonMetadata")
	if common != nil {
		labels, _, _ := unstructured.NestedStringMap(common, "labels")
		annotations, _, _ := unstructured.NestedStringMap(common, "annotations")
		ssautil.SetCommonMetadata(objects, labels, annotations)
	}
	objects = slices.DeleteFunc(objects, func(o *unstructured.Unstructured) bool { return c.isLeftAlone(o) })
	for i, o := range objects {
		objects[i] = c.kept(o)
	}
	return objects, nil
}

// kept returns the object of the cluster in place of one that is applied only if it does not exist.
func (c *cluster) kept(o *unstructured.Unstructured) *unstructured.Unstructured {
	if !ssautil.AnyInMetadata(o, map[string]string{fluxGroup + "/ssa": "IfNotPresent"}) {
		return o
	}
	for _, existing := range c.Existing {
		if idOf(existing) == idOf(o.Object) {
			return &unstructured.Unstructured{Object: existing}
		}
	}
	return o
}

func (c *cluster) build(k map[string]any, root, dir string) ([]byte, error) {
	object := unstructured.Unstructured{Object: k}
	if _, err := kustomize.NewGenerator(root, object).WriteFile(dir); err != nil {
		return nil, err
	}
	m, err := kustomize.SecureBuild(root, dir, false)
	if err != nil {
		return nil, fmt.Errorf("kustomize build failed: %w", err)
	}
	_, substitutes, _ := unstructured.NestedMap(k, "spec", "postBuild")
	for _, res := range m.Resources() {
		if res.GetName() == "" || res.GetKind() == "" || res.GetApiVersion() == "" {
			return nil, fmt.Errorf("failed to decode Kubernetes apiVersion, kind and name from: %v", res.String())
		}
		if !substitutes {
			continue
		}
		out, err := kustomize.SubstituteVariables(context.Background(), variables{c: c}, object, res)
		if err != nil {
			return nil, fmt.Errorf("post build failed for '%s/%s': %w", res.GetGvk(), res.GetName(), err)
		}
		if out != nil {
			if _, err := m.Replace(res); err != nil {
				return nil, err
			}
		}
	}
	return m.AsYaml()
}

// isLeftAlone tells of an object that Flux does not send (applyOptions in kustomization_controller.go, ssa/manager_apply.go).
func (c *cluster) isLeftAlone(o *unstructured.Unstructured) bool {
	if ssautil.AnyInMetadata(o, map[string]string{fluxGroup + "/reconcile": "disabled", fluxGroup + "/ssa": "Ignore"}) {
		return true
	}
	// The Packages of the platform are there already.
	return o.GetKind() == "Package" && ssautil.AnyInMetadata(o, map[string]string{fluxGroup + "/ssa": "IfNotPresent"})
}

// inRepository tells whether the name stays below the folder that it is joined to.
func inRepository(name string) bool {
	return filepath.IsLocal(name) && !slices.Contains(strings.Split(name, "/"), ".git")
}
