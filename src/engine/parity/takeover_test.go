package parity

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/fluxcd/pkg/ssa"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestTakeover holds what the apply module patches before an apply against what fluxcd/pkg/ssa would send.
func TestTakeover(t *testing.T) {
	program := filepath.Join("..", ".build", "programs", runtime.GOOS+"-"+strings.Replace(runtime.GOARCH, "amd64", "x64", 1), "apply")
	if _, err := os.Stat(program); err != nil {
		t.Skip("no program of the module (npm run build:engine -- --program)")
	}
	p := start(t, "", program)
	if state := string(p.next()); state != `{"locked":true}` {
		t.Fatal(state)
	}
	random := rand.New(rand.NewSource(1))
	patched := 0
	for i := range 500 {
		managers := cleaned(random)
		annotations, labels := []string{"a", "example.org/b"}, []string{"a"}
		live, got := p.takeover(owned(random, fmt.Sprintf("o-%d", i)), managers, annotations, labels)
		want := upstream(t, live, managers, annotations, labels)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%d: got  %v\nwant %v", i, got, want)
		}
		if want != nil {
			patched++
		}
	}
	if patched < 100 || patched > 490 {
		t.Errorf("%d of 500 objects are patched", patched)
	}
}

// upstream is the patch as JSON that was read; nil is none.
func upstream(t *testing.T, object *unstructured.Unstructured, managers []ssa.FieldManager, annotations, labels []string) any {
	patch := append(ssa.PatchRemoveAnnotations(object, annotations), ssa.PatchRemoveLabels(object, labels)...)
	replaced, err := ssa.PatchReplaceFieldsManagers(object, managers, "kustomize-controller")
	if err != nil {
		t.Fatal(err)
	}
	if patch = append(patch, replaced...); len(patch) == 0 {
		return nil
	}
	return reread(t, patch)
}

func reread(t *testing.T, v any) (out any) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// takeover puts an object in place, and gives it as it is then, with its entries in order, and the patch.
func (p *process) takeover(object *unstructured.Unstructured, managers []ssa.FieldManager, annotations, labels []string) (*unstructured.Unstructured, any) {
	header, err := json.Marshal(map[string]any{"op": "ask", "operations": []any{
		map[string]any{"op": "put-raw", "object": object.Object},
		map[string]any{
			"op": "takeover", "manager": "kustomize-controller", "dryRun": true,
			"ref":           map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "namespace": "n", "name": object.GetName()},
			"fieldManagers": managers, "annotations": annotations, "labels": labels,
		},
	}})
	if err != nil {
		p.t.Fatal(err)
	}
	text := p.call(chunk(nil, header))
	var answer struct {
		OK      bool
		Answers []struct {
			Status int
			Object map[string]any
			Patch  any
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil || !answer.OK || answer.Answers[1].Status != 200 {
		p.t.Fatalf("%v: %s", err, text)
	}
	return &unstructured.Unstructured{Object: answer.Answers[0].Object}, answer.Answers[1].Patch
}

func owned(random *rand.Rand, name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap"}}
	object.SetName(name)
	object.SetNamespace("n")
	if random.Intn(3) == 0 {
		object.SetAnnotations(map[string]string{"example.org/b": "x", "c": "x"})
	}
	if random.Intn(4) == 0 {
		object.SetLabels(map[string]string{"a": "x"})
	}
	entries := []metav1.ManagedFieldsEntry{}
	for _, manager := range []string{"kubectl", "kubectl-client-side-apply", "kubectl-edit", "before-first-apply", "kustomize-controller", "helm"} {
		for _, operation := range []metav1.ManagedFieldsOperationType{"Apply", "Update"} {
			if random.Intn(3) > 0 {
				continue
			}
			data := map[string]any{}
			for _, key := range []string{"f:a", "f:b", "f:c"} {
				if random.Intn(2) == 0 {
					data[key] = map[string]any{}
				}
			}
			raw, _ := json.Marshal(map[string]any{"f:data": data})
			subresource := ""
			if random.Intn(6) == 0 {
				subresource = "status"
			}
			entries = append(entries, metav1.ManagedFieldsEntry{
				Manager: manager, Operation: operation, APIVersion: "v1", FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: raw},
				Subresource: subresource,
			})
		}
	}
	object.SetManagedFields(entries)
	return object
}

func cleaned(random *rand.Rand) []ssa.FieldManager {
	all := []ssa.FieldManager{
		{Name: "kubectl", OperationType: "Update"},
		{Name: "kubectl", OperationType: "Apply", ExactMatch: true},
		{Name: "before-first-apply", OperationType: "Update", ExactMatch: true},
	}
	return all[:random.Intn(len(all)+1)]
}
