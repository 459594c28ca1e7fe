package kio

import (
	"sigs.k8s.io/kustomize/kyaml/trace"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// FromBytes tells which text is read, and whether it could be.
func FromBytes(bs []byte) ([]*yaml.RNode, error) {
	trace.Read(bs)
	nodes, err := upstreamFromBytes(bs)
	trace.Done(err)
	return nodes, err
}
