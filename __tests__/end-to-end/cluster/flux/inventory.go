package main

import (
	"context"
	"sort"

	"github.com/fluxcd/cli-utils/pkg/object"
	"github.com/fluxcd/pkg/ssa"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// stale are the references of before that the apply neither made nor skipped.
func stale(before []Reference, now applied) []Reference {
	kept := map[string]bool{}
	for _, reference := range now.inventory {
		kept[reference.ID] = true
	}
	var gone []Reference
	for _, reference := range before {
		if !kept[reference.ID] && !now.skipped[reference.ID] {
			gone = append(gone, reference)
		}
	}
	return gone
}

// prune deletes the objects, of this Kustomization alone, that do not forbid it.
func prune(ctx context.Context, c client.Client, k Kustomization, references []Reference) ([]Change, error) {
	if !k.Spec.Prune {
		return nil, nil
	}
	var objects []*unstructured.Unstructured
	for _, reference := range references {
		o, err := reference.object()
		if err != nil {
			return nil, err
		}
		objects = append(objects, o)
	}
	sort.Sort(ssa.SortableUnstructureds(objects))
	resources := resourceManager(c)
	set, err := resources.DeleteAll(ctx, objects, ssa.DeleteOptions{
		PropagationPolicy: metav1.DeletePropagationBackground,
		Inclusions:        resources.GetOwnerLabels(k.Metadata.Name, k.Metadata.Namespace),
		Exclusions:        map[string]string{group + "/prune": "disabled", group + "/reconcile": "disabled"},
	})
	var changes []Change
	if set != nil {
		for _, entry := range set.Entries {
			changes = append(changes, Change{entry.Subject, entry.Action.String()})
		}
	}
	return changes, err
}

// object has no more than its identity.
func (r Reference) object() (*unstructured.Unstructured, error) {
	id, err := object.ParseObjMetadata(r.ID)
	if err != nil {
		return nil, err
	}
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(schema.GroupVersionKind{Group: id.GroupKind.Group, Version: r.Version, Kind: id.GroupKind.Kind})
	o.SetNamespace(id.Namespace)
	o.SetName(id.Name)
	return o, nil
}
