package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Any values that two managers apply, one after the other and by force, are there afterwards, are owned by whoever applied them
// last, and applying them again changes nothing; any patch in between is answered, and none by way of a panic.
func FuzzApply(f *testing.F) {
	f.Add(`{"a":1,"b":{"c":[1,2]}}`, `{"a":2,"b":{}}`, `[{"op":"remove","path":"/spec/components/c/values/a"}]`)
	f.Add(`{"l":[{"name":"a"},{"name":"a"}]}`, `{"l":null}`, `{"spec":{"variant":"x"}}`)
	f.Add(`{"":{"f:a":1,".":2,"k:{}":3,"v:1":4,"i:0":5}}`, `{"":"","f:a":{}}`, `{"metadata":{"managedFields":null}}`)
	f.Add(`{"a":1e400,"b":-0,"c":9007199254740993,"d":0.1}`, `{"a":"\u0000\ud800"}`, `{"metadata":{"managedFields":[{}]}}`)
	f.Add(`{"a":{"b":{"c":null}}}`, `{"a":{"b":null}}`, `[{"op":"replace","path":"/metadata/managedFields/0/manager","value":""}]`)
	f.Fuzz(func(t *testing.T, first, second, patch string) {
		if len(first)+len(second)+len(patch) > 4096 || !json.Valid([]byte(patch)) {
			return
		}
		s := packages(t)
		applied := map[string]bool{}
		for _, one := range []struct{ manager, values string }{{"helm-controller", first}, {"kustomize-controller", second}} {
			var values map[string]any
			if json.Unmarshal([]byte(one.values), &values) != nil || values == nil {
				return
			}
			call := fmt.Sprintf(`{"op":"apply","manager":%q,"force":true,"object":{"apiVersion":"cozystack.io/v1alpha1","kind":"Package",
				"metadata":{"name":"p"},"spec":{"components":{"c":{"values":%s}}}}}`, one.manager, one.values)
			answer := called(t, s, call)
			if answer.Status >= 300 {
				continue // it is refused as a whole
			}
			applied[one.manager] = true
			for key, value := range values {
				if value == nil {
					continue
				}
				got, there := answer.Object.Spec.Components["c"].Values[key]
				if !there {
					t.Fatalf("%s applied %q, which is not there: %v", one.manager, key, answer.Object.Spec)
				}
				if scalar(value) && fmt.Sprint(got) != fmt.Sprint(value) {
					t.Fatalf("%s applied %q: %v, but there is %v", one.manager, key, value, got)
				}
			}
			if !owns(answer, one.manager) {
				t.Fatalf("%s applied, but is not among the managers", one.manager)
			}
			if again := called(t, s, call); again.Status >= 300 || again.Drifted {
				t.Fatalf("%s applied the same once more: status %d, drifted %t", one.manager, again.Status, again.Drifted)
			}
		}
		op := "merge"
		if strings.HasPrefix(strings.TrimSpace(patch), "[") {
			op = "json"
		}
		ref := `{"apiVersion":"cozystack.io/v1alpha1","kind":"Package","name":"p"}`
		called(t, s, fmt.Sprintf(`{"op":%q,"manager":"kubectl","ref":%s,"patch":%s}`, op, ref, patch))
		after := called(t, s, fmt.Sprintf(`{"op":"get","ref":%s}`, ref))
		if len(applied) > 0 && after.Status >= 300 && !strings.Contains(patch, "deletionTimestamp") {
			t.Fatalf("after the patch the object cannot be read: status %d", after.Status)
		}
	})
}

type answered struct {
	Status  int
	Drifted bool
	Object  struct {
		Metadata struct {
			ManagedFields []struct{ Manager, Operation string }
		}
		Spec struct {
			Components map[string]struct{ Values map[string]any }
		}
	}
}

// called asks one thing; that the call as a whole is refused must not be by a panic.
func called(t *testing.T, s *Session, operation string) answered {
	t.Helper()
	text := s.Call(ask(operation))
	var answer struct {
		OK      bool
		Answers []json.RawMessage
		Error   struct{ Message string }
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if !answer.OK {
		if strings.Contains(answer.Error.Message, "panic") {
			t.Fatal(answer.Error.Message)
		}
		return answered{Status: 400}
	}
	var one answered
	if err := json.Unmarshal(answer.Answers[0], &one); err != nil {
		// An object of another shape, as a patch may make one.
		return answered{Status: 200}
	}
	return one
}

func owns(answer answered, manager string) bool {
	for _, entry := range answer.Object.Metadata.ManagedFields {
		if entry.Manager == manager && entry.Operation == "Apply" {
			return true
		}
	}
	return false
}

func scalar(value any) bool {
	switch value.(type) {
	case string, bool, float64:
		return true
	}
	return false
}
