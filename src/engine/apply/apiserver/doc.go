// Package apiserver is an API server without a server: it holds definitions and objects in memory and answers create, update,
// patch, server-side apply and delete as kube-apiserver 1.35 does, with Kubernetes' own merging, schemas, validation and CEL.
//
// Custom resources are judged in full: decoding, pruning, defaulting, field management, validation with ratcheting, and what
// the server words of a refusal. Admission, authorization and webhooks are not there: an object may be in a namespace that is
// not, but for one that was deleted, and with it all that it held; nobody is forbidden anything, and between versions of a custom
// resource nothing but the apiVersion changes. Nor are the checks of a scale subresource, warnings, and the limit of a request's size.
//
// The built-in kinds (kinds.go) are judged in full, too: they are read into Kubernetes' own types, get its defaults, and go through
// the strategies of k8s.io/kubernetes, which drop what is not enabled, validate, and refuse changes of what cannot be changed. Not
// there is what the server does around them with other objects: a Service gets no address, no port and no IP family, a role may
// grant more than who writes it has, and what a controller fills in is not filled in.
//
// Nothing is random where Kubernetes leaves the order of a Go map in an answer: conflicts are sorted by manager and path, the
// causes and messages of an invalid object by field, and what does not fit a schema by path. A walk stops in a map at a field that
// the schema does not have, and on a real server that is any of them, before or after the others; here it is the first by name,
// after the others. Time is a clock that the caller sets; a uid counts up.
package apiserver
