//go:build kustomize_index_check

package resmap

// comparing makes every answer of the index be compared with upstream's walk.
const comparing = true
