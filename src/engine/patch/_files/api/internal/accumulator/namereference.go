package accumulator

import (
	"sigs.k8s.io/kustomize/api/filters/nameref"
	"sigs.k8s.io/kustomize/api/resmap"
)

// Transform implements resmap.Transformer, for the referrers in the order of the map rather than in any.
func (t *nameReferenceTransformer) Transform(m resmap.ResMap) error {
	resources := m.Resources()
	filters := t.determineFilters(resources)
	debug(filters)
	index := nameref.NewIndex(m)
	for _, r := range resources {
		if len(filters[r]) == 0 {
			continue
		}
		c, err := index.CandidatesFor(r)
		if err != nil {
			return err
		}
		for _, f := range filters[r] {
			f.Referrer = r
			f.Candidates = c
			if err := f.Referrer.ApplyFilter(f); err != nil {
				return err
			}
		}
		index.Recheck(r)
	}
	return nil
}
