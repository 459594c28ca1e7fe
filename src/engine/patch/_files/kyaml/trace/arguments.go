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
	return argument(plugin, entry, document, false)
}

// ArgumentKey is where the key of an argument stands.
func ArgumentKey(plugin any, entry, document []any) []writers.Point {
	return argument(plugin, entry, document, true)
}

func argument(plugin any, entry, document []any, key bool) []writers.Point {
	if now == nil {
		return nil
	}
	if d := now.documentOf(plugin); d != nil {
		n := writers.At(d, document...)
		if last := len(document) - 1; key && last >= 0 {
			name, _ := document[last].(string)
			n, _ = writers.Entry(writers.At(d, document[:last]...), name)
		}
		return writers.PointsOf(writers.HeadOf(n))
	}
	p, ok := now.plugins[plugin]
	if !ok || p.Field.Name == "" {
		return nil
	}
	return []writers.Point{{File: p.Kustomization, Path: slices.Concat(p.Field.path(), entry), Key: key}}
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

// EntryOf is where the n-th thing is written that the entries of a plugin's list were made into, or a field of it. What an
// entry reads from a file has no place of its own.
func EntryOf(plugin any, n int, field []any) []writers.Point {
	if now == nil {
		return nil
	}
	entries := now.entries[plugin]
	at := n
	for i, first := range entries {
		if first <= n {
			at = i
		}
	}
	path := append([]any{at}, field...)
	return Argument(plugin, path, append([]any{"replacements"}, path...))
}

// A variable takes its value from a node, for an entry of the kustomization.
type variable struct {
	node  *yaml3.Node
	entry []writers.Point
}

// Vars tells that the kustomization that the trail is in has variables.
func Vars(names []string) {
	if now == nil {
		return
	}
	for i, name := range names {
		p := Here("vars")
		now.vars[name] = variable{entry: []writers.Point{{File: p.Kustomization, Path: []any{"vars", i}}}}
	}
}

// VarFrom tells which node a variable takes its value from.
func VarFrom(name string, n *yaml3.Node) {
	if now != nil {
		v := now.vars[name]
		v.node = n
		now.vars[name] = v
	}
}

// Var is the node that a variable takes its value from and the entry that says so.
func Var(name string) (*yaml3.Node, []writers.Point) {
	if now == nil {
		return nil, nil
	}
	v := now.vars[name]
	return v.node, v.entry
}
