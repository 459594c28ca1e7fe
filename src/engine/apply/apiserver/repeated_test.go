package apiserver

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"testing"
)

const widgets = `{"metadata":{"name":"widgets.example.org"},"spec":{"group":"example.org","scope":"Cluster",
	"names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
	"schema":{"openAPIV3Schema":{"type":"object","properties":{
		"spec":{"type":"object","properties":{
			"mode":{"type":"string","default":"plain"},
			"size":{"type":"integer","maximum":5},
			"free":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
			"list":{"type":"array","items":{"type":"string"}},
			"set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
			"ports":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
				"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"port":{"type":"integer","default":80}}}}}},
		"status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}}`

var letters = []string{"a", "b", "c"}

func pick(r *rand.Rand) string { return letters[r.Intn(len(letters))] }

// anyValue is a value of a field without a schema, now and then nothing at all.
func anyValue(r *rand.Rand, depth int) any {
	switch n := r.Intn(8); {
	case n == 0:
		return nil
	case n < 3 && depth > 0:
		out := map[string]any{}
		for range r.Intn(3) {
			out[pick(r)] = anyValue(r, depth-1)
		}
		return out
	case n == 3:
		out := []any{}
		for range r.Intn(3) {
			out = append(out, pick(r))
		}
		return out
	}
	return pick(r)
}

func some(r *rand.Rand, item func(string) any) []any {
	out := []any{}
	for _, text := range letters {
		if r.Intn(2) == 0 {
			out = append(out, item(text))
		}
	}
	return out
}

func widget(r *rand.Rand) string {
	spec := map[string]any{}
	fields := map[string]func() any{
		"mode": func() any { return pick(r) },
		"size": func() any { return r.Intn(7) }, // now and then too much
		"free": func() any { return map[string]any{pick(r): anyValue(r, 2), pick(r): anyValue(r, 2)} },
		"list": func() any { return some(r, func(text string) any { return text }) },
		"set":  func() any { return some(r, func(text string) any { return text }) },
		"ports": func() any {
			return some(r, func(text string) any {
				if r.Intn(2) == 0 {
					return map[string]any{"name": text}
				}
				return map[string]any{"name": text, "port": r.Intn(3)}
			})
		},
	}
	for _, name := range []string{"mode", "size", "free", "list", "set", "ports"} {
		if r.Intn(2) == 0 {
			spec[name] = fields[name]()
		}
	}
	metadata := map[string]any{"name": "w", "labels": map[string]any{pick(r): pick(r)}}
	if r.Intn(4) == 0 {
		metadata["finalizers"] = []any{}
	}
	out := map[string]any{"apiVersion": "example.org/v1", "kind": "Widget", "metadata": metadata, "spec": spec}
	if r.Intn(6) == 0 {
		out["status"] = map[string]any{pick(r): pick(r)}
	}
	text, _ := json.Marshal(out)
	return string(text)
}

// forget makes a server work out every apply.
func (s *Server) forget() {
	for _, object := range s.objects {
		object.tried, object.rested = nil, nil
	}
}

// Of an apply that is repeated, what is remembered has to be what comes of it when it is worked out.
func TestRepeatedAppliesAreAnsweredAlike(t *testing.T) {
	known, seeds := 0, int64(800)
	if testing.Short() {
		seeds = 200
	}
	for seed := range seeds {
		r := rand.New(rand.NewSource(seed))
		servers := []*Server{New(), New()}
		for _, s := range servers {
			if err := s.Define([]byte(widgets)); err != nil {
				t.Fatal(err)
			}
		}
		log := ""
		applies := []string{widget(r), widget(r)}
		for step := range 16 {
			// As between the clusters of a fleet.
			if step == 2 || step > 2 && r.Intn(5) == 0 {
				log += fmt.Sprintf("\nsnapshot or restore at %d", step)
				for _, s := range servers {
					if step == 2 {
						s.Snapshot("fleet")
					} else if err := s.Restore("fleet"); err != nil {
						t.Fatal(err)
					}
				}
			}
			text, how := applies[r.Intn(2)], Request{Manager: []string{"flux", "helm"}[r.Intn(2)], Force: r.Intn(3) > 0, DryRun: r.Intn(2) == 0}
			log += fmt.Sprintf("\n%+v %s", how, text)
			answers := []string{}
			for i, s := range servers {
				if i == 1 {
					s.forget()
				}
				for _, object := range s.objects {
					if i == 0 && (object.rested != nil || object.tried != nil) {
						known++
					}
				}
				result, err := s.Apply(Ref{}, []byte(text), how)
				if err != nil {
					answers = append(answers, err.Error())
					continue
				}
				answers = append(answers, fmt.Sprintf("%d %t %s", result.Code, result.Drifted(), result.AppendJSON(nil)))
			}
			if answers[0] != answers[1] {
				t.Fatalf("seed %d:%s\nremembered %s\nworked out %s", seed, log, answers[0], answers[1])
			}
		}
	}
	if known < 1000 {
		t.Errorf("only %d applies may have been remembered", known)
	}
}
