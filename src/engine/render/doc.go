// Package render builds a directory of a tree as kustomize-controller 1.8.0 does, with no state that outlives the build.
package render
