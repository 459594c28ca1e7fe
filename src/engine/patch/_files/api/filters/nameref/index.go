package nameref

import (
	"slices"

	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/errors"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An Index finds the resources that once had a name, for as long as names do not change: while name references are fixed,
// only the references are written.
type Index struct {
	m      resmap.ResMap
	byName map[string][]*entry
	// byNamespace has them by the namespace that they were read with.
	byNamespace map[string][]*entry
	entries     map[*resource.Resource]*entry
}

type entry struct {
	resource *resource.Resource
	current  resid.ResId
	previous []resid.ResId
	cluster  bool
}

// NewIndex indexes a map's resources in their order.
func NewIndex(m resmap.ResMap) *Index {
	x := &Index{m: m}
	x.build()
	return x
}

func (x *Index) build() {
	x.byName, x.byNamespace, x.entries = map[string][]*entry{}, map[string][]*entry{}, map[*resource.Resource]*entry{}
	for _, r := range x.m.Resources() {
		e := &entry{resource: r, current: r.CurId(), previous: r.PrevIds()}
		e.cluster = e.current.IsClusterScoped()
		namespace := e.original().EffectiveNamespace()
		x.byNamespace[namespace] = append(x.byNamespace[namespace], e)
		x.entries[r] = e
		for i, id := range e.previous {
			if !slices.ContainsFunc(e.previous[:i], func(earlier resid.ResId) bool { return earlier.Name == id.Name }) {
				x.byName[id.Name] = append(x.byName[id.Name], e)
			}
		}
	}
}

// Recheck indexes everything anew if a reference that was written is a name itself.
func (x *Index) Recheck(referrer *resource.Resource) {
	e := x.entries[referrer]
	if e == nil || e.current != referrer.CurId() || !slices.Equal(e.previous, referrer.PrevIds()) {
		x.build()
	}
}

// Candidates are the resources that one referrer may refer to. It answers what ReferralCandidates is asked for, by name.
type Candidates struct {
	index    *Index
	referrer *resource.Resource
	current  resid.ResId
	// anything: a referrer of the whole cluster may refer to anything.
	anything bool
	// namespaces of service accounts that a role binding names.
	namespaces map[string]bool
}

// CandidatesFor implements SubsetThatCouldBeReferencedByResource.
func (x *Index) CandidatesFor(referrer *resource.Resource) (*Candidates, error) {
	c := &Candidates{index: x, referrer: referrer, current: referrer.CurId()}
	if c.current.IsClusterScoped() {
		c.anything = true
		return c, nil
	}
	var err error
	c.namespaces, err = resmap.NamespacesForRoleBinding(referrer)
	return c, err
}

func (c *Candidates) has(e *entry) bool {
	return c.anything || e.cluster || e.current.IsNsEquals(c.current) || c.namespaces[e.resource.GetNamespace()]
}

// named are the candidates that once had the name.
func (c *Candidates) named(name string) []*resource.Resource {
	var found []*resource.Resource
	for _, e := range c.index.byName[name] {
		if c.has(e) {
			found = append(found, e.resource)
		}
	}
	return found
}

// namedIn are those of them in a namespace: the one they were read with, if any candidate was, or else the one they have now.
func (c *Candidates) namedIn(name, namespace string) []*resource.Resource {
	if namespace == resid.TotallyNotANamespace {
		return nil
	}
	in := func(e *entry) bool { return e.original().EffectiveNamespace() == namespace }
	if !slices.ContainsFunc(c.index.byNamespace[namespace], c.has) {
		in = func(e *entry) bool { return e.current.EffectiveNamespace() == namespace }
	}
	var found []*resource.Resource
	for _, e := range c.index.byName[name] {
		if c.has(e) && in(e) {
			found = append(found, e.resource)
		}
	}
	return found
}

func (e *entry) original() resid.ResId {
	if len(e.previous) > 0 {
		return e.previous[0]
	}
	return e.current
}

// candidates are the resources that the reference may mean, or at least those of them that once had the name.
func (f Filter) candidates(name string) []*resource.Resource {
	if f.Candidates == nil {
		return f.ReferralCandidates.Resources()
	}
	return f.Candidates.named(name)
}

// candidatesIn are those in the namespace that stands beside the name.
func (f Filter) candidatesIn(node *yaml.RNode, name string) ([]*resource.Resource, error) {
	if f.Candidates == nil {
		return f.filterMapCandidatesByNamespace(node)
	}
	namespaceNode, err := node.Pipe(yaml.FieldMatcher{Name: "namespace"})
	if err != nil {
		return nil, errors.WrapPrefixf(err, "trying to match 'namespace' field")
	}
	if namespaceNode == nil {
		return f.Candidates.named(name), nil
	}
	return f.Candidates.namedIn(name, namespaceNode.YNode().Value), nil
}
