// Package apiserver is an API server without a server: it holds definitions and objects in memory and answers create, update,
// patch, server-side apply and delete as kube-apiserver 1.35 does, with Kubernetes' own merging, schemas, validation and CEL.
//
// Custom resources are judged in full: decoding, pruning, defaulting, field management, validation with ratcheting, and what
// the server words of a refusal. Admission, authorization and webhooks are not there: an object may be in a namespace that is
// not, but for one that was deleted, and with it all that it held; nobody is forbidden anything, and between versions nothing but
// the apiVersion changes. Nor are the checks of a scale subresource, warnings, and the limit of a request's size.
//
// Of the built-in kinds (builtin.json) only fields are managed: who owns what, conflicts, and patches that do not fit the
// schema. Unknown fields and nulls are dropped, quantities get their usual form, and the defaults of a Deployment are set, as an
// Update owns them. Nothing else of their strategies is there: no immutable field, no validation but that of metadata, of types
// and of a Deployment's strategy, no default of another kind but the protocol of a port, and nothing is allocated, as a Service's
// address is.
//
// Nothing is random where Kubernetes leaves the order of a Go map in an answer: conflicts are sorted by manager and path, the
// causes and messages of an invalid object by field, and what does not fit a schema by path. A walk stops in a map at a field that
// the schema does not have, and on a real server that is any of them, before or after the others; here it is the first by name,
// after the others. Time is a clock that the caller sets; a uid counts up.
package apiserver
