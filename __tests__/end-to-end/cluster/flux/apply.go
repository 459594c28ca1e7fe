package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/clusterreader"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/engine"
	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/normalize"
	"github.com/fluxcd/pkg/ssa/utils"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	manager = "kustomize-controller"
	group   = "kustomize.toolkit.fluxcd.io"
)

// applied is what an apply did, and the inventory that comes of it where it went through.
type applied struct {
	changes   []Change
	inventory []Reference
	skipped   map[string]bool
}

func resourceManager(c client.Client) *ssa.ResourceManager {
	// The controller asks for each object by name, as it may not list all of a kind (DisableStatusPollerCache).
	poller := polling.NewStatusPoller(c, c.RESTMapper(), polling.Options{
		ClusterReaderFactory: engine.ClusterReaderFactoryFunc(clusterreader.NewDirectClusterReader),
	})
	resources := ssa.NewResourceManager(c, poller, ssa.Owner{Field: manager, Group: group})
	resources.SetConcurrency(4)
	return resources
}

func apply(ctx context.Context, c client.Client, k Kustomization, objects []*unstructured.Unstructured) (applied, error) {
	done := applied{inventory: []Reference{}, skipped: map[string]bool{}}
	resources := resourceManager(c)
	resources.SetOwnerLabels(objects, k.Metadata.Name, k.Metadata.Namespace)
	if err := normalize.UnstructuredList(objects); err != nil {
		return done, err
	}
	if common := k.Spec.CommonMetadata; common != nil {
		utils.SetCommonMetadata(objects, common.Labels, common.Annotations)
	}
	for _, object := range objects {
		if encrypted(object) {
			return done, fmt.Errorf("%s is SOPS encrypted, configuring decryption is required for this secret to be reconciled",
				utils.FmtUnstructured(object))
		}
	}
	if len(objects) == 0 {
		return done, nil
	}
	set, err := resources.ApplyAllStaged(ctx, objects, options(k))
	var log strings.Builder
	if set != nil {
		for _, entry := range set.Entries {
			done.add(entry)
			if entry.Action != ssa.SkippedAction && entry.Action != ssa.UnchangedAction {
				log.WriteString(entry.String() + "\n")
			}
		}
	}
	if err != nil {
		return done, fmt.Errorf("%w\n%s", err, log.String())
	}
	return done, nil
}

func (a *applied) add(entry ssa.ChangeSetEntry) {
	a.changes = append(a.changes, Change{entry.Subject, entry.Action.String()})
	id := entry.ObjMetadata.String()
	if entry.Action == ssa.SkippedAction {
		a.skipped[id] = true
		return
	}
	a.inventory = append(a.inventory, Reference{ID: id, Version: entry.GroupVersion})
}

// options are those of the controller without flags of its own (internal/controller, apply).
func options(k Kustomization) ssa.ApplyOptions {
	o := ssa.DefaultApplyOptions()
	o.Force = k.Spec.Force
	o.ExclusionSelector = map[string]string{group + "/reconcile": "disabled", group + "/ssa": "Ignore"}
	o.IfNotPresentSelector = map[string]string{group + "/ssa": "IfNotPresent"}
	o.ForceSelector = map[string]string{group + "/force": "enabled"}
	o.Cleanup = ssa.ApplyCleanupOptions{
		Annotations: []string{corev1.LastAppliedConfigAnnotation, group + "/checksum", "fluxcd.io/sync-checksum"},
		Labels:      []string{"fluxcd.io/sync-gc-mark"},
		Exclusions:  map[string]string{group + "/ssa": "Merge"},
		FieldManagers: []ssa.FieldManager{
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: manager, OperationType: metav1.ManagedFieldsOperationUpdate},
		},
	}
	return o
}

func encrypted(object *unstructured.Unstructured) bool {
	_, sops := object.Object["sops"]
	return sops && object.GetKind() == "Secret" && object.GetAPIVersion() == "v1" &&
		!strings.EqualFold(object.GetAnnotations()[group+"/decrypt"], "disabled")
}
