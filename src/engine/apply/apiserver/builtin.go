package apiserver

import "k8s.io/apimachinery/pkg/runtime/schema"

type builtin struct {
	Generation bool
}

func builtinResource(kind schema.GroupKind) (*resource, error) { return nil, nil }
func (b *builtin) setDefaults(content map[string]any)          {}
func (b *builtin) prune(v *version, content map[string]any)    {}
