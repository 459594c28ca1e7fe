package resmap

import (
	"fmt"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/resid"
)

// An idIndex finds the resources of one resWrangler by id.
//
// Whoever holds a resource may change its id behind the index's back. So every method that hands resources out makes them
// suspects, which are indexed anew before the next question; a method that hands out many drops the index.
type idIndex struct {
	built     bool
	byCurrent map[idKey][]*resource.Resource
	byAny     map[idKey][]*resource.Resource
	entries   map[*resource.Resource]*idEntry
	// ordered are the entries in the order of the list.
	ordered  []*idEntry
	suspects map[*resource.Resource]struct{}
	// schema is the state of the OpenAPI schema that the ids are of.
	schema int
	// ambiguous counts ids that several resources hold and resources that stand in the list twice. While there are any,
	// questions are answered by upstream's walk, which has the error texts.
	ambiguous int
	// empties: some resource may be empty, so DropEmpties has to look at all.
	empties bool
}

// An idKey is a ResId as ResId.Equals compares it.
type idKey struct{ group, version, kind, name, namespace string }

func keyOf(id resid.ResId) idKey {
	return idKey{id.Group, id.Version, id.Kind, id.Name, id.EffectiveNamespace()}
}

// An idEntry remembers under which ids a resource was put.
type idEntry struct {
	resource *resource.Resource
	current  resid.ResId
	key      idKey
	previous []resid.ResId
}

// suspectAll drops the index.
func (m *resWrangler) suspectAll() { m.index = idIndex{empties: true} }

func (m *resWrangler) suspect(handedOut ...*resource.Resource) {
	if !m.index.built {
		return
	}
	if 4*len(handedOut) > len(m.rList)+16 {
		m.suspectAll()
		return
	}
	for _, r := range handedOut {
		m.index.suspects[r] = struct{}{}
	}
}

// fresh returns the index with every suspect put anew.
func (m *resWrangler) fresh() *idIndex {
	x := &m.index
	if !x.built || x.schema != openapi.Changes {
		n := len(m.rList)
		*x = idIndex{
			built:     true,
			schema:    openapi.Changes,
			byCurrent: make(map[idKey][]*resource.Resource, n),
			byAny:     make(map[idKey][]*resource.Resource, n),
			entries:   make(map[*resource.Resource]*idEntry, n),
			ordered:   make([]*idEntry, 0, n),
			suspects:  map[*resource.Resource]struct{}{},
			empties:   x.empties,
		}
		for _, r := range m.rList {
			x.add(r)
		}
		return x
	}
	for r := range x.suspects {
		if e, ok := x.entries[r]; ok {
			x.take(e)
			x.put(e)
		}
		x.empties = x.empties || r.IsNilOrEmpty()
	}
	clear(x.suspects)
	return x
}

// add puts a resource that was appended to the list.
func (x *idIndex) add(r *resource.Resource) {
	if _, twice := x.entries[r]; twice {
		x.ambiguous++
		return
	}
	e := &idEntry{resource: r}
	x.entries[r] = e
	x.ordered = append(x.ordered, e)
	x.put(e)
	x.empties = x.empties || r.IsNilOrEmpty()
}

func (x *idIndex) put(e *idEntry) {
	r := e.resource
	e.current, e.previous = r.CurId(), r.PrevIds()
	e.key = keyOf(e.current)
	same := append(x.byCurrent[e.key], r)
	x.byCurrent[e.key] = same
	if len(same) == 2 {
		x.ambiguous++
	}
	x.byAny[e.key] = append(x.byAny[e.key], r)
	for _, id := range e.previous {
		if k := keyOf(id); !contains(x.byAny[k], r) {
			x.byAny[k] = append(x.byAny[k], r)
		}
	}
}

func (x *idIndex) take(e *idEntry) {
	if remove(x.byCurrent, e.key, e.resource) == 1 {
		x.ambiguous--
	}
	remove(x.byAny, e.key, e.resource)
	for _, id := range e.previous {
		remove(x.byAny, keyOf(id), e.resource)
	}
}

// original is the id that the resource was read with.
func (e *idEntry) original() resid.ResId {
	if len(e.previous) > 0 {
		return e.previous[0]
	}
	return e.current
}

func contains(list []*resource.Resource, r *resource.Resource) bool {
	for _, other := range list {
		if other == r {
			return true
		}
	}
	return false
}

// remove takes a resource out of a list and returns how many are left, or -1 if it was not there.
func remove(lists map[idKey][]*resource.Resource, k idKey, r *resource.Resource) int {
	list := lists[k]
	for i, other := range list {
		if other == r {
			rest := append(list[:i:i], list[i+1:]...)
			if len(rest) == 0 {
				delete(lists, k)
			} else {
				lists[k] = rest
			}
			return len(rest)
		}
	}
	return -1
}

// check panics, in the builds that compare, if the index and upstream's walk disagree.
func check(what any, fromIndex, fromWalk int) {
	if fromIndex != fromWalk {
		panic(fmt.Sprintf("index: %v: %d by index, %d by walk", what, fromIndex, fromWalk))
	}
}
