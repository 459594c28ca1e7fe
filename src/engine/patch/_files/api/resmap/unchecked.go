//go:build !kustomize_index_check

package resmap

const comparing = false
