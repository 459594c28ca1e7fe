package accumulator

import (
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Intersection drops the resources that the other map does not have.
func (ra *ResAccumulator) Intersection(other resmap.ResMap) error {
	kept := make(map[resid.ResId]struct{}, other.Size())
	for _, id := range other.AllIds() {
		kept[id] = struct{}{}
	}
	for _, id := range ra.resMap.AllIds() {
		if _, ok := kept[id]; !ok {
			if err := ra.resMap.Remove(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// NodesIfDistinct returns the resources' own nodes if each has an id of its own and none is empty. Then to keep all of them
// is to do nothing, and nothing needs to be copied to find that out.
func (ra *ResAccumulator) NodesIfDistinct() ([]*yaml.RNode, bool) {
	m, ok := ra.resMap.(interface{ OneEach() bool })
	if !ok || !m.OneEach() {
		return nil, false
	}
	nodes := make([]*yaml.RNode, 0, ra.resMap.Size())
	for _, r := range ra.resMap.Resources() {
		nodes = append(nodes, nodeOf(r))
	}
	return nodes, true
}

func nodeOf(r *resource.Resource) *yaml.RNode { return &r.RNode }
