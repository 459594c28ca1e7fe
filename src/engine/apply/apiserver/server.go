package apiserver

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"
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

// A Ref says which object, and in which version it is asked for.
type Ref struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
}

// RefOf is where an object says that it is.
func RefOf(content map[string]any) Ref {
	u := meta(content)
	return Ref{u.GetAPIVersion(), u.GetKind(), u.GetNamespace(), u.GetName()}
}

// A Request says how an object is written.
type Request struct {
	Manager       string
	DryRun, Force bool
	Subresource   string
}

// A Result is an object as it is answered, in the version that was asked for. Before is what was there.
type Result struct {
	Code          int
	object        *object
	version       *version
	Before        *Result
	withoutObject bool
}

// AppendJSON writes the object with sorted keys; Has says whether there is one.
func (r *Result) AppendJSON(out []byte) []byte {
	content := r.object.at(r.version)
	if len(r.object.managed.fields) > 0 {
		content = withMetadata(content)
		metadata, ok := content["metadata"].(map[string]any)
		if !ok {
			metadata = map[string]any{}
			content["metadata"] = metadata
		}
		metadata["managedFields"] = raw(r.object.managed.append(nil))
	}
	return appendJSON(out, content)
}

// AppendMetadata writes no more of the object than its labels and annotations, and who has written it, and how.
func (r *Result) AppendMetadata(out []byte) []byte {
	brief := map[string]any{}
	if metadata, ok := r.object.content["metadata"].(map[string]any); ok {
		for _, key := range []string{"labels", "annotations"} {
			if texts, ok := metadata[key]; ok {
				brief[key] = texts
			}
		}
	}
	if lines := r.object.managed.lines(); len(lines) > 0 {
		managers := make([]any, len(lines))
		for i, l := range lines {
			managers[i] = map[string]any{"manager": l.manager, "operation": l.operation}
		}
		brief["managedFields"] = managers
	}
	return appendJSON(out, map[string]any{"metadata": brief})
}

// Has says whether there is an object in the answer.
func (r *Result) Has() bool { return r.object != nil && !r.withoutObject }

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

// PutRaw puts an object in place as if it had been stored, to be read as a stored one is.
func (s *Server) PutRaw(text []byte) (*Result, error) {
	content, err := decode(text)
	if err != nil {
		return nil, err
	}
	v, key, err := s.find(RefOf(content))
	if err != nil {
		return nil, err
	}
	given, bad := meta(content).GetManagedFields(), error(nil)
	m := noneManaged()
	if len(given) > 0 {
		if m, bad = decodeManaged(given); bad != nil {
			m = noneManaged()
		}
	}
	u := meta(content)
	u.SetManagedFields(nil)
	now := s.tick()
	if u.GetUID() == "" {
		u.SetUID(types.UID(s.nextUID()))
	}
	if u.GetResourceVersion() == "" {
		s.revision++
		u.SetResourceVersion(strconv.FormatInt(s.revision, 10))
	} else if n, err := strconv.ParseInt(u.GetResourceVersion(), 10, 64); err == nil && n > s.revision {
		s.revision = n
	}
	if u.GetCreationTimestamp().Time.IsZero() {
		u.SetCreationTimestamp(now)
	}
	if u.GetGeneration() == 0 && (v.resource.builtin == nil || v.resource.builtin.Generation) {
		u.SetGeneration(1)
	}
	put, err := s.encode(v, content, m)
	if err != nil {
		return nil, err
	}
	put.badManaged = bad
	s.objects[key] = put
	return &Result{Code: http.StatusOK, object: put, version: v}, nil
}

// decode reads a request: numbers without a fraction are int64.
func decode(text []byte) (map[string]any, error) {
	var content map[string]any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, &content); err != nil {
		return nil, err
	}
	return content, nil
}

// Create answers a POST.
func (s *Server) Create(text []byte, how Request) (*Result, error) {
	content, err := decode(text)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	ref := RefOf(content)
	now := s.tick()
	v, key, err := s.find(ref)
	if err != nil {
		return nil, err
	}
	given, reset, err := s.receive(v, content)
	if err != nil {
		return nil, v.unreadable(err)
	}
	u := meta(content)
	if u.GetName() == "" && u.GetGenerateName() != "" {
		u.SetName(fmt.Sprintf("%s%05d", u.GetGenerateName(), s.uids+1))
		key.name = u.GetName()
	}
	u.SetCreationTimestamp(metav1.Time{})
	u.SetDeletionTimestamp(nil)
	u.SetDeletionGracePeriodSeconds(nil)
	u.SetUID("")
	u.SetSelfLink("")
	dedupOwners(content)
	f := fieldManager{version: v, now: now}
	m := f.update(v.empty(), content, given, reset, how.Manager)
	return s.create(v, key, content, m, how, now)
}

// receive does what decoding a request does: managedFields are taken out, the rest is coerced and given its defaults.
func (s *Server) receive(v *version, content map[string]any) (*managed, bool, error) {
	given, reset, err := takeManaged(content)
	if err != nil {
		return nil, false, err
	}
	if err := v.coerce(content); err != nil {
		return nil, false, err
	}
	v.setDefaults(content)
	return given, reset, nil
}

func (v *version) unreadable(err error) error {
	kind := v.resource.kind
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", kind, v.name, kind, err))
}

// create stores a new object, whose content is the server's own to change.
func (s *Server) create(v *version, key key, content map[string]any, m *managed, how Request, now metav1.Time) (*Result, error) {
	u := meta(content)
	u.SetCreationTimestamp(now)
	u.SetUID(types.UID(s.nextUID()))
	v.prepareForCreate(content)
	if err := v.validate(content); err != nil {
		return nil, err
	}
	if s.gone[key.namespace] {
		return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, key.namespace)
	}
	if there, ok := s.objects[key]; ok {
		err := apierrors.NewAlreadyExists(v.resource.groupResource(), key.name)
		if meta(there.content).GetDeletionTimestamp() != nil {
			err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
		}
		return nil, err
	}
	if !how.DryRun && u.GetResourceVersion() != "" {
		return nil, errors.New("resourceVersion should not be set on objects to be created")
	}
	made, err := s.encode(v, content, m)
	if err != nil {
		return nil, err
	}
	metadata := made.content["metadata"].(map[string]any)
	delete(metadata, "resourceVersion")
	if !how.DryRun {
		s.revision++
		metadata["resourceVersion"] = strconv.FormatInt(s.revision, 10)
		s.objects[key] = made
		if key.isNamespace() {
			delete(s.gone, key.name)
		}
	}
	return &Result{Code: http.StatusCreated, object: made, version: v}, nil
}

// encode is what is kept of an object: what is written of it, which nothing is done to where it is in the stored version
// already, and what is read from that, coerced and with its defaults.
func (s *Server) encode(v *version, next map[string]any, m *managed) (*object, error) {
	stored := v.resource.versions[v.resource.storage]
	written := plain(next).(map[string]any)
	if stored != v || stored.resource.builtin != nil {
		written["apiVersion"] = stored.apiVersion
		if err := stored.coerce(written); err != nil {
			return nil, err
		}
	}
	read := plain(written).(map[string]any)
	if err := stored.coerce(read); err != nil {
		return nil, err
	}
	stored.setDefaults(read)
	out := &object{version: stored, content: read, managed: m}
	if !equal(read, written) {
		out.encoded = written
	}
	return out, nil
}

// Update answers a PUT.
func (s *Server) Update(text []byte, how Request) (*Result, error) {
	content, err := decode(text)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	ref := RefOf(content)
	now := s.tick()
	v, key, err := s.find(ref)
	if err != nil {
		return nil, err
	}
	given, reset, err := s.receive(v, content)
	if err != nil {
		return nil, v.unreadable(err)
	}
	dedupOwners(content)
	live, ok := s.objects[key]
	if !ok {
		return nil, apierrors.NewNotFound(v.resource.groupResource(), ref.Name)
	}
	if uid := string(meta(content).GetUID()); uid != "" && uid != live.uid() {
		return nil, apierrors.NewConflict(v.resource.groupResource(), ref.Name, fmt.Errorf(
			"StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s",
			v.registryKey(key), uid, live.uid()))
	}
	f := fieldManager{version: v, subresource: how.Subresource, now: now}
	m := f.update(live, content, given, reset, how.Manager)
	return s.update(v, key, live, content, m, how, now)
}

func (v *version) registryKey(key key) string {
	parts := []string{"/registry", key.group, v.resource.plural, key.namespace, key.name}
	out := parts[:1]
	for _, part := range parts[1:] {
		if part != "" {
			out = append(out, part)
		}
	}
	return strings.Join(out, "/")
}

// update stores another state of live. next is the server's own to change at its top and in metadata.
func (s *Server) update(v *version, key key, live *object, next map[string]any, m *managed, how Request, now metav1.Time) (*Result, error) {
	resource, old := v.resource.groupResource(), live.at(v)
	before := &Result{Code: http.StatusOK, object: live, version: v}
	next = withMetadata(next)
	u, current := meta(next), meta(old)
	if u.GetResourceVersion() == "" && v.resource.builtin != nil {
		u.SetResourceVersion(current.GetResourceVersion())
	}
	if u.GetResourceVersion() == "" {
		kind := schema.GroupKind{Group: resource.Group, Kind: resource.Resource}
		return nil, apierrors.NewInvalid(kind, key.name, field.ErrorList{
			field.Invalid(field.NewPath("metadata").Child("resourceVersion"), uint64(0), "must be specified for an update"),
		})
	}
	if u.GetResourceVersion() != current.GetResourceVersion() {
		return nil, apierrors.NewConflict(resource, key.name,
			errors.New("the object has been modified; please apply your changes to the latest version and try again"))
	}
	u.SetGeneration(current.GetGeneration())
	if how.Subresource == "status" {
		next = prepareForStatus(next, old)
		u = meta(next)
	} else {
		v.prepareForUpdate(next, old)
	}
	if u.GetUID() == "" {
		u.SetUID(current.GetUID())
	}
	if created := current.GetCreationTimestamp(); !created.IsZero() {
		u.SetCreationTimestamp(created)
	}
	if deleted := current.GetDeletionTimestamp(); !deleted.IsZero() {
		u.SetDeletionTimestamp(deleted)
	}
	if grace := current.GetDeletionGracePeriodSeconds(); grace != nil && u.GetDeletionGracePeriodSeconds() == nil {
		u.SetDeletionGracePeriodSeconds(grace)
	}
	if err := v.validateUpdate(next, old, how.Subresource); err != nil {
		return nil, err
	}
	// A write that changes nothing but when something was last written, changes nothing. The server compares before
	// it encodes: what encoding drops makes a difference here.
	if len(m.fields) > 0 && m.same(live.managed, false) && !m.same(live.managed, true) && equal(plain(next), old) {
		m = live.managed
	}
	made, err := s.encode(v, next, m)
	if err != nil {
		return nil, err
	}
	result := &Result{Code: http.StatusOK, object: made, version: v, Before: before}
	if len(u.GetFinalizers()) == 0 && current.GetDeletionTimestamp() != nil {
		if grace := current.GetDeletionGracePeriodSeconds(); grace == nil || *grace == 0 {
			if !how.DryRun {
				delete(s.objects, key)
				s.revision++
			}
			return result, nil
		}
	}
	if how.DryRun {
		return result, nil
	}
	s.store(key, live, result)
	return result, nil
}

// store puts the result of an update in the place of live, unless it is the same.
func (s *Server) store(key key, live *object, result *Result) {
	made := result.object
	if equal(unversioned(made.written()), unversioned(live.written())) && made.managed.same(live.managed, true) {
		result.object = live
		return
	}
	s.revision++
	made.content["metadata"].(map[string]any)["resourceVersion"] = strconv.FormatInt(s.revision, 10)
	s.objects[key] = made
}

// unversioned is without the resourceVersion, which is not written with an object.
func unversioned(content map[string]any) map[string]any {
	out := withMetadata(content)
	if metadata, ok := out["metadata"].(map[string]any); ok {
		delete(metadata, "resourceVersion")
	}
	return out
}

// Apply answers a PATCH of server-side apply.
func (s *Server) Apply(ref Ref, text []byte, how Request) (*Result, error) {
	read, err := s.documents.read(text)
	if err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding YAML: %v", err))
	}
	patch := read.content
	if ref == (Ref{}) {
		ref = RefOf(patch)
	}
	now := s.tick()
	if how.Manager == "" {
		kind := schema.GroupKind{Group: metav1.GroupName, Kind: "PatchOptions"}
		return nil, apierrors.NewInvalid(kind, "", field.ErrorList{
			field.Required(field.NewPath("fieldManager"), "is required for apply patch"),
		})
	}
	v, key, err := s.find(ref)
	if err != nil {
		return nil, err
	}
	live, ok := s.objects[key]
	if !ok {
		live = v.empty()
	}
	asked := applied{version: v, text: read.text, ref: ref, how: how}
	if result := s.known(key, live, asked, now); result != nil {
		asked.remember(live, patch, result, nil)
		return result, nil
	}
	f := fieldManager{version: v, now: now, subresource: how.Subresource}
	content, m, err := f.apply(live, patch, how.Manager, how.Force)
	if err != nil {
		return nil, err
	}
	if !ok {
		if uid := meta(content).GetUID(); uid != "" {
			return nil, apierrors.NewConflict(v.resource.groupResource(), ref.Name,
				fmt.Errorf("uid mismatch: the provided object specified uid %s, and no existing object was found", uid))
		}
	}
	content = withMetadata(content)
	if err := v.checkAddress(content, ref); err != nil {
		return nil, err
	}
	dedupOwners(content)
	var result *Result
	if ok {
		result, err = s.update(v, key, live, content, m, how, now)
	} else {
		result, err = s.create(v, key, content, m, how, now)
	}
	if err != nil {
		return nil, err
	}
	asked.remember(live, patch, result, &f.now)
	return result, nil
}

// checkAddress fails where a patched object is not the one that was asked for.
func (v *version) checkAddress(content map[string]any, ref Ref) error {
	u := meta(content)
	switch {
	case u.GetNamespace() == ref.Namespace:
	case u.GetNamespace() == "":
		u.SetNamespace(ref.Namespace)
	case ref.Namespace == "":
		u.SetNamespace("")
	default:
		return apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	if u.GetName() != ref.Name {
		return apierrors.NewBadRequest(fmt.Sprintf(
			"the name of the object (%s) does not match the name on the URL (%s)", u.GetName(), ref.Name))
	}
	return nil
}

// Merge answers a PATCH of the type application/merge-patch+json.
func (s *Server) Merge(ref Ref, patch []byte, how Request) (*Result, error) {
	return s.patch(ref, how, func(live []byte) ([]byte, error) {
		out, err := jsonpatch.MergePatch(live, patch)
		if err == jsonpatch.ErrBadJSONPatch {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		return out, err
	})
}

// JSONPatch answers a PATCH of the type application/json-patch+json.
func (s *Server) JSONPatch(ref Ref, patch []byte, how Request) (*Result, error) {
	return s.patch(ref, how, func(live []byte) ([]byte, error) {
		decoded, err := jsonpatch.DecodePatch(patch)
		if err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		out, err := patched(decoded, live)
		if err != nil {
			return nil, apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", err.Error(), 0, false)
		}
		return out, nil
	})
}

// patched recovers, as the server does of a request, from what the library panics at: a replacement of the whole by no value.
func patched(patch jsonpatch.Patch, live []byte) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the patch cannot be applied: %v", r)
		}
	}()
	return patch.Apply(live)
}

func (s *Server) patch(ref Ref, how Request, change func([]byte) ([]byte, error)) (*Result, error) {
	now := s.tick()
	v, key, err := s.find(ref)
	if err != nil {
		return nil, err
	}
	live, ok := s.objects[key]
	if !ok {
		return nil, apierrors.NewNotFound(v.resource.groupResource(), ref.Name)
	}
	text, err := change((&Result{object: live, version: v}).AppendJSON(nil))
	if err != nil {
		return nil, err
	}
	undecodable := func(err error) error {
		return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
			field.Invalid(field.NewPath("patch"), string(text), err.Error()),
		})
	}
	content, err := decode(text)
	if err != nil {
		return nil, undecodable(err)
	}
	given, reset, err := s.receive(v, content)
	if err != nil {
		return nil, undecodable(err)
	}
	f := fieldManager{version: v, subresource: how.Subresource, now: now}
	m := f.update(live, content, given, reset, how.Manager)
	if err := v.checkAddress(content, ref); err != nil {
		return nil, err
	}
	dedupOwners(content)
	return s.update(v, key, live, content, m, how, now)
}

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

// StatusOf is how the server answers a refusal.
func StatusOf(err error) *metav1.Status {
	var status metav1.Status
	if known, ok := err.(apierrors.APIStatus); ok {
		status = known.Status()
	} else {
		status = metav1.Status{Code: http.StatusInternalServerError, Reason: metav1.StatusReasonUnknown, Message: err.Error()}
	}
	if status.Status == "" {
		status.Status = metav1.StatusFailure
	}
	if status.Code == 0 {
		status.Code = http.StatusInternalServerError
	}
	status.Kind, status.APIVersion = "Status", "v1"
	return &status
}
