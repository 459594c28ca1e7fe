package apiserver

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/merge"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// This file does what k8s.io/apimachinery/pkg/util/managedfields does around structured-merge-diff, with the same texts. It is
// not used itself, as it converts a live object, and encodes and decodes all of its managedFields, at every request, and takes
// the time from the machine.

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// A fieldManager works for one request on one version of a resource.
type fieldManager struct {
	version     *version
	subresource string
	now         metav1.Time
	// typed is what comes of an apply to a built-in kind, as it was read.
	typed runtime.Object
}

func (f *fieldManager) resets() map[fieldpath.APIVersion]fieldpath.Filter {
	if f.subresource == "status" {
		return f.version.statusReset
	}
	return f.version.reset
}

func (f *fieldManager) updater() *merge.Updater {
	return &merge.Updater{Converter: converter{f.version}, IgnoreFilter: f.resets()}
}

// update tells who manages next, an object that a create, update or patch makes of live; given is what its own managedFields
// say, where they can be read. It is UpdateNoErrors: what cannot be told leaves an object without managedFields.
func (f *fieldManager) update(live *object, next map[string]any, given *managed, reset bool, manager string) *managed {
	current := f.decodeLiveOrNew(live, given, reset)
	if len(current.fields) == 0 && live.uid() != "" {
		return current // nobody was tracked from the beginning, and so nobody is
	}
	out, err := f.track(live, next, current.copy(), manager)
	if err != nil {
		return noneManaged()
	}
	return out.settle()
}

func (f *fieldManager) decodeLiveOrNew(live *object, given *managed, reset bool) *managed {
	switch {
	case f.subresource != "":
		return live.managed
	case reset:
		return noneManaged()
	case given == nil || len(given.fields) == 0:
		return live.managed
	}
	return given
}

// track is Update of what lies below skipNonAppliedManager: capManagers, buildManagerInfo, managedFieldsUpdater, stripMeta and
// structuredMerge, from the outside to the inside.
func (f *fieldManager) track(live *object, next map[string]any, m *managed, name string) (*managed, error) {
	manager := f.identifier(name, metav1.ManagedFieldsOperationUpdate)
	nextTyped, err := f.version.parse.FromUnstructured(next, typed.AllowDuplicates)
	if err != nil {
		return nil, err
	}
	liveTyped, err := live.typed(f.version)
	if err != nil {
		return nil, err
	}
	// Under a name of its own, to see what this operation alone has changed.
	const self = "current-operation"
	_, fields, err := f.updater().Update(liveTyped, nextTyped, fieldpath.APIVersion(f.version.apiVersion), m.fields, self)
	if err != nil {
		return nil, err
	}
	m.fields = fields
	strip(fields, self)
	if changed, ok := fields[self]; ok {
		delete(fields, self)
		if previous, ok := fields[manager]; ok {
			changed = fieldpath.NewVersionedSet(changed.Set().Union(previous.Set()), changed.APIVersion(), changed.Applied())
		}
		fields[manager] = changed
		m.times[manager] = &f.now
	}
	capUpdates(m)
	return m, nil
}

// A refusal of apply that is no Status of its own has the code 500.
func (f *fieldManager) apply(live *object, patch map[string]any, manager string, force bool) (map[string]any, *managed, error) {
	if live.badManaged != nil {
		return nil, nil, fmt.Errorf("failed to decode managed fields: %v", live.badManaged)
	}
	if kind := kindOf(patch); kind != f.version.kind() {
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("invalid object type: %v", kind))
	}
	out, m, err := f.applyTracked(live, patch, manager, force)
	if conflicts, ok := err.(merge.Conflicts); ok && manager == "kubectl" {
		allowed, reason := f.allowedByLastApplied(live)
		if reason == nil {
			if conflicts.ToSet().Difference(allowed).Empty() {
				out, m, err = f.applyTracked(live, patch, manager, true)
			} else {
				err = without(conflicts, allowed)
			}
		}
	}
	if conflicts, ok := err.(merge.Conflicts); ok {
		return nil, nil, conflictError(conflicts)
	}
	if err != nil {
		return nil, nil, err
	}
	if manager == "kubectl" {
		out = syncLastApplied(out, patch)
	}
	return out, m.settle(), nil
}

func without(conflicts merge.Conflicts, allowed *fieldpath.Set) merge.Conflicts {
	out := merge.Conflicts{}
	for _, conflict := range conflicts {
		if !allowed.Has(conflict.Path) {
			out = append(out, conflict)
		}
	}
	return out
}

// applyTracked is Apply of skipNonAppliedManager and what lies below.
func (f *fieldManager) applyTracked(live *object, patch map[string]any, name string, force bool) (map[string]any, *managed, error) {
	m := live.managed.copy()
	if len(m.fields) == 0 {
		empty := f.version.empty()
		tracked, err := f.track(empty, live.at(f.version), m, "before-first-apply")
		if err != nil {
			return nil, nil, fmt.Errorf("failed to create manager for existing fields: %v", err)
		}
		m = tracked
	}
	manager := f.identifier(name, metav1.ManagedFieldsOperationApply)
	if (&unstructured.Unstructured{Object: patch}).GetManagedFields() != nil {
		return nil, nil, apierrors.NewBadRequest("metadata.managedFields must be nil")
	}
	patchTyped, err := f.version.parse.FromUnstructured(patch)
	if err != nil {
		err = misfits(f.version.parse, patch, err)
		return nil, nil, fmt.Errorf("failed to create typed patch object (%v): %v", describe(patch), err)
	}
	liveTyped, err := live.typed(f.version)
	if err != nil {
		return nil, nil, fmt.Errorf("failed to create typed live object (%v): %v", describe(live.at(f.version)), err)
	}
	merged, fields, err := f.updater().Apply(liveTyped, patchTyped, fieldpath.APIVersion(f.version.apiVersion), m.fields, manager, force)
	if err != nil {
		return nil, nil, err
	}
	m.fields = fields
	f.keepEncoding(live.managed, m, manager)
	strip(fields, manager)
	if merged == nil {
		return live.at(f.version), m, nil
	}
	m.times[manager] = &f.now
	object, ok := merged.AsValue().Unstructured().(map[string]any)
	if !ok {
		return nil, nil, fmt.Errorf("failed to convert new typed object (%v) to object: failed to convert value to unstructured for type %T", describe(patch), merged)
	}
	// Merging shares what did not change with the live object, and defaults are put in place.
	object = runtime.DeepCopyJSON(object)
	if f.version.resource.builtin != nil {
		if f.typed, err = f.version.internal(object); err != nil {
			return nil, nil, fmt.Errorf("failed to convert new object (%v) to proper version: %v", describe(patch), err)
		}
		object, err = f.version.external(f.typed)
		return object, m, err
	}
	f.version.setDefaults(object)
	return object, m, nil
}

// keepEncoding puts the set of before in the place of an equal one, with which its JSON is known.
func (f *fieldManager) keepEncoding(before, after *managed, manager string) {
	now, ok := after.fields[manager]
	if !ok {
		return
	}
	then, ok := before.fields[manager]
	if !ok {
		return
	}
	stripped := now.Set().Difference(stripSet)
	if stripped.Equals(then.Set()) {
		after.fields[manager] = fieldpath.NewVersionedSet(then.Set(), now.APIVersion(), now.Applied())
	}
}

// stripSet is what nobody manages.
var stripSet = fieldpath.NewSet(
	fieldpath.MakePathOrDie("apiVersion"),
	fieldpath.MakePathOrDie("kind"),
	fieldpath.MakePathOrDie("metadata"),
	fieldpath.MakePathOrDie("metadata", "name"),
	fieldpath.MakePathOrDie("metadata", "namespace"),
	fieldpath.MakePathOrDie("metadata", "creationTimestamp"),
	fieldpath.MakePathOrDie("metadata", "selfLink"),
	fieldpath.MakePathOrDie("metadata", "uid"),
	fieldpath.MakePathOrDie("metadata", "clusterName"),
	fieldpath.MakePathOrDie("metadata", "generation"),
	fieldpath.MakePathOrDie("metadata", "managedFields"),
	fieldpath.MakePathOrDie("metadata", "resourceVersion"),
)

func strip(fields fieldpath.ManagedFields, manager string) {
	versioned, ok := fields[manager]
	if !ok {
		return
	}
	kept := versioned.Set().Difference(stripSet)
	if kept.Empty() {
		delete(fields, manager)
		return
	}
	if kept.Equals(versioned.Set()) {
		return
	}
	fields[manager] = fieldpath.NewVersionedSet(kept, versioned.APIVersion(), versioned.Applied())
}

func (f *fieldManager) identifier(name string, operation metav1.ManagedFieldsOperationType) string {
	if name == "" {
		name = "unknown"
	}
	return identify(metav1.ManagedFieldsEntry{
		Manager: name, Operation: operation, APIVersion: f.version.apiVersion, Subresource: f.subresource,
	})
}

// maxUpdateManagers is how many managers of updates an object may have before the oldest are thrown together.
const maxUpdateManagers = 10

// capUpdates is capUpdateManagers.
func capUpdates(m *managed) {
	updaters := []string{}
	for manager, fields := range m.fields {
		if !fields.Applied() {
			updaters = append(updaters, manager)
		}
	}
	if len(updaters) <= maxUpdateManagers {
		return
	}
	sort.Slice(updaters, func(i, j int) bool {
		p, q := seconds(m.times[updaters[i]]), seconds(m.times[updaters[j]])
		if p != q {
			return p < q
		}
		return updaters[i] < updaters[j]
	})
	firsts := map[string]string{}
	for i, left := 0, len(updaters); i < len(updaters) && left > maxUpdateManagers; i++ {
		manager := updaters[i]
		versioned := m.fields[manager]
		version := string(versioned.APIVersion())
		bucket := identify(metav1.ManagedFieldsEntry{
			Manager: "ancient-changes", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: version,
		})
		first, seen := firsts[version]
		if !seen {
			firsts[version] = manager
			continue
		}
		if _, ok := m.fields[bucket]; !ok {
			set := m.fields[first]
			delete(m.fields, first)
			m.fields[bucket] = set
		}
		union := versioned.Set().Union(m.fields[bucket].Set())
		m.fields[bucket] = fieldpath.NewVersionedSet(union, versioned.APIVersion(), versioned.Applied())
		delete(m.fields, manager)
		left--
		m.times[bucket] = m.times[manager]
	}
}

// allowedByLastApplied are the fields that kubectl, changing from client-side to server-side apply, takes over unasked.
func (f *fieldManager) allowedByLastApplied(live *object) (*fieldpath.Set, error) {
	content := live.at(f.version)
	annotation, _, _ := unstructured.NestedString(content, "metadata", "annotations", lastApplied)
	if annotation == "" {
		return nil, fmt.Errorf("no last applied annotation")
	}
	liveTyped, err := live.typed(f.version)
	if err != nil {
		return nil, err
	}
	applied := &unstructured.Unstructured{Object: map[string]any{}}
	if err := json.Unmarshal([]byte(annotation), applied); err != nil {
		return nil, err
	}
	if applied.GetAPIVersion() != f.version.apiVersion {
		return nil, fmt.Errorf("of another version")
	}
	if applied.GroupVersionKind() != f.version.kind() {
		return nil, fmt.Errorf("of another kind")
	}
	appliedTyped, err := f.version.parse.FromUnstructured(applied.Object)
	if err != nil {
		return nil, err
	}
	set, err := appliedTyped.ToFieldSet()
	if err != nil {
		return nil, err
	}
	comparison, err := appliedTyped.Compare(liveTyped)
	if err != nil {
		return nil, err
	}
	return set.Difference(comparison.Modified).Difference(comparison.Added).Difference(comparison.Removed), nil
}

// syncLastApplied writes what kubectl applies by the server into the annotation that its client-side apply has left.
func syncLastApplied(content, patch map[string]any) map[string]any {
	if annotation, _, _ := unstructured.NestedString(content, "metadata", "annotations", lastApplied); annotation == "" {
		return content
	}
	applied := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(patch)}
	annotations := applied.GetAnnotations()
	delete(annotations, lastApplied)
	applied.SetAnnotations(annotations)
	text, err := runtime.Encode(unstructured.UnstructuredJSONScheme, applied)
	if err != nil {
		return content
	}
	out := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(content)}
	annotations = out.GetAnnotations()
	annotations[lastApplied] = string(text)
	if validation.ValidateAnnotationsSize(annotations) != nil {
		delete(annotations, lastApplied)
	}
	out.SetAnnotations(annotations)
	return out.Object
}

// conflictError is NewConflictError, with the causes in the order of the message.
func conflictError(conflicts merge.Conflicts) error {
	sort.SliceStable(conflicts, func(i, j int) bool { return conflicts[i].Manager < conflicts[j].Manager })
	causes := []metav1.StatusCause{}
	for _, conflict := range conflicts {
		causes = append(causes, metav1.StatusCause{
			Type:    metav1.CauseTypeFieldManagerConflict,
			Message: fmt.Sprintf("conflict with %v", printManager(conflict.Manager)),
			Field:   conflict.Path.String(),
		})
	}
	if len(conflicts) == 1 {
		return apierrors.NewApplyConflict(causes, fmt.Sprintf("Apply failed with 1 conflict: conflict with %v: %v", printManager(conflicts[0].Manager), conflicts[0].Path))
	}
	messages := []string{}
	for i, conflict := range conflicts {
		if i == 0 || conflicts[i-1].Manager != conflict.Manager {
			messages = append(messages, fmt.Sprintf("conflicts with %v:", printManager(conflict.Manager)))
		}
		messages = append(messages, fmt.Sprintf("- %v", conflict.Path))
	}
	return apierrors.NewApplyConflict(causes, fmt.Sprintf("Apply failed with %d conflicts: %s", len(conflicts), strings.Join(messages, "\n")))
}

func printManager(id string) string {
	var entry metav1.ManagedFieldsEntry
	if err := json.Unmarshal([]byte(id), &entry); err != nil {
		return fmt.Sprintf("%q", id)
	}
	out := fmt.Sprintf("%q", entry.Manager)
	if entry.Subresource != "" {
		out = fmt.Sprintf("%s with subresource %q", out, entry.Subresource)
	}
	if entry.Operation == metav1.ManagedFieldsOperationUpdate {
		if entry.Time == nil {
			return fmt.Sprintf("%s using %v", out, entry.APIVersion)
		}
		return fmt.Sprintf("%s using %v at %v", out, entry.APIVersion, entry.Time.UTC().Format(time.RFC3339))
	}
	return out
}

// converter changes the version as the strategy None does: by its name.
type converter struct{ version *version }

func (c converter) Convert(in *typed.TypedValue, to fieldpath.APIVersion) (*typed.TypedValue, error) {
	content, ok := in.AsValue().Unstructured().(map[string]any)
	if !ok {
		return in, fmt.Errorf("failed to convert value to unstructured for type %T", in)
	}
	from, _ := content["apiVersion"].(string)
	if from == string(to) {
		return in, nil
	}
	target, err := schema.ParseGroupVersion(string(to))
	if err != nil {
		return in, err
	}
	other, ok := c.version.resource.versions[target.Version]
	if !ok || target.Group != c.version.resource.group {
		if c.version.resource.builtin != nil {
			return in, missing(to)
		}
		return in, fmt.Errorf("request to convert CR to an invalid group/version: %s", target)
	}
	if c.version.resource.builtin != nil {
		own, _ := schema.ParseGroupVersion(from)
		converted, err := c.version.resource.versions[own.Version].in(other, content)
		if err != nil {
			return in, err
		}
		return other.parse.FromUnstructured(converted, typed.AllowDuplicates)
	}
	converted := make(map[string]any, len(content))
	for key, value := range content {
		converted[key] = value
	}
	converted["apiVersion"] = other.apiVersion
	return other.parse.FromUnstructured(converted)
}

// missing says that a version is not known, which makes its managers vanish.
type missing string

func (m missing) Error() string { return fmt.Sprintf("no kind is registered for %s", string(m)) }

func (converter) IsMissingVersionError(err error) bool {
	_, ok := err.(missing)
	return ok
}

func kindOf(content map[string]any) schema.GroupVersionKind {
	return (&unstructured.Unstructured{Object: content}).GroupVersionKind()
}

func describe(content map[string]any) string {
	u := &unstructured.Unstructured{Object: content}
	return fmt.Sprintf("%v/%v; %v", u.GetNamespace(), u.GetName(), u.GroupVersionKind())
}
