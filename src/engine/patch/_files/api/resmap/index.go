package resmap

import (
	"fmt"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/trace"
)

// idKey is a ResId in the form that ResId.Equals compares.
type idKey struct{ group, version, kind, name, ns string }

func keyOf(id resid.ResId) idKey {
	return idKey{id.Group, id.Version, id.Kind, id.Name, id.EffectiveNamespace()}
}

type idEntry struct {
	cur   resid.ResId
	key   idKey
	prevs []resid.ResId
}

// idIndex finds the resources of one resWrangler by id.
// A resource handed out may be changed by whoever holds it, so it is a suspect and indexed again before the next question.
type idIndex struct {
	built    bool // false: everything is suspect
	byCur    map[idKey][]*resource.Resource
	byAny    map[idKey][]*resource.Resource
	entries  map[*resource.Resource]*idEntry
	suspects map[*resource.Resource]struct{}
	dups     int  // ids held by more than one resource
	full     bool // true: DropEmpties has to look at every resource
}

var checkIndex = false

func (m *resWrangler) leakAll() { m.index = idIndex{full: true} }

func (m *resWrangler) leak(list ...*resource.Resource) {
	if !m.index.built {
		return
	}
	if len(list)*4 > len(m.rList)+16 {
		m.leakAll()
		return
	}
	for _, r := range list {
		m.index.suspects[r] = struct{}{}
	}
}

func (x *idIndex) put(r *resource.Resource) {
	id := r.CurId()
	e := &idEntry{cur: id, key: keyOf(id), prevs: r.PrevIds()}
	x.entries[r] = e
	l := append(x.byCur[e.key], r)
	x.byCur[e.key] = l
	if len(l) == 2 {
		x.dups++
	}
	x.byAny[e.key] = append(x.byAny[e.key], r)
	for _, p := range e.prevs {
		k := keyOf(p)
		if k != e.key && !holds(x.byAny[k], r) {
			x.byAny[k] = append(x.byAny[k], r)
		}
	}
}

func holds(l []*resource.Resource, r *resource.Resource) bool {
	for _, o := range l {
		if o == r {
			return true
		}
	}
	return false
}

func without(l []*resource.Resource, r *resource.Resource) []*resource.Resource {
	for i, o := range l {
		if o == r {
			return append(l[:i:i], l[i+1:]...)
		}
	}
	return l
}

func (x *idIndex) take(r *resource.Resource) {
	e, ok := x.entries[r]
	if !ok {
		return
	}
	l := without(x.byCur[e.key], r)
	if len(l) == 1 {
		x.dups--
	}
	if len(l) == 0 {
		delete(x.byCur, e.key)
	} else {
		x.byCur[e.key] = l
	}
	drop := func(k idKey) {
		if l := without(x.byAny[k], r); len(l) == 0 {
			delete(x.byAny, k)
		} else {
			x.byAny[k] = l
		}
	}
	drop(e.key)
	for _, p := range e.prevs {
		drop(keyOf(p))
	}
	delete(x.entries, r)
}

// fresh brings the index up to date.
func (m *resWrangler) fresh() *idIndex {
	x := &m.index
	if !x.built {
		full := x.full
		*x = idIndex{built: true, full: full,
			byCur: make(map[idKey][]*resource.Resource, len(m.rList)), byAny: make(map[idKey][]*resource.Resource, len(m.rList)),
			entries: make(map[*resource.Resource]*idEntry, len(m.rList)), suspects: map[*resource.Resource]struct{}{}}
		for _, r := range m.rList {
			if _, twice := x.entries[r]; twice {
				x.dups++ // the same pointer twice: leave such lists to the slow way
				continue
			}
			x.put(r)
		}
		return x
	}
	for r := range x.suspects {
		if _, ok := x.entries[r]; ok {
			x.take(r)
			x.put(r)
		}
		delete(x.suspects, r)
		if r.IsNilOrEmpty() {
			x.full = true
		}
	}
	return x
}

func (m *resWrangler) byCurrent(id resid.ResId) []*resource.Resource {
	got := m.fresh().byCur[keyOf(id)]
	if checkIndex {
		if want := m.filteredById(id.Equals, GetCurrentId); len(want) != len(got) {
			panic(fmt.Sprintf("index: %v: %d by index, %d by walk", id, len(got), len(want)))
		}
	}
	return got
}

// Clear implements ResMap.
func (m *resWrangler) Clear() {
	m.rList = nil
	m.leakAll()
}

// Append implements ResMap.
func (m *resWrangler) Append(res *resource.Resource) error {
	id := res.CurId()
	if len(m.byCurrent(id)) > 0 {
		return fmt.Errorf(
			"may not add resource with an already registered id: %s", id)
	}
	if err := trace.CheckObjects(len(m.rList)); err != nil {
		return err
	}
	m.append(res)
	return nil
}

func (m *resWrangler) append(res *resource.Resource) {
	m.upstreamAppend(res)
	if m.index.built {
		if _, twice := m.index.entries[res]; twice {
			m.index.dups++
			return
		}
		m.index.put(res)
		if res.IsNilOrEmpty() {
			m.index.full = true
		}
	}
}

// DropEmpties implements ResMap.
func (m *resWrangler) DropEmpties() {
	if m.index.built && !m.index.full {
		some := false
		for r := range m.index.suspects {
			if r.IsNilOrEmpty() {
				some = true
				break
			}
		}
		if !some {
			if checkIndex {
				for _, r := range m.rList {
					if r.IsNilOrEmpty() {
						panic("index: an empty resource is left")
					}
				}
			}
			return
		}
	}
	n := len(m.rList)
	m.upstreamDropEmpties()
	if len(m.rList) != n {
		m.leakAll()
	}
	m.index.full = !m.index.built
}

// Remove implements ResMap.
func (m *resWrangler) Remove(adios resid.ResId) error {
	m.leakAll()
	return m.upstreamRemove(adios)
}

// Replace implements ResMap.
func (m *resWrangler) Replace(res *resource.Resource) (int, error) {
	defer m.leakAll()
	return m.upstreamReplace(res)
}

// Resources implements ResMap.
func (m *resWrangler) Resources() []*resource.Resource {
	m.leakAll()
	return m.upstreamResources()
}

// GetByIndex implements ResMap.
func (m *resWrangler) GetByIndex(i int) *resource.Resource {
	r := m.upstreamGetByIndex(i)
	if r != nil {
		m.leak(r)
	}
	return r
}

// GetMatchingResourcesByCurrentId implements ResMap.
func (m *resWrangler) GetMatchingResourcesByCurrentId(matches IdMatcher) []*resource.Resource {
	r := m.upstreamGetMatchingResourcesByCurrentId(matches)
	m.leak(r...)
	return r
}

// GetMatchingResourcesByAnyId implements ResMap.
func (m *resWrangler) GetMatchingResourcesByAnyId(matches IdMatcher) []*resource.Resource {
	r := m.upstreamGetMatchingResourcesByAnyId(matches)
	m.leak(r...)
	return r
}

// GetByCurrentId implements ResMap.
func (m *resWrangler) GetByCurrentId(id resid.ResId) (*resource.Resource, error) {
	if l := m.byCurrent(id); len(l) == 1 {
		m.leak(l[0])
		return l[0], nil
	}
	return m.upstreamGetByCurrentId(id)
}

// GetById implements ResMap.
func (m *resWrangler) GetById(id resid.ResId) (*resource.Resource, error) {
	if l := m.fresh().byAny[keyOf(id)]; len(l) == 1 && m.index.dups == 0 && !l[0].RNode.IsNilOrEmpty() {
		if checkIndex {
			if w := m.upstreamGetMatchingResourcesByAnyId(id.Equals); len(w) != 1 || w[0] != l[0] {
				panic(fmt.Sprintf("index: any id %v: walk finds %d", id, len(w)))
			}
		}
		m.leak(l[0])
		return l[0], nil
	}
	return m.upstreamGetById(id)
}

func (m *resWrangler) appendReplaceOrMerge(res *resource.Resource) error {
	id := res.CurId()
	if l := m.fresh().byAny[keyOf(id)]; len(l) == 0 {
		if checkIndex {
			if w := m.upstreamGetMatchingResourcesByAnyId(id.Equals); len(w) != 0 {
				panic(fmt.Sprintf("index: any id %v: walk finds %d", id, len(w)))
			}
		}
		switch res.Behavior() {
		case types.BehaviorMerge, types.BehaviorReplace:
			return fmt.Errorf(
				"id %#v does not exist; cannot merge or replace", id)
		default:
			return m.Append(res)
		}
	}
	return m.upstreamAppendReplaceOrMerge(res)
}

func (m *resWrangler) groupedByCurrentNamespace() map[string][]*resource.Resource {
	m.leakAll()
	return m.upstreamGroupedByCurrentNamespace()
}

func (m *resWrangler) groupedByOriginalNamespace() map[string][]*resource.Resource {
	m.leakAll()
	return m.upstreamGroupedByOriginalNamespace()
}

func (m *resWrangler) makeCopy(copier resCopier) ResMap {
	m.leakAll()
	return m.upstreamMakeCopy(copier)
}

// SubsetThatCouldBeReferencedByResource implements ResMap.
func (m *resWrangler) SubsetThatCouldBeReferencedByResource(referrer *resource.Resource) (ResMap, error) {
	m.leakAll()
	return m.upstreamSubset(referrer)
}

// Select implements ResMap.
func (m *resWrangler) Select(s types.Selector) ([]*resource.Resource, error) {
	x := m.fresh()
	sr, err := types.NewSelectorRegex(&s)
	if err != nil {
		return nil, err
	}
	var result []*resource.Resource
	for _, r := range m.rList {
		e := x.entries[r]
		org := e.cur
		if len(e.prevs) > 0 {
			org = e.prevs[0]
		}
		if !sr.MatchName(org.Name) && !sr.MatchName(e.cur.Name) {
			continue
		}
		if !sr.MatchGvk(e.cur.Gvk) {
			continue
		}
		if !sr.MatchNamespace(org.EffectiveNamespace()) && !sr.MatchNamespace(e.key.ns) {
			continue
		}
		matched, err := r.MatchesLabelSelector(s.LabelSelector)
		if err != nil {
			return nil, err
		}
		if !matched {
			continue
		}
		matched, err = r.MatchesAnnotationSelector(s.AnnotationSelector)
		if err != nil {
			return nil, err
		}
		if !matched {
			continue
		}
		result = append(result, r)
	}
	if checkIndex {
		want, err := m.upstreamSelect(s)
		if err != nil || len(want) != len(result) {
			panic(fmt.Sprintf("index: select %v: %d, walk finds %d (%v)", s, len(result), len(want), err))
		}
	}
	m.leak(result...)
	return result, nil
}

// AddOriginAnnotation and its like change annotations only, and no id is kept there but those of PrevIds, which they do not touch.

// ApplySmPatch implements ResMap.
func (m *resWrangler) ApplySmPatch(selectedSet *resource.IdSet, patch *resource.Resource) error {
	defer m.leakAll()
	return m.upstreamApplySmPatch(selectedSet, patch)
}

// ApplyFilter implements ResMap.
func (m *resWrangler) ApplyFilter(f kio.Filter) error {
	defer m.leakAll()
	return m.upstreamApplyFilter(f)
}

// DeAnchor implements ResMap.
func (m *resWrangler) DeAnchor() error {
	defer m.leakAll()
	return m.upstreamDeAnchor()
}
