package apiserver

import (
	"fmt"
	"net/http"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

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
	how.typed = f.typed
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
	given, reset, read, err := s.receive(v, content)
	if err != nil {
		return nil, undecodable(err)
	}
	how.typed = read
	f := fieldManager{version: v, subresource: how.Subresource, now: now}
	m := f.update(live, content, given, reset, how.Manager)
	if err := v.checkAddress(content, ref); err != nil {
		return nil, err
	}
	dedupOwners(content)
	return s.update(v, key, live, content, m, how, now)
}
