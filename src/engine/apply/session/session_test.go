package session

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

type answer struct {
	Status  int              `json:"status"`
	Object  map[string]any   `json:"object"`
	Objects []map[string]any `json:"objects"`
	Error   struct {
		Message string `json:"message"`
		Reason  string `json:"reason"`
	} `json:"error"`
	Drifted *bool            `json:"drifted"`
	Patch   []map[string]any `json:"patch"`
}

func answers(t *testing.T, s *Session, operations ...string) []answer {
	t.Helper()
	var out struct {
		OK      bool
		Answers []answer
		Error   struct{ Message string }
	}
	text := s.Call(ask(operations...))
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if !out.OK {
		t.Fatal(out.Error.Message)
	}
	return out.Answers
}

const ref = `"ref":{"apiVersion":"cozystack.io/v1alpha1","kind":"Package","name":"p"}`

func object(more string) string {
	return `{"apiVersion":"cozystack.io/v1alpha1","kind":"Package","metadata":{"name":"p"}` + more + `}`
}

func create(more string) string {
	return `{"op":"create","manager":"helm-controller","object":` + object(more) + `}`
}

func apply(manager, how, more string) string {
	return fmt.Sprintf(`{"op":"apply","manager":%q%s,"object":%s}`, manager, how, object(more))
}

func at(v any, path ...string) any {
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

func TestRefusals(t *testing.T) {
	there := create(`,"spec":{"variant":"a","components":{"c":{"enabled":true}}}`)
	for name, test := range map[string]struct {
		operations []string
		status     int
		message    string
	}{
		"a conflict": {
			[]string{there, apply("flux", "", `,"spec":{"variant":"b"}`)}, 409,
			`Apply failed with 1 conflict: conflict with "helm-controller" using cozystack.io/v1alpha1: .spec.variant`,
		},
		"two conflicts": {
			[]string{there, apply("flux", "", `,"spec":{"variant":"b","components":{"c":{"enabled":false}}}`)}, 409,
			"Apply failed with 2 conflicts: conflicts with \"helm-controller\" using cozystack.io/v1alpha1:\n- .spec.variant\n- .spec.components.c.enabled",
		},
		"a field that is not in the schema": {
			[]string{apply("flux", "", `,"spec":{"values":{}}`)}, 500,
			`failed to create typed patch object (/p; cozystack.io/v1alpha1, Kind=Package): .spec.values: field not declared in schema`,
		},
		"several that do not fit, by name": {
			[]string{apply("flux", "", `,"spec":{"z":1,"b":1,"variant":[],"ignoreDependencies":{}}`)}, 500,
			"failed to create typed patch object (/p; cozystack.io/v1alpha1, Kind=Package): errors:\n" +
				"  .spec.ignoreDependencies: expected list, got &{map[]}\n" +
				"  .spec.variant: expected string, got &value.valueUnstructured{Value:[]interface {}{}}\n" +
				"  .spec.b: field not declared in schema",
		},
		"a null that is not allowed": {
			[]string{apply("flux", "", `,"spec":{"variant":null}`)}, 422,
			`Package.cozystack.io "p" is invalid: spec.variant: Invalid value: "null": spec.variant in body must be of type string: "null"`,
		},
		"there already": {[]string{there, there}, 409, `packages.cozystack.io "p" already exists`},
		"not there":     {[]string{`{"op":"get",` + ref + `}`}, 404, `packages.cozystack.io "p" not found`},
		"an unknown kind": {
			[]string{`{"op":"get","ref":{"apiVersion":"cozystack.io/v1","kind":"Package","name":"p"}}`}, 404,
			"the server could not find the requested resource",
		},
		"another resourceVersion": {
			[]string{there, `{"op":"merge","manager":"m",` + ref + `,"patch":{"metadata":{"resourceVersion":"77"}}}`}, 409,
			`Operation cannot be fulfilled on packages.cozystack.io "p": the object has been modified; please apply your changes to the latest version and try again`,
		},
		"managedFields in a patch": {
			[]string{`{"op":"apply","manager":"m","object":{"apiVersion":"cozystack.io/v1alpha1","kind":"Package","metadata":{"name":"p","managedFields":[]}}}`},
			400, "metadata.managedFields must be nil",
		},
		"the name of a built-in object": {
			[]string{`{"op":"apply","manager":"m","object":{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a.b"}}}`}, 422,
			`Namespace "a.b" is invalid: metadata.name: Invalid value: "a.b": must not contain dots`,
		},
		"the precondition of a delete": {
			[]string{there, `{"op":"delete",` + ref + `,"preconditions":{"uid":"x"}}`}, 409,
			`Operation cannot be fulfilled on Package.cozystack.io "p": the UID in the precondition (x) does not match the UID in record (00000000-0000-4000-8000-000000000001). The object might have been deleted and then recreated`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			all := answers(t, packages(t), test.operations...)
			last := all[len(all)-1]
			if last.Status != test.status || last.Error.Message != test.message {
				t.Errorf("got %d %s\nwant %d %s", last.Status, last.Error.Message, test.status, test.message)
			}
		})
	}
}

func TestDryRunAndDrift(t *testing.T) {
	all := answers(t, packages(t),
		apply("flux", `,"dryRun":true`, `,"spec":{"variant":"a"}`),
		`{"op":"get",`+ref+`}`,
		create(`,"spec":{"variant":"a"}`),
		apply("flux", `,"dryRun":true`, `,"spec":{"variant":"a"}`),
		apply("flux", `,"dryRun":true,"force":true`, `,"spec":{"variant":"b"}`),
		`{"op":"get",`+ref+`}`,
	)
	if all[0].Status != 201 || !*all[0].Drifted || at(all[0].Object, "metadata", "resourceVersion") != nil {
		t.Errorf("a new object: %+v", all[0])
	}
	if all[1].Status != 404 {
		t.Errorf("a dry run has written: %+v", all[1])
	}
	if *all[3].Drifted || !*all[4].Drifted {
		t.Errorf("drifted: %v, %v", *all[3].Drifted, *all[4].Drifted)
	}
	if at(all[4].Object, "spec", "variant") != "b" || at(all[5].Object, "spec", "variant") != "a" {
		t.Errorf("variant %v, then %v", at(all[4].Object, "spec", "variant"), at(all[5].Object, "spec", "variant"))
	}
}

func TestClockAndCounters(t *testing.T) {
	all := answers(t, packages(t),
		`{"op":"clock","now":"2026-03-01T10:00:00Z","step":60}`,
		create(`,"spec":{"variant":"a"}`),
		`{"op":"merge","manager":"kubectl-patch",`+ref+`,"patch":{"spec":{"variant":"b"}}}`,
		`{"op":"merge","manager":"kubectl-patch",`+ref+`,"patch":{"spec":{"variant":"b"}}}`,
		`{"op":"merge","manager":"kubectl-label",`+ref+`,"patch":{"metadata":{"labels":{"a":"b"}}}}`,
	)
	var got []any
	for _, a := range all[1:] {
		got = append(got, at(a.Object, "metadata", "resourceVersion"), at(a.Object, "metadata", "generation"))
	}
	if want := []any{"1", 1.0, "2", 2.0, "2", 2.0, "3", 2.0}; !reflect.DeepEqual(got, want) {
		t.Errorf("resourceVersion and generation %v, want %v", got, want)
	}
	entries := at(all[4].Object, "metadata", "managedFields").([]any)
	var times []any
	for _, entry := range entries {
		times = append(times, at(entry, "manager"), at(entry, "time"))
	}
	if want := []any{"helm-controller", "2026-03-01T10:00:00Z", "kubectl-patch", "2026-03-01T10:01:00Z", "kubectl-label", "2026-03-01T10:03:00Z"}; !reflect.DeepEqual(times, want) {
		t.Errorf("managers and times %v, want %v", times, want)
	}
}

func TestSnapshots(t *testing.T) {
	s := packages(t)
	all := answers(t, s,
		create(""), `{"op":"snapshot","name":"x"}`, `{"op":"delete",`+ref+`}`, `{"op":"get",`+ref+`}`,
		`{"op":"restore","name":"x"}`, `{"op":"get",`+ref+`}`, `{"op":"reset"}`,
		`{"op":"list","apiVersion":"cozystack.io/v1alpha1","kind":"Package"}`,
	)
	if all[3].Status != 404 || all[5].Status != 200 || len(all[7].Objects) != 0 {
		t.Errorf("%+v", all)
	}
	if text := string(s.Call(ask(`{"op":"restore","name":"y"}`))); !strings.Contains(text, `"ok":false`) {
		t.Errorf("a snapshot that was not made: %s", text)
	}
}

func TestDeletedNamespace(t *testing.T) {
	there := func(kind, name, more string) string {
		return fmt.Sprintf(`{"op":"create","manager":"m","object":{"apiVersion":"v1","kind":%q,"metadata":{"name":%q%s}}}`, kind, name, more)
	}
	inside := there("ConfigMap", "c", `,"namespace":"gone"`)
	get := `{"op":"get","ref":{"apiVersion":"v1","kind":"ConfigMap","namespace":"%s","name":"c"}}`
	all := answers(t, packages(t),
		there("Namespace", "gone", ""), inside, there("ConfigMap", "c", `,"namespace":"other"`), there("Secret", "kept", `,"namespace":"gone","finalizers":["a/b"]`),
		`{"op":"snapshot","name":"before"}`,
		`{"op":"delete","ref":{"apiVersion":"v1","kind":"Namespace","name":"gone"}}`,
		fmt.Sprintf(get, "gone"), fmt.Sprintf(get, "other"), `{"op":"get","ref":{"apiVersion":"v1","kind":"Secret","namespace":"gone","name":"kept"}}`,
		inside,
		there("Namespace", "gone", ""), inside,
		`{"op":"restore","name":"before"}`, fmt.Sprintf(get, "gone"),
	)
	var got []int
	for _, a := range all {
		got = append(got, a.Status)
	}
	if want := []int{201, 201, 201, 201, 200, 200, 404, 200, 200, 404, 201, 201, 200, 200}; !reflect.DeepEqual(got, want) {
		t.Errorf("statuses %v, want %v", got, want)
	}
	if at(all[8].Object, "metadata", "deletionTimestamp") == nil {
		t.Errorf("what has a finalizer: %+v", all[8].Object)
	}
	if all[9].Error.Message != `namespaces "gone" not found` {
		t.Errorf("in a namespace that is gone: %+v", all[9].Error)
	}
}

func TestFinalizers(t *testing.T) {
	all := answers(t, packages(t),
		`{"op":"create","manager":"m","object":{"apiVersion":"cozystack.io/v1alpha1","kind":"Package","metadata":{"name":"p","finalizers":["example.org/a"]}}}`,
		`{"op":"delete",`+ref+`}`,
		`{"op":"merge","manager":"m",`+ref+`,"patch":{"metadata":{"finalizers":null}}}`,
		`{"op":"get",`+ref+`}`,
	)
	if at(all[1].Object, "metadata", "deletionTimestamp") == nil || all[2].Status != 200 || all[3].Status != 404 {
		t.Errorf("%+v", all[1:])
	}
}

func TestTakeover(t *testing.T) {
	kubectl := `{"op":"create","manager":"kubectl-client-side-apply","object":{"apiVersion":"cozystack.io/v1alpha1","kind":"Package",
		"metadata":{"name":"p","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"}},"spec":{"variant":"a","components":{"c":{"enabled":true}}}}}`
	takeover := func(more string) string {
		return `{"op":"takeover","manager":"kustomize-controller",` + ref + `,"annotations":["kubectl.kubernetes.io/last-applied-configuration"],
			"fieldManagers":[{"name":"kubectl","exactMatch":false,"operationType":"Update"}]` + more + `}`
	}
	all := answers(t, packages(t),
		kubectl,
		takeover(`,"exclusions":{"kustomize.toolkit.fluxcd.io/ssa":"Merge"},"desired":{"metadata":{"annotations":{"kustomize.toolkit.fluxcd.io/ssa":"merge"}}}`),
		takeover(""),
		takeover(""),
		apply("kustomize-controller", `,"force":true`, `,"spec":{"components":{"c":{"values":{"a":1}}}}`),
	)
	if all[1].Patch != nil {
		t.Errorf("an excluded object is patched: %v", all[1].Patch)
	}
	if len(all[2].Patch) != 2 || at(all[2].Object, "metadata", "annotations") != nil {
		t.Errorf("patch %v, object %v", all[2].Patch, all[2].Object)
	}
	entries := at(all[2].Object, "metadata", "managedFields").([]any)
	if len(entries) != 1 || at(entries[0], "manager") != "kustomize-controller" || at(entries[0], "operation") != "Apply" {
		t.Errorf("managedFields %v", entries)
	}
	if all[3].Patch != nil {
		t.Errorf("what is taken over is taken over again: %v", all[3].Patch)
	}
	want := map[string]any{"components": map[string]any{"c": map[string]any{"values": map[string]any{"a": 1.0}}}}
	if got := at(all[4].Object, "spec"); !reflect.DeepEqual(got, want) {
		t.Errorf("after the apply there is %v, want %v", got, want)
	}
}

func TestPutRaw(t *testing.T) {
	all := answers(t, packages(t),
		`{"op":"put-raw","object":{"apiVersion":"cozystack.io/v1alpha1","kind":"Package","metadata":{"name":"p","uid":"u","resourceVersion":"41","generation":7,
			"managedFields":[{"manager":"helm","operation":"Update","apiVersion":"cozystack.io/v1alpha1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:variant":{}}}}]},
			"spec":{"variant":"a","unknown":1}}}`,
		apply("flux", "", `,"spec":{"variant":"b"}`),
		apply("flux", `,"force":true`, `,"spec":{"variant":"b"}`),
	)
	if at(all[0].Object, "metadata", "uid") != "u" || at(all[0].Object, "spec", "unknown") != nil {
		t.Errorf("put: %v", all[0].Object)
	}
	if all[1].Status != 409 || all[2].Status != 200 || at(all[2].Object, "metadata", "resourceVersion") != "42" {
		t.Errorf("%+v", all[1:])
	}
}

func TestBuiltIn(t *testing.T) {
	all := answers(t, New(),
		`{"op":"apply","manager":"a","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"n"},"data":{"k":"x"}}}`,
		`{"op":"apply","manager":"b","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"n"},"data":{"k":"y"}}}`,
		`{"op":"apply","manager":"b","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"n"},"data":{"k":5}}}`,
		`{"op":"apply","manager":"b","object":{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"name":"c","namespace":"n"},"subject":[]}}`,
	)
	for i, want := range []string{
		"",
		`Apply failed with 1 conflict: conflict with "a": .data.k`,
		"failed to create typed patch object (n/c; /v1, Kind=ConfigMap): .data.k: expected string, got &value.valueUnstructured{Value:5}",
		"failed to create typed patch object (n/c; rbac.authorization.k8s.io/v1, Kind=RoleBinding): .subject: field not declared in schema",
	} {
		if got := all[i].Error.Message; got != want {
			t.Errorf("%d: %s, want %s", i, got, want)
		}
	}
}

func TestCalls(t *testing.T) {
	for name, call := range map[string][]byte{
		"no frame":                              {1, 2},
		"a cut frame":                           {9, 0, 0, 0, '{'},
		"no JSON":                               frame("{"),
		"no operation":                          frame(`{"op":"x"}`),
		"an unknown operation of a batch":       ask(`{"op":"x"}`),
		"a definition without a stored version": frame(`{"op":"define","definitions":[{"metadata":{"name":"x"}}]}`),
	} {
		if text := string(packages(t).Call(call)); !strings.HasPrefix(text, `{"ok":false,"error":{"message":"`) {
			t.Errorf("%s: %s", name, text)
		}
	}
}
