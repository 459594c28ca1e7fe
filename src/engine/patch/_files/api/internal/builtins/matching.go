package builtins

import (
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
)

// matching returns the resources that have the current id of one of them, which was just changed.
func matching(m resmap.ResMap, r *resource.Resource) []*resource.Resource {
	if indexed, ok := m.(interface {
		MatchingCurrentIdOf(r *resource.Resource) []*resource.Resource
	}); ok {
		return indexed.MatchingCurrentIdOf(r)
	}
	return m.GetMatchingResourcesByCurrentId(r.CurId().Equals)
}
