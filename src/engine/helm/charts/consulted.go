package charts

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
)

// Consulted is what a render asked of a cluster, or left to chance.
type Consulted struct {
	world    World
	lookups  map[Lookup]bool
	versions map[string]bool
	random   map[string]bool
}

// A Lookup is a question of a template to the cluster; without a name it asks for a list.
type Lookup struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
}

// Asked is what is told of it. There are no more than a thousand of each.
type Asked struct {
	Lookups     []Lookup `json:"lookups,omitempty"`
	APIVersions []string `json:"apiVersions,omitempty"`
	// Random has the names of the functions, `now` among them.
	Random []string `json:"random,omitempty"`
}

const mostTold = 1000

func newConsulted(world World) *Consulted {
	return &Consulted{world, map[Lookup]bool{}, map[string]bool{}, map[string]bool{}}
}

// Told sorts it.
func (c *Consulted) Told() Asked {
	lookups := slices.Collect(maps.Keys(c.lookups))
	key := func(l Lookup) string {
		return strings.Join([]string{l.APIVersion, l.Kind, l.Namespace, l.Name}, "\x00")
	}
	sort.Slice(lookups, func(i, j int) bool { return key(lookups[i]) < key(lookups[j]) })
	return Asked{lookups, slices.Sorted(maps.Keys(c.versions)), slices.Sorted(maps.Keys(c.random))}
}

// listen notes which API versions are asked for until what it gives is called.
func (c *Consulted) listen() func() {
	common.Asked = func(version string) {
		if len(c.versions) < mostTold {
			c.versions[version] = true
		}
	}
	return func() { common.Asked = func(string) {} }
}

// Lookup answers as Helm's function does: with the object, with a list, or with nothing.
func (c *Consulted) Lookup(apiVersion, kind, namespace, name string) (map[string]any, error) {
	if len(c.lookups) < mostTold {
		c.lookups[Lookup{apiVersion, kind, namespace, name}] = true
	}
	var items []any
	for _, object := range c.world.Objects {
		metadata, _ := object["metadata"].(map[string]any)
		in, _ := metadata["namespace"].(string)
		if object["apiVersion"] != apiVersion || object["kind"] != kind || (namespace != "" && in != namespace) {
			continue
		}
		if name != "" && metadata["name"] == name {
			return copied(object).(map[string]any), nil
		}
		if name == "" {
			items = append(items, copied(object))
		}
	}
	if name != "" || items == nil {
		return map[string]any{}, nil
	}
	return map[string]any{"apiVersion": apiVersion, "kind": kind + "List", "items": items}, nil
}

// copied is what JSON holds once more: a template may change what it has found.
func copied(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(value))
		for key, inner := range value {
			out[key] = copied(inner)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, inner := range value {
			out[i] = copied(inner)
		}
		return out
	}
	return value
}
