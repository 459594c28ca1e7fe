// Package writers is the engine's, added to kyaml: it records for every node who wrote it.
//
// A node carries where it is from, its head, and keeps it when it is copied, moved and merged. Whoever writes a node in a way
// that is known here leaves a trace, which the node's head then counts in. A scalar whose value is not the one that its head
// was set with was changed by somebody who is not known here, so that nobody knows where it is from.
//
// Kustomize hands no context through its calls, so there is one record at a time. Without one every function does nothing.
package writers
