// Command generate writes the data that the linter knows a Cozystack release and Kubernetes by: names, types and schemas,
// never prose.
//
// From a checkout of cozystack at the release's tag:
//
//	npm run generate -- --from ../cozystack --release v1.6.2
//
// writes, below schemas/:
//
//	cozystack/<release>/catalog.json   PackageSources, their variants and components; what the platform chart emits
//	cozystack/<release>/crds.json      an index of the custom resources: group and kind to scope, versions, schema file
//	cozystack/<release>/applications.json  the kinds of apps.cozystack.io: plural, prefix of the release, file of the chart
//	cozystack/crds/*.json              one file per distinct schema, named by its content, so releases share most of them
//	cozystack/<release>/values.json    which chart the values of each component are for
//	cozystack/<release>/artifact.json  the OCI artifact with the charts, by its digest
//	cozystack/charts/*.json          one file per distinct chart: the keys of its values, with the kinds of their defaults
//	kubernetes/<minor>.json            an index of the built-in kinds of a minor version of Kubernetes
//	kubernetes/schemas/*.json          one self-contained file per distinct schema, so minors share most of them
//
// The same input gives the same bytes. Nothing is deleted from cozystack/crds and
// cozystack/charts but what no release's index names. With
// --check nothing is written, and what differs from what is there is an error.
//
// Applications are written from a checkout that has packages/system/*-rd/cozyrds; with --applications they alone are, and what
// is there of the release stays as it is.
//
// A fork, or a release that is not in the box, goes into a directory of its own:
//
//	npm run generate -- --from ../our-cozystack --release of-our-own --out ../cozystack-data
//
// which is laid out alike and has all that the linter reads of a release, the built-in kinds included. Who owns which field
// and what the customizer may do is not generated; cozystack/ownership.yaml and cozystack/rbac.yaml in that directory, if
// they are there, stand for those of the linter.
//
// What is read how:
//
//   - PackageSources are plain YAML. The one of the platform itself is made by the operator in code (operator.go); its variants
//     are told from the values files of the platform chart.
//   - Packages are what the real Helm renders from the platform chart, once per variant and switch (platform.go).
//   - A CustomResourceDefinition is read from its file with template actions blanked out, so that a condition hides none;
//     Helm then renders the charts to learn which of them a component installs (crds.go, charts.go).
//   - The values of a chart are those of values.yaml and of its sub-charts, put together as Helm does, and what their schemas,
//     their conditions and their templates name besides (shapes.go, reads.go). A checkout without templates gives fewer.
//   - An application is what an ApplicationDefinition says that a component of a PackageSource brings (applications.go); the schema
//     in it is that of its chart, and the values of that chart are read like those of any other.
//   - Built-in kinds come from the OpenAPI document in the module k8s.io/kubernetes, fetched through the Go proxy.
package main
