// Package parity holds the engine against the packages that kustomize-controller 1.8.0 is linked with. It is a module of its
// own, since the patched copies of kustomize and the real ones cannot be in one program: the engine runs beside the test as a
// process and answers frames.
package parity
