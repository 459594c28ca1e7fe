// Package tree is the file system of a build: the repository's files in memory, immutable, with a copy-on-write layer for
// each build, behaving as a disk does under Flux's secure file system (fluxcd/pkg/kustomize/filesys/fs_secure.go).
package tree
