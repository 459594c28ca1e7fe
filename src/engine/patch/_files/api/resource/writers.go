package resource

import (
	"sigs.k8s.io/kustomize/kyaml/writers"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// tellItems says who wrote the items of a list, which went through JSON to become objects.
func tellItems(list *yaml.RNode, objects []*yaml.RNode) {
	items := writers.Field(list.YNode(), "items")
	if items == nil || len(items.Content) != len(objects) {
		return
	}
	for i, o := range objects {
		writers.Follow(o.YNode(), items.Content[i])
	}
}
