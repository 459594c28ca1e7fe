package apiserver

import (
	"fmt"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Preconditions are those of DeleteOptions.
type Preconditions struct {
	UID             *string `json:"uid"`
	ResourceVersion *string `json:"resourceVersion"`
}

// Delete removes an object, or marks it where it has finalizers.
func (s *Server) Delete(ref Ref, dryRun bool, preconditions Preconditions) (*Result, error) {
	now := s.tick()
	v, key, err := s.find(ref)
	if err != nil {
		return nil, err
	}
	live, ok := s.objects[key]
	if !ok {
		return nil, apierrors.NewNotFound(v.resource.groupResource(), ref.Name)
	}
	current := meta(live.content)
	kind := schema.GroupResource{Group: v.resource.group, Resource: v.resource.kind}
	if want := preconditions.UID; want != nil && *want != live.uid() {
		return nil, apierrors.NewConflict(kind, ref.Name, fmt.Errorf("the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated", *want, live.uid()))
	}
	if want := preconditions.ResourceVersion; want != nil && *want != current.GetResourceVersion() {
		return nil, apierrors.NewConflict(kind, ref.Name, fmt.Errorf("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s). The object might have been modified", *want, current.GetResourceVersion()))
	}
	result := &Result{Code: http.StatusOK, object: live, version: v}
	if len(current.GetFinalizers()) == 0 {
		result.withoutObject = true
		if !dryRun {
			delete(s.objects, key)
			s.revision++
			if key.isNamespace() {
				s.empty(key.name, now)
			}
		}
		return result, nil
	}
	if current.GetDeletionTimestamp() != nil {
		return result, nil
	}
	result.object = s.marked(live, now, dryRun)
	if !dryRun {
		s.objects[key] = result.object
	}
	return result, nil
}

// marked is an object that goes when its finalizers are gone.
func (s *Server) marked(live *object, now metav1.Time, dryRun bool) *object {
	content := withMetadata(live.content)
	u := meta(content)
	u.SetDeletionTimestamp(&now)
	none := int64(0)
	u.SetDeletionGracePeriodSeconds(&none)
	if u.GetGeneration() > 0 {
		u.SetGeneration(u.GetGeneration() + 1)
	}
	if !dryRun {
		s.revision++
		u.SetResourceVersion(strconv.FormatInt(s.revision, 10))
	}
	return &object{version: live.version, content: content, managed: live.managed}
}

func (k key) isNamespace() bool { return k.group == "" && k.kind == "Namespace" }

// empty deletes what is in a namespace, as its controller does once the namespace is deleted. There is no waiting: what has
// finalizers is marked, and stays behind.
func (s *Server) empty(namespace string, now metav1.Time) {
	s.gone[namespace] = true
	inside := map[string]key{}
	for key := range s.objects {
		if key.namespace == namespace {
			inside[fmt.Sprint(key)] = key
		}
	}
	for _, name := range sortedKeys(inside) {
		key := inside[name]
		switch live := s.objects[key]; {
		case len(meta(live.content).GetFinalizers()) == 0:
			delete(s.objects, key)
			s.revision++
		case meta(live.content).GetDeletionTimestamp() == nil:
			s.objects[key] = s.marked(live, now, false)
		}
	}
}
