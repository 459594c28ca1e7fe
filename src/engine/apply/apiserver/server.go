package apiserver

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A Server holds what was defined and what was written.
type Server struct {
	resources map[schema.GroupKind]*resource
	state
	snapshots map[string]state
	builtins  *builtinTypes
	documents documents
}

// state is what a snapshot remembers. Objects do not change, so that the map is all there is to copy.
type state struct {
	objects map[key]*object
	// gone are namespaces that were deleted. Whether any other is there, nobody knows.
	gone     map[string]bool
	revision int64
	uids     int
	now      time.Time
	step     time.Duration
}

type key struct{ group, kind, namespace, name string }

// New is a server with the built-in kinds and no objects.
func New() *Server {
	s := &Server{resources: map[schema.GroupKind]*resource{}, snapshots: map[string]state{}, documents: documents{}}
	s.Reset()
	return s
}

// Reset forgets the objects.
func (s *Server) Reset() {
	s.state = state{objects: map[key]*object{}, gone: map[string]bool{}, now: time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC), step: time.Second}
}

// Snapshot remembers the objects under a name.
func (s *Server) Snapshot(name string) { s.snapshots[name] = s.state.copy() }

// Restore goes back to a snapshot; there must be one of that name.
func (s *Server) Restore(name string) error {
	kept, ok := s.snapshots[name]
	if !ok {
		return fmt.Errorf("there is no snapshot %q", name)
	}
	s.state = kept.copy()
	return nil
}

func (s state) copy() state {
	s.objects, s.gone = maps.Clone(s.objects), maps.Clone(s.gone)
	return s
}

// Clock sets the time of the next write and how much each moves it.
func (s *Server) Clock(now time.Time, step time.Duration) { s.now, s.step = now.UTC(), step }

func (s *Server) tick() metav1.Time {
	now := s.now
	s.now = s.now.Add(s.step)
	return metav1.Time{Time: now}
}

func (s *Server) nextUID() string {
	s.uids++
	return fmt.Sprintf("00000000-0000-4000-8000-%012d", s.uids)
}

var errNoKind = &apierrors.StatusError{ErrStatus: metav1.Status{
	Status: metav1.StatusFailure, Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound,
	Message: "the server could not find the requested resource",
}}

// find is the version that a reference asks for, and where its object is.
func (s *Server) find(ref Ref) (*version, key, error) {
	group, name := split(ref.APIVersion)
	r, err := s.resource(schema.GroupKind{Group: group, Kind: ref.Kind})
	if err != nil {
		return nil, key{}, err
	}
	if r == nil {
		return nil, key{}, errNoKind
	}
	v, ok := r.versions[name]
	if !ok || !v.served || r.namespaced != (ref.Namespace != "") {
		return nil, key{}, errNoKind
	}
	return v, key{group, ref.Kind, ref.Namespace, ref.Name}, nil
}

func (s *Server) resource(kind schema.GroupKind) (*resource, error) {
	if r, ok := s.resources[kind]; ok {
		return r, nil
	}
	r, err := s.builtin(kind)
	if err != nil {
		return nil, err
	}
	s.resources[kind] = r
	return r, nil
}

// Get reads an object.
func (s *Server) Get(ref Ref) (*Result, error) {
	v, key, err := s.find(ref)
	if err != nil {
		return nil, err
	}
	live, ok := s.objects[key]
	if !ok {
		return nil, apierrors.NewNotFound(v.resource.groupResource(), ref.Name)
	}
	return &Result{Code: http.StatusOK, object: live, version: v}, nil
}

// List reads the objects of a kind, sorted, in one namespace or in all.
func (s *Server) List(apiVersion, kind, namespace string) ([]*Result, error) {
	group, version := split(apiVersion)
	r, err := s.resource(schema.GroupKind{Group: group, Kind: kind})
	if err != nil {
		return nil, err
	}
	if r == nil || r.versions[version] == nil || !r.versions[version].served {
		return nil, errNoKind
	}
	found := map[string]*object{}
	for key, object := range s.objects {
		if key.group == group && key.kind == kind && (namespace == "" || key.namespace == namespace) {
			found[key.namespace+"/"+key.name] = object
		}
	}
	out := []*Result{}
	for _, name := range sortedKeys(found) {
		out = append(out, &Result{Code: http.StatusOK, object: found[name], version: r.versions[version]})
	}
	return out, nil
}

// split cuts an apiVersion into group and version.
func split(apiVersion string) (group, version string) {
	group, version, found := strings.Cut(apiVersion, "/")
	if !found {
		return "", apiVersion
	}
	return group, version
}
