package builtins

import (
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/trace"
	"sigs.k8s.io/kustomize/kyaml/writers"
)

// sign lets a plugin sign the fields that it sets, with the place of its argument: at a path of its entry in the
// kustomization, or of the document that configures it.
func sign(p any, keeps bool, entry, document []any) (end func()) {
	if !writers.On() {
		return func() {}
	}
	return writers.Arm(&writers.Writing{By: writers.Transformer, From: trace.Argument(p, entry, document), Keeps: keeps})
}

// signEach does it for a map, each entry of which is written in a place of its own.
func signEach(p any, values map[string]string, document string) (end func()) {
	each := map[string]*writers.Writing{}
	if writers.On() {
		var below []any
		if place, _ := trace.PlaceOf(p); place.Field.Name == "labels" {
			below = []any{"pairs"}
		}
		for k := range values {
			entry := append(below[:len(below):len(below)], k)
			each[k] = &writers.Writing{
				By:   writers.Transformer,
				From: trace.Argument(p, entry, []any{document, k}),
				Key:  trace.ArgumentKey(p, entry, []any{document, k}),
			}
		}
	}
	return writers.ArmEach(each)
}

// tellOperations says where the operations are written that stand in the configuration itself.
func tellOperations(p *PatchJson6902TransformerPlugin) {
	if p.Path == "" {
		tell(p, "jsonOp", []byte(p.JsonOp), nil, p.JsonOp)
	}
}

// signHash lets the name of an object be signed that gets a hash of what is in it.
func signHash(r *resource.Resource) (end func()) {
	if !writers.On() {
		return func() {}
	}
	hashed := []*writers.Node{r.YNode()}
	switch r.GetKind() {
	case "ConfigMap":
		hashed = fields(r.YNode(), "data", "binaryData")
	case "Secret":
		hashed = fields(r.YNode(), "type", "data", "stringData")
	}
	var marks []int32
	for _, n := range hashed {
		marks = append(marks, writers.MarkLeaves(n)...)
	}
	return writers.With(&writers.Writing{By: writers.Hash, Keeps: true, Derived: marks})
}

func fields(n *writers.Node, names ...string) (values []*writers.Node) {
	for _, name := range names {
		if v := writers.Field(n, name); v != nil {
			values = append(values, v)
		}
	}
	return values
}
