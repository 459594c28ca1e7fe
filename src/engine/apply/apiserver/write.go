package apiserver

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"
)

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
	if u.GetGeneration() == 0 && (v.resource.builtin == nil || v.resource.builtin.generation) {
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
	given, reset, read, err := s.receive(v, content)
	if err != nil {
		return nil, v.unreadable(err)
	}
	how.typed = read
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

// receive does what decoding a request does: managedFields are taken out, the rest is coerced and given its defaults. An object of
// a built-in kind is given as it was read, too.
func (s *Server) receive(v *version, content map[string]any) (*managed, bool, runtime.Object, error) {
	given, reset, err := takeManaged(content)
	if err != nil {
		return nil, false, nil, err
	}
	if v.resource.builtin != nil {
		read, err := v.decoded(content)
		if err != nil {
			return nil, false, nil, err
		}
		external, err := v.external(read)
		if err != nil {
			return nil, false, nil, err
		}
		replace(content, external)
		return given, reset, read, nil
	}
	if err := v.coerce(content); err != nil {
		return nil, false, nil, err
	}
	v.setDefaults(content)
	return given, reset, nil, nil
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
	if v.resource.builtin != nil {
		made, err := v.beforeCreate(how.typed, content)
		if err != nil {
			return nil, err
		}
		content, u = made, meta(made)
	} else {
		v.prepareForCreate(content)
		if err := v.validate(content); err != nil {
			return nil, err
		}
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
	if stored != v && v.resource.builtin != nil {
		converted, err := v.in(stored, written)
		if err != nil {
			return nil, err
		}
		written = converted
	} else if stored != v {
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
	given, reset, read, err := s.receive(v, content)
	if err != nil {
		return nil, v.unreadable(err)
	}
	how.typed = read
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
	switch {
	case how.Subresource == "status":
		next = prepareForStatus(next, old)
	case v.resource.builtin != nil:
		made, err := v.beforeUpdate(how.typed, next, old)
		if err != nil {
			return nil, err
		}
		next = made
	default:
		v.prepareForUpdate(next, old)
	}
	u = meta(next)
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
	if v.resource.builtin == nil || how.Subresource == "status" {
		if err := v.validateUpdate(next, old, how.Subresource); err != nil {
			return nil, err
		}
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
