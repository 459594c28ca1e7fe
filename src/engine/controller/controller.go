package controller

import (
	"maps"
	"strings"

	"customizer-lint/engine/flux"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Reasons why the controller does not apply an object.
const (
	// Unnamed has no apiVersion, kind or name. A build with such an object is refused, but the items of a list are not looked at.
	Unnamed = "it has no apiVersion, kind or name"
	// Configuration is an object that configures kustomize.
	Configuration = "it is a kustomize configuration object"
	// List stands for its items, which are applied instead.
	List = "it is a list, its items are applied instead"
)

// Dropped returns why the controller does not apply an object, or nothing (fluxcd/pkg ssa/utils/object.go ReadObjects).
func Dropped(o *yaml.RNode) string {
	switch {
	case items(o) != nil:
		return List
	case o.GetApiVersion() == "" || o.GetKind() == "" || o.GetName() == "":
		return Unnamed
	case strings.EqualFold(o.GetKind(), "kustomization") && strings.HasPrefix(o.GetApiVersion(), "kustomize.config.k8s.io/"):
		return Configuration
	}
	return ""
}

// Items returns the objects that are applied in the place of a list; any object with a list called items is one.
func Items(o *yaml.RNode) []*yaml.RNode {
	list := items(o)
	if list == nil {
		return nil
	}
	elements, err := list.Elements()
	if err != nil {
		return nil
	}
	return elements
}

func items(o *yaml.RNode) *yaml.RNode {
	f := o.Field("items")
	if f == nil || f.Value.YNode() == nil || f.Value.YNode().Kind != yaml.SequenceNode {
		return nil
	}
	return f.Value
}

const ownerGroup = "kustomize.toolkit.fluxcd.io"

// Mark puts the labels of the owner and the common metadata on an object, as is done before it is applied.
func Mark(o *yaml.RNode, k flux.Kustomization) error {
	defer tell(o, k)()
	labels := o.GetLabels()
	labels[ownerGroup+"/name"] = k.Name
	labels[ownerGroup+"/namespace"] = k.Namespace
	if k.CommonMetadata != nil {
		maps.Copy(labels, k.CommonMetadata.Labels)
	}
	if err := o.SetLabels(labels); err != nil {
		return err
	}
	if k.CommonMetadata == nil || len(k.CommonMetadata.Annotations) == 0 {
		return nil
	}
	annotations := o.GetAnnotations()
	maps.Copy(annotations, k.CommonMetadata.Annotations)
	return o.SetAnnotations(annotations)
}
