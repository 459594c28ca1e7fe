package trace

import (
	"slices"

	yaml3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/writers"
)

// ConfiguredBy tells that a plugin is configured by a document of its own.
func ConfiguredBy(plugin any, document *yaml3.Node) {
	if now != nil && document != nil {
		now.documents[plugin] = document
	}
}

// Argument is where an argument of a plugin stands: at a path below its entry of the kustomization, or at one of the document
// that configures it. There is none if nobody knows.
func Argument(plugin any, entry, document []any) []writers.Point {
	if p, ok := argument(plugin, entry, document, false); ok {
		return []writers.Point{p}
	}
	return nil
}

// ArgumentKey is where the key of an argument stands.
func ArgumentKey(plugin any, entry, document []any) []writers.Point {
	if p, ok := argument(plugin, entry, document, true); ok {
		return []writers.Point{p}
	}
	return nil
}

func argument(plugin any, entry, document []any, key bool) (writers.Point, bool) {
	if now == nil {
		return writers.Point{}, false
	}
	if d := now.documentOf(plugin); d != nil {
		n := writers.At(d, document...)
		if last := len(document) - 1; key && last >= 0 {
			name, _ := document[last].(string)
			n, _ = writers.Entry(writers.At(d, document[:last]...), name)
		}
		h := writers.HeadOf(n)
		return writers.Point{Head: h}, h.Source > 0
	}
	p, ok := now.plugins[plugin]
	if !ok || p.Field.Name == "" {
		return writers.Point{}, false
	}
	return writers.Point{File: p.Kustomization, Path: slices.Concat(p.Field.path(), entry), Key: key}, true
}

// documentOf returns what configures a plugin, or the one that it is part of.
func (b *Build) documentOf(plugin any) *yaml3.Node {
	if d := b.documents[plugin]; d != nil {
		return d
	}
	if _, ok := b.plugins[plugin]; ok {
		return nil
	}
	return b.documents[b.plugin]
}

func (f Field) path() []any {
	if f.Index < 0 {
		return []any{f.Name}
	}
	return []any{f.Name, f.Index}
}

// Plugin is the plugin at work.
func Plugin() any {
	if now == nil {
		return nil
	}
	return now.plugin
}
