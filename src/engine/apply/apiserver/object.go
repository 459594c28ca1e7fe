package apiserver

import (
	"maps"
	"time"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// An object as it is stored: nothing of it changes. Its content is that of its version, without managedFields.
type object struct {
	version *version
	content map[string]any
	managed *managed
	// badManaged is why managedFields that were put in raw cannot be read.
	badManaged error
	// encoded is the content as it was written, before it was read; nil where that is the same.
	encoded map[string]any
	// What was made of the content already.
	converted *typed.TypedValue
	// What is known of applies to it: see repeated.go.
	tried  *trial
	rested *applied
}

func (v *version) kind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: v.resource.group, Version: v.name, Kind: v.resource.kind}
}

// empty is what a new object is made from.
func (v *version) empty() *object {
	content := map[string]any{"apiVersion": v.apiVersion, "kind": v.resource.kind}
	if v.resource.builtin != nil {
		content = v.emptyTyped()
	}
	return &object{version: v, content: content, managed: noneManaged()}
}

// written is what a write that changes nothing is recognized by.
func (o *object) written() map[string]any {
	if o.encoded != nil {
		return o.encoded
	}
	return o.content
}

func (o *object) uid() string {
	uid, _, _ := unstructured.NestedString(o.content, "metadata", "uid")
	return uid
}

// at is the content in a version. It may be shared and must not be changed.
func (o *object) at(v *version) map[string]any {
	if o.version == v {
		return o.content
	}
	if v.resource.builtin != nil {
		out, err := o.version.in(v, o.content)
		if err != nil {
			panic(err) // it was read when it was stored
		}
		return out
	}
	out := plain(o.content).(map[string]any)
	out["apiVersion"] = v.apiVersion
	if err := v.coerce(out); err != nil {
		panic(err) // its metadata was coerced when it was stored
	}
	v.setDefaults(out)
	return out
}

func (o *object) typed(v *version) (*typed.TypedValue, error) {
	if o.version != v {
		return v.parse.FromUnstructured(o.at(v), typed.AllowDuplicates)
	}
	if o.converted == nil {
		converted, err := v.parse.FromUnstructured(o.content, typed.AllowDuplicates)
		if err != nil {
			return nil, err
		}
		o.converted = converted
	}
	return o.converted, nil
}

func (v *version) setDefaults(content map[string]any) {
	// Those of a built-in kind are set where it is read.
	if v.structural != nil {
		defaulting.Default(content, v.structural)
	}
}

func replace(content, by map[string]any) {
	clear(content)
	maps.Copy(content, by)
}

// coerce is unstructuredSchemaCoercer of apiextensions-apiserver, in place: metadata is read as ObjectMeta and written again,
// which drops what is empty or unknown there; then unknown fields and nulls go that the schema does not allow. managedFields
// have been taken out before. The error is of the form of encoding/json.
func (v *version) coerce(content map[string]any) error {
	if v.structural == nil {
		read, err := v.decoded(content)
		if err != nil {
			return err
		}
		external, err := v.external(read)
		if err == nil {
			replace(content, external)
		}
		return err
	}
	if err := coerceMeta(content); err != nil {
		return err
	}
	apiVersion, kind, metadata := content["apiVersion"], content["kind"], content["metadata"]
	pruning.PruneWithOptions(content, v.structural, true, structuralschema.UnknownFieldPathOptions{})
	defaulting.PruneNonNullableNullsWithoutDefaults(content, v.structural)
	if err, _ := objectmeta.CoerceWithOptions(nil, content, v.structural, false, objectmeta.CoerceOptions{}); err != nil {
		return err
	}
	content["apiVersion"], content["kind"] = apiVersion, kind
	if metadata != nil {
		content["metadata"] = metadata
	}
	return nil
}

// coerceMeta writes metadata anew. What is usual is done here, and left to Kubernetes, which takes much longer, if it is not.
func coerceMeta(content map[string]any) error {
	given, ok := content["metadata"]
	if !ok {
		return nil
	}
	if metadata, ok := given.(map[string]any); ok {
		if usual := usualMeta(metadata); usual != nil {
			content["metadata"] = usual
			return nil
		}
	}
	meta, found, err := objectmeta.GetObjectMeta(content, false)
	if err != nil {
		return err
	}
	if !found {
		return nil
	}
	return objectmeta.SetObjectMeta(content, meta)
}

// usualMeta is nil where there is something that it does not know how to write.
func usualMeta(metadata map[string]any) map[string]any {
	out := make(map[string]any, len(metadata))
	for key, value := range metadata {
		if value == nil {
			continue
		}
		switch key {
		case "name", "generateName", "namespace", "selfLink", "uid", "resourceVersion":
			text, ok := value.(string)
			if !ok {
				return nil
			}
			if text != "" {
				out[key] = text
			}
		case "generation":
			number, ok := value.(int64)
			if !ok {
				return nil
			}
			if number != 0 {
				out[key] = number
			}
		case "creationTimestamp", "deletionTimestamp":
			text, ok := value.(string)
			if !ok {
				return nil
			}
			if at, err := time.Parse("2006-01-02T15:04:05Z", text); err != nil || at.IsZero() {
				return nil
			}
			out[key] = text
		case "labels", "annotations":
			texts, ok := value.(map[string]any)
			if !ok {
				return nil
			}
			for _, text := range texts {
				if _, ok := text.(string); !ok {
					return nil
				}
			}
			if len(texts) > 0 {
				out[key] = texts
			}
		case "finalizers":
			texts, ok := value.([]any)
			if !ok {
				return nil
			}
			for _, text := range texts {
				if _, ok := text.(string); !ok {
					return nil
				}
			}
			if len(texts) > 0 {
				out[key] = texts
			}
		case "deletionGracePeriodSeconds", "ownerReferences", "managedFields":
			return nil
		}
	}
	return out
}

// takeManaged takes managedFields out of an object that was sent. Nil are those that cannot be read, or are not there.
func takeManaged(content map[string]any) (given *managed, reset bool, err error) {
	metadata, ok := content["metadata"].(map[string]any)
	if !ok {
		return nil, false, nil
	}
	if _, ok := metadata["managedFields"]; !ok {
		return nil, false, nil
	}
	// In the form that a decoded request has.
	only := map[string]any{"metadata": map[string]any{"managedFields": metadata["managedFields"]}}
	delete(metadata, "managedFields")
	meta, _, err := objectmeta.GetObjectMeta(only, false)
	if err != nil {
		return nil, false, err
	}
	if isReset(meta.ManagedFields) {
		return nil, true, nil
	}
	given, bad := decodeManaged(meta.ManagedFields)
	if bad != nil {
		return nil, false, nil
	}
	return given, false, nil
}

// A meta reads and writes metadata.
func meta(content map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: content}
}

// withMetadata copies what changes when metadata is written.
func withMetadata(content map[string]any) map[string]any {
	out := make(map[string]any, len(content))
	for key, value := range content {
		out[key] = value
	}
	if metadata, ok := content["metadata"].(map[string]any); ok {
		copied := make(map[string]any, len(metadata))
		for key, value := range metadata {
			copied[key] = value
		}
		out["metadata"] = copied
	}
	return out
}

// dedupOwners drops owner references that are there twice, as the handlers do before they track fields.
func dedupOwners(content map[string]any) {
	owners, found, err := unstructured.NestedSlice(content, "metadata", "ownerReferences")
	if err != nil || !found {
		return
	}
	kept := []any{}
	for _, owner := range owners {
		double := false
		for _, other := range kept {
			double = double || equal(owner, other)
		}
		if !double {
			kept = append(kept, owner)
		}
	}
	if len(kept) < len(owners) {
		content["metadata"].(map[string]any)["ownerReferences"] = kept
	}
}
