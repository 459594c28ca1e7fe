package main

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// reconcile fails only where it could not ask; what the controller would put into a condition is in the answer.
func reconcile(ctx context.Context, config *rest.Config, request Request) (*Answer, error) {
	own, err := connect(config, "")
	if err != nil {
		return nil, err
	}
	as, err := connect(config, request.Kustomization.user())
	if err != nil {
		return nil, err
	}
	answer := &Answer{Changes: []Change{}, Inventory: append([]Reference{}, request.Inventory...)}
	var failure *Failure
	switch err := answer.run(ctx, own, as, request); {
	case err == nil:
		answer.Ready, answer.Reason = true, "ReconciliationSucceeded"
	case errors.As(err, &failure):
		answer.Reason, answer.Message = failure.Reason, failure.Error()
	default:
		return nil, err
	}
	answer.Objects, err = live(ctx, own, append(request.Inventory, answer.Inventory...))
	return answer, err
}

func (a *Answer) run(ctx context.Context, own, as client.Client, request Request) error {
	objects, err := build(ctx, own, request)
	if err != nil {
		return err
	}
	applied, err := apply(ctx, as, request.Kustomization, objects)
	a.Changes = append(a.Changes, applied.changes...)
	if err != nil {
		return &Failure{"ReconciliationFailed", err}
	}
	// The inventory is stored before anything is pruned, so what cannot be deleted is forgotten.
	a.Inventory = applied.inventory
	deleted, err := prune(ctx, as, request.Kustomization, stale(request.Inventory, applied))
	a.Changes = append(a.Changes, deleted...)
	if err != nil {
		return &Failure{"PruneFailed", err}
	}
	return nil
}

// connect impersonates the user, if one is given, as the controller does.
func connect(config *rest.Config, user string) (client.Client, error) {
	config = rest.CopyConfig(config)
	config.QPS, config.Burst = 500, 1000
	config.UserAgent = "kustomize-controller"
	config.Impersonate.UserName = user
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	mapper, err := apiutil.NewDynamicRESTMapper(config, http)
	if err != nil {
		return nil, err
	}
	return client.New(config, client.Options{HTTPClient: http, Mapper: mapper})
}

// live reads each object of the references that is there.
func live(ctx context.Context, own client.Client, references []Reference) ([]*unstructured.Unstructured, error) {
	found := []*unstructured.Unstructured{}
	seen := map[Reference]bool{}
	for _, reference := range references {
		if seen[reference] {
			continue
		}
		seen[reference] = true
		object, err := reference.object()
		if err != nil {
			return nil, err
		}
		switch err := own.Get(ctx, client.ObjectKeyFromObject(object), object); {
		case err == nil:
			found = append(found, object)
		case !apierrors.IsNotFound(err):
			return nil, fmt.Errorf("reading %s: %w", reference.ID, err)
		}
	}
	return found, nil
}
