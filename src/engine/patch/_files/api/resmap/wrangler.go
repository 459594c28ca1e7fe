package resmap

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/trace"
)

// byCurrentId answers GetMatchingResourcesByCurrentId(id.Equals) without handing anything out.
func (m *resWrangler) byCurrentId(id resid.ResId) []*resource.Resource {
	found := m.fresh().byCurrent[keyOf(id)]
	if comparing {
		check(id, len(found), len(m.filteredById(id.Equals, GetCurrentId)))
	}
	return found
}

// byAnyId answers GetMatchingResourcesByAnyId(id.Equals) without handing anything out, but for empty resources.
func (m *resWrangler) byAnyId(id resid.ResId) []*resource.Resource {
	found := m.fresh().byAny[keyOf(id)]
	if comparing && m.index.ambiguous == 0 && !m.index.empties {
		check(id, len(found), len(m.upstreamGetMatchingResourcesByAnyId(id.Equals)))
	}
	return found
}

// Clear implements ResMap.
func (m *resWrangler) Clear() {
	m.rList = nil
	m.suspectAll()
	m.index.empties = false
}

// Append implements ResMap.
func (m *resWrangler) Append(res *resource.Resource) error {
	if err := trace.CheckObjects(len(m.rList)); err != nil {
		return err
	}
	id := res.CurId()
	if len(m.byCurrentId(id)) > 0 {
		return fmt.Errorf(
			"may not add resource with an already registered id: %s", id)
	}
	m.append(res)
	return nil
}

func (m *resWrangler) append(res *resource.Resource) {
	m.upstreamAppend(res)
	if m.index.built {
		m.index.add(res)
	}
}

// AppendAll implements ResMap. An empty map takes over what another one has found out about its resources: components hand
// all that there is so far from one map to the next.
func (m *resWrangler) AppendAll(other ResMap) error {
	m2, ok := other.(*resWrangler)
	if !ok || m2 == m || len(m.rList) > 0 || m2.fresh().ambiguous > 0 {
		return m.upstreamAppendAll(other)
	}
	m.rList = slices.Clone(m2.rList)
	m.index = m2.index
	m2.suspectAll()
	return nil
}

// DropEmpties implements ResMap.
func (m *resWrangler) DropEmpties() {
	if m.index.built && !m.index.empties && !m.someSuspectIsEmpty() {
		if comparing && slices.ContainsFunc(m.rList, isEmpty) {
			panic("index: an empty resource is left")
		}
		return
	}
	before := len(m.rList)
	m.upstreamDropEmpties()
	if len(m.rList) != before {
		m.suspectAll()
	}
	m.index.empties = false
}

func (m *resWrangler) someSuspectIsEmpty() bool {
	for r := range m.index.suspects {
		if r.IsNilOrEmpty() {
			return true
		}
	}
	return false
}

// GetIndexOfCurrentId implements ResMap.
func (m *resWrangler) GetIndexOfCurrentId(id resid.ResId) (int, error) {
	found := m.byCurrentId(id)
	if len(found) > 1 || m.index.ambiguous > 0 {
		return m.upstreamGetIndexOfCurrentId(id)
	}
	if len(found) == 0 {
		return -1, nil
	}
	return m.indexOfResource(found[0]), nil
}

// Remove implements ResMap.
func (m *resWrangler) Remove(adios resid.ResId) error {
	m.suspectAll()
	return m.upstreamRemove(adios)
}

// Replace implements ResMap.
func (m *resWrangler) Replace(res *resource.Resource) (int, error) {
	defer m.suspectAll()
	return m.upstreamReplace(res)
}

// Resources implements ResMap.
func (m *resWrangler) Resources() []*resource.Resource {
	m.suspectAll()
	return m.upstreamResources()
}

// GetByIndex implements ResMap.
func (m *resWrangler) GetByIndex(i int) *resource.Resource {
	r := m.upstreamGetByIndex(i)
	if r != nil {
		m.suspect(r)
	}
	return r
}

// GetMatchingResourcesByCurrentId implements ResMap.
func (m *resWrangler) GetMatchingResourcesByCurrentId(matches IdMatcher) []*resource.Resource {
	found := m.upstreamGetMatchingResourcesByCurrentId(matches)
	m.suspect(found...)
	return found
}

// MatchingCurrentIdOf answers GetMatchingResourcesByCurrentId(r.CurId().Equals) for a resource of this map that was changed
// since it was handed out.
func (m *resWrangler) MatchingCurrentIdOf(r *resource.Resource) []*resource.Resource {
	m.suspect(r)
	id := r.CurId()
	if len(m.byCurrentId(id)) == 1 {
		return []*resource.Resource{r}
	}
	// In the order of the list, for the text of the error.
	return m.GetMatchingResourcesByCurrentId(id.Equals)
}

// GetMatchingResourcesByAnyId implements ResMap.
func (m *resWrangler) GetMatchingResourcesByAnyId(matches IdMatcher) []*resource.Resource {
	found := m.upstreamGetMatchingResourcesByAnyId(matches)
	m.suspect(found...)
	return found
}

// GetByCurrentId implements ResMap.
func (m *resWrangler) GetByCurrentId(id resid.ResId) (*resource.Resource, error) {
	if found := m.byCurrentId(id); len(found) == 1 {
		m.suspect(found[0])
		return found[0], nil
	}
	return m.upstreamGetByCurrentId(id)
}

// GetById implements ResMap.
func (m *resWrangler) GetById(id resid.ResId) (*resource.Resource, error) {
	if found := m.byAnyId(id); len(found) == 1 && m.index.ambiguous == 0 && !found[0].IsNilOrEmpty() {
		m.suspect(found[0])
		return found[0], nil
	}
	return m.upstreamGetById(id)
}

func (m *resWrangler) appendReplaceOrMerge(res *resource.Resource) error {
	id := res.CurId()
	if found := m.byAnyId(id); len(found) > 0 {
		defer signMerged(found[0], res)()
		return m.upstreamAppendReplaceOrMerge(res)
	}
	switch res.Behavior() {
	case types.BehaviorMerge, types.BehaviorReplace:
		return fmt.Errorf(
			"id %#v does not exist; cannot merge or replace", id)
	default:
		return m.Append(res)
	}
}

func (m *resWrangler) groupedByCurrentNamespace() map[string][]*resource.Resource {
	m.suspectAll()
	return m.upstreamGroupedByCurrentNamespace()
}

func (m *resWrangler) groupedByOriginalNamespace() map[string][]*resource.Resource {
	m.suspectAll()
	return m.upstreamGroupedByOriginalNamespace()
}

func (m *resWrangler) makeCopy(copier resCopier) ResMap {
	m.suspectAll()
	return m.upstreamMakeCopy(copier)
}

// SubsetThatCouldBeReferencedByResource implements ResMap.
func (m *resWrangler) SubsetThatCouldBeReferencedByResource(referrer *resource.Resource) (ResMap, error) {
	m.suspectAll()
	return m.upstreamSubset(referrer)
}

// Select implements ResMap. The tests that cost least and refuse most come first.
func (m *resWrangler) Select(s types.Selector) ([]*resource.Resource, error) {
	x := m.fresh()
	if x.ambiguous > 0 {
		defer m.suspectAll()
		return m.upstreamSelect(s)
	}
	selector, err := types.NewSelectorRegex(&s)
	if err != nil {
		return nil, err
	}
	matchesName := nameMatcher(s.Name, selector)
	var selected []*resource.Resource
	for _, e := range x.ordered {
		original := e.original()
		if !matchesName(original.Name) && !matchesName(e.current.Name) ||
			!selector.MatchGvk(e.current.Gvk) ||
			!selector.MatchNamespace(original.EffectiveNamespace()) && !selector.MatchNamespace(e.key.namespace) {
			continue
		}
		if matched, err := e.resource.MatchesLabelSelector(s.LabelSelector); err != nil {
			return nil, err
		} else if !matched {
			continue
		}
		if matched, err := e.resource.MatchesAnnotationSelector(s.AnnotationSelector); err != nil {
			return nil, err
		} else if !matched {
			continue
		}
		selected = append(selected, e.resource)
	}
	if comparing {
		walked, _ := m.upstreamSelect(s)
		check(s, len(selected), len(walked))
	}
	m.suspect(selected...)
	return selected, nil
}

// nameMatcher compares bytes where the pattern is a name, in which only the dots are special: nearly all patterns are, and
// every patch with a target is compared with every object.
func nameMatcher(pattern string, selector *types.SelectorRegex) func(string) bool {
	for i := range len(pattern) {
		c := pattern[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return selector.MatchName
		}
	}
	if pattern == "" {
		return selector.MatchName
	}
	return func(name string) bool {
		// As many bytes as the pattern has dots, if there is a character that takes more than one.
		if len(name) > len(pattern) && !isASCII(name) {
			return selector.MatchName(name)
		}
		if len(name) != len(pattern) {
			return false
		}
		// Names begin alike and end differently.
		for i := len(name) - 1; i >= 0; i-- {
			if name[i] != pattern[i] && (pattern[i] != '.' || name[i] == '\n' || name[i] >= 0x80) {
				return false
			}
		}
		return true
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// ApplySmPatch implements ResMap: upstream goes through all resources and appends each of them anew.
func (m *resWrangler) ApplySmPatch(selected *resource.IdSet, patch *resource.Resource) error {
	x := m.fresh()
	foreign := slices.ContainsFunc(selected.Members(), func(r *resource.Resource) bool { return x.entries[r] == nil })
	if x.ambiguous > 0 || x.empties || foreign {
		defer m.suspectAll()
		return m.upstreamApplySmPatch(selected, patch)
	}
	m.suspect(selected.Members()...)
	for _, res := range selected.Members() {
		patchCopy := patch.DeepCopy()
		restore := patchCopy.KeepIdentity()
		patchCopy.CopyMergeMetaDataFieldsFrom(patch)
		patchCopy.SetGvk(res.GetGvk())
		patchCopy.SetKind(patch.GetKind())
		restore()
		if err := res.ApplySmPatch(patchCopy); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(selected.Members(), isEmpty) {
		m.upstreamDropEmpties()
		m.suspectAll()
		m.index.empties = false
	}
	if m.fresh().ambiguous > 0 {
		// A patch made an id that another one has: appending anew tells which.
		list := m.rList
		m.Clear()
		return m.appendAll(list)
	}
	return nil
}

// ApplyFilter implements ResMap.
func (m *resWrangler) ApplyFilter(f kio.Filter) error {
	defer m.suspectAll()
	return m.upstreamApplyFilter(f)
}

// DeAnchor implements ResMap.
func (m *resWrangler) DeAnchor() error {
	defer m.suspectAll()
	return m.upstreamDeAnchor()
}

// OneEach reports whether every resource has an id of its own and none is empty.
func (m *resWrangler) OneEach() bool {
	return m.fresh().ambiguous == 0 && !slices.ContainsFunc(m.rList, isEmpty)
}

func isEmpty(r *resource.Resource) bool { return r.IsNilOrEmpty() }
