package controller

import (
	"customizer-lint/engine/flux"

	"sigs.k8s.io/kustomize/kyaml/writers"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// tell remembers who wrote the labels and annotations of an object. The returned function says who wrote those that it was
// given since: the Flux object, in these fields.
func tell(o *yaml.RNode, k flux.Kustomization) (sign func()) {
	if !writers.On() {
		return func() {}
	}
	was := o.Copy().YNode()
	return func() {
		put := func(field, name string, path ...any) {
			before := writers.HeadOf(writers.At(was, "metadata", field, name))
			trace := writers.Trace{By: writers.Controller, From: []writers.Point{{Path: path}}, Before: before}
			writers.Stamp(writers.At(o.YNode(), "metadata", field, name), trace)
		}
		put("labels", ownerGroup+"/name", "metadata", "name")
		put("labels", ownerGroup+"/namespace", "metadata", "namespace")
		if k.CommonMetadata == nil {
			return
		}
		for name := range k.CommonMetadata.Labels {
			put("labels", name, "spec", "commonMetadata", "labels", name)
		}
		for name := range k.CommonMetadata.Annotations {
			put("annotations", name, "spec", "commonMetadata", "annotations", name)
		}
	}
}
