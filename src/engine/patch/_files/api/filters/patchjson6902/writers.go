package patchjson6902

import (
	"sigs.k8s.io/kustomize/kyaml/trace"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// unmarshal gives an object the result of the patch and tells it who wrote what.
func unmarshal(object *yaml.RNode, result []byte) error {
	was := object.YNode()
	if err := object.UnmarshalJSON(result); err != nil {
		return err
	}
	trace.Patched(was, object.YNode())
	return nil
}
