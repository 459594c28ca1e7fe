// Package controller does what kustomize-controller 1.8.0 does with the objects between the build and the API server: it
// refuses what is no object, leaves out what is none of its business, and marks the rest as its own.
package controller
