package apiserver

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

//go:embed builtin.json
var builtinText []byte

// builtinTypes is what builtin.json holds, read when the first of its kinds is asked for.
type builtinTypes struct {
	kinds map[runtimeschema.GroupKind][]kind
	types []schema.TypeDef
}

// A kind is a built-in kind in one version. The first version of a kind is the one that is stored.
type kind struct {
	Group      string `json:"group"`
	Version    string `json:"version"`
	Kind       string `json:"kind"`
	Plural     string `json:"plural"`
	Namespaced bool   `json:"namespaced"`
	Type       string `json:"type"`
	Generation bool   `json:"generation"`
	Status     bool   `json:"status"`
}

// A builtin is what is known of a built-in kind beside its versions.
type builtin struct {
	strategy strategy
	// generation says that objects of it are counted.
	generation bool
}

func (s *Server) builtin(of runtimeschema.GroupKind) (*resource, error) {
	if s.builtins == nil {
		read, err := readBuiltins()
		if err != nil {
			return nil, err
		}
		s.builtins = read
	}
	kinds := s.builtins.kinds[of]
	if len(kinds) == 0 {
		return nil, nil
	}
	register()
	judge, ok := strategies[of]
	if !ok {
		return nil, fmt.Errorf("no strategy is linked for %s", of)
	}
	stored := kinds[0]
	r := &resource{
		group: stored.Group, kind: stored.Kind, plural: stored.Plural, namespaced: stored.Namespaced,
		storage: stored.Version, versions: map[string]*version{}, builtin: &builtin{judge, stored.Generation},
	}
	parser := typed.Parser{Schema: schema.Schema{Types: s.builtins.types}}
	for _, kind := range kinds {
		apiVersion := strings.TrimPrefix(kind.Group+"/"+kind.Version, "/")
		v := &version{resource: r, name: kind.Version, apiVersion: apiVersion, served: true, status: kind.Status}
		v.parse = parser.Type(kind.Type)
		if resetting, ok := judge.(rest.ResetFieldsStrategy); ok {
			v.reset = fieldpath.NewExcludeFilterSetMap(resetting.GetResetFields())
		}
		if kind.Status {
			v.statusReset = fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{
				fieldpath.APIVersion(apiVersion): fieldpath.NewSet(fieldpath.MakePathOrDie("spec"), fieldpath.MakePathOrDie("metadata", "labels")),
			})
		}
		r.versions[kind.Version] = v
	}
	return r, nil
}

// decoded reads content as a request is read, into the form that strategies work on. What the kind does not have is dropped, and an
// error is that of encoding/json.
func (v *version) decoded(content map[string]any) (runtime.Object, error) {
	into, err := legacyscheme.Scheme.New(v.kind())
	if err != nil {
		return nil, err
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(appendJSON(nil, content), into); err != nil {
		return nil, err
	}
	return v.hub(into)
}

// internal reads content as what is merged by server-side apply is read, into the form that strategies work on.
func (v *version) internal(content map[string]any) (runtime.Object, error) {
	into, err := legacyscheme.Scheme.New(v.kind())
	if err != nil {
		return nil, err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(content, into); err != nil {
		return nil, fmt.Errorf("unable to convert unstructured object to %v: %v", v.kind(), err)
	}
	return v.hub(into)
}

func (v *version) hub(of runtime.Object) (runtime.Object, error) {
	legacyscheme.Scheme.Default(of)
	return legacyscheme.Scheme.UnsafeConvertToVersion(of, runtimeschema.GroupVersion{Group: v.resource.group, Version: runtime.APIVersionInternal})
}

// content is an object as it is written in this version.
func (v *version) content(of runtime.Object) map[string]any {
	of.GetObjectKind().SetGroupVersionKind(v.kind())
	out, err := runtime.DefaultUnstructuredConverter.ToUnstructured(of)
	if err != nil {
		panic(err) // it is of a type of Kubernetes
	}
	return out
}

// external is what strategies work on, in this version.
func (v *version) external(of runtime.Object) (map[string]any, error) {
	out, err := legacyscheme.Scheme.ConvertToVersion(of, v.kind().GroupVersion())
	if err != nil {
		return nil, err
	}
	return v.content(out), nil
}

// in is content of this version in another one of the kind.
func (v *version) in(other *version, content map[string]any) (map[string]any, error) {
	object, err := v.internal(content)
	if err != nil {
		return nil, err
	}
	return other.external(object)
}

// beforeCreate is what a kind's strategy makes of a new object, or why it is refused. Where it is given as it was read, its metadata
// is taken from content.
func (v *version) beforeCreate(read runtime.Object, content map[string]any) (map[string]any, error) {
	object, err := v.asked(read, content)
	if err != nil {
		return nil, err
	}
	after, err := beforeService(object, nil)
	if err != nil {
		return nil, sorted(err)
	}
	if err := rest.BeforeCreate(v.resource.builtin.strategy, v.context("create", content), object); err != nil {
		return nil, sorted(err)
	}
	after()
	return v.external(object)
}

// beforeUpdate is what a kind's strategy makes of another state of an object, or why it is refused.
func (v *version) beforeUpdate(read runtime.Object, next, old map[string]any) (map[string]any, error) {
	object, err := v.asked(read, next)
	if err != nil {
		return nil, err
	}
	before, err := v.internal(old)
	if err != nil {
		return nil, err
	}
	after, err := beforeService(object, before)
	if err != nil {
		return nil, sorted(err)
	}
	if err := rest.BeforeUpdate(v.resource.builtin.strategy, v.context("update", next), object, before); err != nil {
		return nil, sorted(err)
	}
	after()
	return v.external(object)
}

func (v *version) asked(read runtime.Object, content map[string]any) (runtime.Object, error) {
	object, err := v.internal(content)
	if err != nil || read == nil {
		return object, err
	}
	from, err := apimeta.Accessor(object)
	if err != nil {
		return nil, err
	}
	to, err := apimeta.Accessor(read)
	if err != nil {
		return nil, err
	}
	to.SetName(from.GetName())
	to.SetGenerateName(from.GetGenerateName())
	to.SetNamespace(from.GetNamespace())
	to.SetSelfLink(from.GetSelfLink())
	to.SetUID(from.GetUID())
	to.SetResourceVersion(from.GetResourceVersion())
	to.SetGeneration(from.GetGeneration())
	to.SetCreationTimestamp(from.GetCreationTimestamp())
	to.SetDeletionTimestamp(from.GetDeletionTimestamp())
	to.SetDeletionGracePeriodSeconds(from.GetDeletionGracePeriodSeconds())
	to.SetLabels(from.GetLabels())
	to.SetAnnotations(from.GetAnnotations())
	to.SetFinalizers(from.GetFinalizers())
	to.SetOwnerReferences(from.GetOwnerReferences())
	to.SetManagedFields(nil)
	return read, nil
}

func (v *version) context(verb string, content map[string]any) context.Context {
	u := meta(content)
	info := &genericapirequest.RequestInfo{
		IsResourceRequest: true, Verb: verb, APIGroup: v.resource.group, APIVersion: v.name, Resource: v.resource.plural,
		Namespace: u.GetNamespace(), Name: u.GetName(),
	}
	ctx := genericapirequest.WithRequestInfo(context.Background(), info)
	return genericapirequest.WithNamespace(ctx, u.GetNamespace())
}

var noZone = regexp.MustCompile(`^Invalid value: "(.*)": not implemented on js$`)

// sorted puts the causes of an invalid object in order, some of which come in the order of a Go map.
func sorted(err error) error {
	var invalid *apierrors.StatusError
	if !errors.As(err, &invalid) || invalid.ErrStatus.Reason != metav1.StatusReasonInvalid || invalid.ErrStatus.Details == nil {
		return err
	}
	details := invalid.ErrStatus.Details
	causes := details.Causes
	sort.SliceStable(causes, func(i, j int) bool {
		if causes[i].Field != causes[j].Field {
			return causes[i].Field < causes[j].Field
		}
		if causes[i].Type != causes[j].Type {
			return causes[i].Type < causes[j].Type
		}
		return causes[i].Message < causes[j].Message
	})
	var texts []string
	for i, cause := range causes {
		// Where there are no files, the package time has other words for it.
		cause.Message = noZone.ReplaceAllString(cause.Message, `Invalid value: "$1": unknown time zone $1`)
		causes[i] = cause
		text := cause.Field + ": " + cause.Message
		if len(texts) == 0 || texts[len(texts)-1] != text {
			texts = append(texts, text)
		}
	}
	kind := strings.TrimSuffix(details.Kind+"."+details.Group, ".")
	said := strings.Join(texts, ", ")
	if len(texts) > 1 {
		said = "[" + said + "]"
	}
	invalid.ErrStatus.Message = fmt.Sprintf("%s %q is invalid: %s", kind, details.Name, said)
	return invalid
}

// emptyTyped is what a new object is made from: a Go struct without values, which has the structs in it.
func (v *version) emptyTyped() map[string]any {
	made, err := legacyscheme.Scheme.New(v.kind())
	if err != nil {
		panic(err) // each kind is of the scheme
	}
	return v.content(made)
}
