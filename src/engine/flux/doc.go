// Package flux prepares a directory for kustomize and finishes what kustomize built as kustomize-controller 1.8.0 does: a
// port of fluxcd/pkg/kustomize 1.27.0 (Apache-2.0) from the disk to the engine's tree, and from the cluster to plain values.
package flux
