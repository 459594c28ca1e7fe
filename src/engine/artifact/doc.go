// Package artifact takes from a repository what source-controller 1.8.0 leaves out of the artifact that Flux builds: symbolic
// links, submodules and what .sourceignore files and the GitRepository's spec.ignore exclude.
package artifact
