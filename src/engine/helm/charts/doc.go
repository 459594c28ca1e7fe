// Package charts does what Flux and Helm do with a chart: it is assembled as source-watcher 2.1.0 assembles the artifact of a component of
// Cozystack (internal/builder), loaded as Helm 4.1.1 loads a packed chart, and rendered as its upgrade action does (pkg/action,
// prepareUpgrade and renderResources), up to the objects that would be sent.
package charts
