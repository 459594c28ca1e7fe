package target

import "sigs.k8s.io/kustomize/api/internal/accumulator"

// IgnoreLocal implements what upstream's does without copying every object to find that none is local.
func (kt *KustTarget) IgnoreLocal(ra *accumulator.ResAccumulator) error {
	rf := kt.rFactory.RF()
	if rf.IncludeLocalConfigs {
		return nil
	}
	if nodes, ok := ra.NodesIfDistinct(); ok {
		remain, err := rf.DropLocalNodes(nodes)
		if err != nil {
			return err
		}
		if len(remain) == len(nodes) {
			return nil
		}
	}
	return kt.upstreamIgnoreLocal(ra)
}
