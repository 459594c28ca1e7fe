package apiserver

import (
	"encoding/json"
	"net/http"
	"strings"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// This file is what fluxcd/pkg/ssa 0.67.1 does between its dry run and its apply (patch.go, manager_apply.go,
// manager_diff.go). It is not imported, as a client of the API server would come with it; a test compares the two.

// A Manager is one that Flux takes the fields of: FieldManager of the package ssa.
type Manager struct {
	Name          string                            `json:"name"`
	ExactMatch    bool                              `json:"exactMatch"`
	OperationType metav1.ManagedFieldsOperationType `json:"operationType"`
}

// A Cleanup is ApplyCleanupOptions of the package ssa.
type Cleanup struct {
	Annotations   []string          `json:"annotations"`
	Labels        []string          `json:"labels"`
	FieldManagers []Manager         `json:"fieldManagers"`
	Exclusions    map[string]string `json:"exclusions"`
}

type patchOperation struct {
	Operation string                      `json:"op"`
	Path      string                      `json:"path"`
	Value     []metav1.ManagedFieldsEntry `json:"value,omitempty"`
}

// Takeover patches a live object as Flux does before it applies desired. Without anything to do the patch is nil.
func (s *Server) Takeover(ref Ref, desired map[string]any, cleanup Cleanup, how Request) (*Result, []byte, error) {
	live, err := s.Get(ref)
	if err != nil {
		return nil, nil, err
	}
	if !cleanup.concerns(live.object) {
		return live, nil, nil
	}
	existing := &unstructured.Unstructured{}
	if err := existing.UnmarshalJSON(live.AppendJSON(nil)); err != nil {
		return nil, nil, err
	}
	if inMetadata(meta(desired), cleanup.Exclusions) || inMetadata(existing, cleanup.Exclusions) {
		return live, nil, nil
	}
	patch, err := cleanup.patch(existing, how.Manager)
	if err != nil || len(patch) == 0 {
		return live, nil, err
	}
	text, err := json.Marshal(patch)
	if err != nil {
		return nil, nil, err
	}
	result, err := s.JSONPatch(ref, text, how)
	return result, text, err
}

// concerns says whether there is anything to do, so that an object is written and read again only then.
func (c Cleanup) concerns(live *object) bool {
	if live.badManaged != nil {
		return true
	}
	for _, l := range live.managed.lines() {
		entry := metav1.ManagedFieldsEntry{
			Manager: l.manager, Operation: metav1.ManagedFieldsOperationType(l.operation), Subresource: l.subresource,
		}
		if matches(entry, c.FieldManagers) {
			return true
		}
	}
	u := meta(live.content)
	return removals("annotations", u.GetAnnotations(), c.Annotations) != nil || removals("labels", u.GetLabels(), c.Labels) != nil
}

func inMetadata(object *unstructured.Unstructured, wanted map[string]string) bool {
	if object.Object == nil {
		return false
	}
	labels, annotations := object.GetLabels(), object.GetAnnotations()
	for key, value := range wanted {
		if labels[key] != "" && strings.EqualFold(labels[key], value) ||
			annotations[key] != "" && strings.EqualFold(annotations[key], value) {
			return true
		}
	}
	return false
}

func has(m map[string]string, key string) bool {
	_, ok := m[key]
	return ok
}

func (c Cleanup) patch(object *unstructured.Unstructured, owner string) ([]patchOperation, error) {
	out := removals("annotations", object.GetAnnotations(), c.Annotations)
	out = append(out, removals("labels", object.GetLabels(), c.Labels)...)
	entries, err := takeOver(object.GetManagedFields(), c.FieldManagers, owner)
	if err != nil {
		return nil, err
	}
	if entries != nil {
		out = append(out, patchOperation{Operation: "replace", Path: "/metadata/managedFields", Value: entries})
	}
	return out, nil
}

func removals(field string, there map[string]string, keys []string) []patchOperation {
	var out []patchOperation
	for _, key := range keys {
		if has(there, key) {
			path := "/metadata/" + field + "/" + strings.ReplaceAll(key, "/", "~1")
			out = append(out, patchOperation{Operation: "remove", Path: path})
		}
	}
	return out
}

// takeOver is PatchReplaceFieldsManagers: the entries of the managers become part of the owner's, which comes last. Nil is no
// change. The owner's own entry stays beside it where one that it takes over comes first, as upstream does not know it any more
// then; the API server, which has one entry for a manager, keeps the last.
func takeOver(entries []metav1.ManagedFieldsEntry, managers []Manager, owner string) ([]metav1.ManagedFieldsEntry, error) {
	var taken, none metav1.ManagedFieldsEntry
	for _, entry := range entries {
		if entry.Manager == owner && entry.Operation == metav1.ManagedFieldsOperationApply {
			taken = entry
		}
	}
	kept, edited := []metav1.ManagedFieldsEntry{}, false
	for _, entry := range entries {
		switch {
		case entry == taken: // with the same pointers
		case !matches(entry, managers):
			kept = append(kept, entry)
		case taken == none:
			entry.Manager, entry.Operation = owner, metav1.ManagedFieldsOperationApply
			taken, edited = entry, true
		default:
			merged, err := union(taken.FieldsV1, entry.FieldsV1)
			if err != nil {
				return nil, err
			}
			taken.FieldsV1, edited = merged, true
		}
	}
	if !edited {
		return nil, nil
	}
	return append(kept, taken), nil
}

func matches(entry metav1.ManagedFieldsEntry, managers []Manager) bool {
	for _, manager := range managers {
		if entry.Operation != manager.OperationType || entry.Subresource != "" {
			continue
		}
		if entry.Manager == manager.Name || !manager.ExactMatch && strings.HasPrefix(entry.Manager, manager.Name) {
			return true
		}
	}
	return false
}

func union(a, b *metav1.FieldsV1) (*metav1.FieldsV1, error) {
	if a == nil {
		return b, nil
	}
	if b == nil {
		return a, nil
	}
	var sets [2]fieldpath.Set
	for i, fields := range []*metav1.FieldsV1{a, b} {
		if err := sets[i].FromJSON(strings.NewReader(string(fields.Raw))); err != nil {
			return nil, err
		}
	}
	text, err := sets[0].Union(&sets[1]).ToJSON()
	if err != nil {
		return nil, err
	}
	return &metav1.FieldsV1{Raw: text}, nil
}

// Drifted is hasDrifted for the answer of an apply. HorizontalPodAutoscalers are compared as they are.
func (r *Result) Drifted() bool {
	if r.Code == http.StatusCreated || r.Before == nil {
		return true
	}
	if r.Before.object == r.object {
		return false
	}
	before, after := r.Before.object.at(r.version), r.object.at(r.version)
	if !apiequality.Semantic.DeepEqual(meta(after).GetLabels(), meta(before).GetLabels()) ||
		!apiequality.Semantic.DeepEqual(meta(after).GetAnnotations(), meta(before).GetAnnotations()) {
		return true
	}
	return !apiequality.Semantic.DeepEqual(compared(after), compared(before))
}

func compared(content map[string]any) map[string]any {
	out := make(map[string]any, len(content))
	for key, value := range content {
		if key != "metadata" && key != "status" {
			out[key] = value
		}
	}
	return out
}
