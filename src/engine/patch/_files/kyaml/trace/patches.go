package trace

import (
	"regexp"
	"strings"

	yaml3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/writers"
)

// Patch tells which text a plugin applies as a patch.
func Patch(plugin any, text []byte) {
	if now != nil && len(text) > 0 {
		now.patches[plugin] = text
	}
}

// Patched tells an object to which the plugin at work applied a JSON patch who wrote its nodes; was is what it was before.
func Patched(was, is *yaml3.Node) {
	if now == nil || now.Writers == nil {
		return
	}
	operations, ok := now.operations[now.plugin]
	if !ok {
		operations = now.readOperations(now.patches[now.plugin])
		now.operations[now.plugin] = operations
	}
	if operations == nil {
		return
	}
	if patched, ok := writers.Patch(was, operations); ok {
		writers.Follow(is, patched)
	}
}

var separator = regexp.MustCompile(`\n---.*\n`)

// readOperations parses the first document of a JSON patch that holds anything.
func (b *Build) readOperations(text []byte) []writers.Operation {
	if len(text) == 0 {
		return nil
	}
	o := b.contents[&text[0]]
	if o.file == "" {
		return nil
	}
	line := 0
	for i, document := range separator.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), -1) {
		var n yaml3.Node
		yaml3.CurrentSource = b.source(o, writers.JSONPatch, i, line)
		err := yaml3.Unmarshal([]byte(document), &n)
		yaml3.CurrentSource = 0
		if err != nil {
			return nil
		}
		if len(n.Content) > 0 {
			return writers.Operations(n.Content[0])
		}
		line += strings.Count(document, "\n") + 2
	}
	return nil
}
