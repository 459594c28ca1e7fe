package accumulator

import (
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/trace"
	"sigs.k8s.io/kustomize/kyaml/utils"
	"sigs.k8s.io/kustomize/kyaml/writers"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// tellVars says which variables the kustomization has that is being added.
func tellVars(vars []types.Var) {
	var names []string
	for _, v := range vars {
		names = append(names, v.Name)
	}
	trace.Vars(names)
}

// tellVar says which node a variable takes its value from.
func tellVar(v types.Var, r *resource.Resource) {
	if !writers.On() {
		return
	}
	n, err := r.Pipe(yaml.Lookup(utils.SmarterPathSplitter(v.FieldRef.FieldPath, ".")...))
	if err == nil && n != nil && n.YNode().Kind == yaml.ScalarNode {
		trace.VarFrom(v.Name, n.YNode())
	}
}
