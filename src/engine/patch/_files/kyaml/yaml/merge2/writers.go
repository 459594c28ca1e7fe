package merge2

import (
	"sigs.k8s.io/kustomize/kyaml/writers"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/kustomize/kyaml/yaml/walk"
)

// over tells that the patch's node takes the place of the object's.
func over(nodes walk.Sources) { writers.Over(nodes.Origin().YNode(), nodes.Dest().YNode()) }

// replace tells the same of a whole tree, for a directive of the patch or because lists of this kind are not merged.
func replace(nodes walk.Sources) {
	patch := nodes.Origin().YNode()
	writers.Replace(patch, nodes.Dest().YNode(), writers.Cause(patch))
}

// direct remembers where the directive of a patch stands, which is about to be taken off.
func direct(patch, directive *yaml.RNode) { writers.Direct(patch.YNode(), directive.YNode()) }
