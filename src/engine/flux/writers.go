package flux

import (
	"slices"
	"strings"

	"github.com/fluxcd/pkg/envsubst/parse"
	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/writers"
)

// tell says who wrote the nodes of an object that went through substitution; was is what it was before.
func (v Variables) tell(is, was *writers.Node) {
	if !writers.On() || is == nil || was == nil {
		return
	}
	switch {
	case was.Kind == yaml.ScalarNode && strings.Contains(was.Value, "$"):
		v.tellText(is, was)
	case is.Kind != was.Kind:
	case is.Kind == yaml.ScalarNode:
		writers.Follow(is, was)
		if writers.HeadOf(is).Source == 0 && writers.HeadOf(was).Source != 0 {
			stampPart(is, was)
		}
	case is.Kind == yaml.SequenceNode && len(is.Content) == len(was.Content):
		take(is, was)
		for i, item := range is.Content {
			v.tell(item, was.Content[i])
		}
	case is.Kind == yaml.MappingNode:
		take(is, was)
		entries := make(map[string]int, len(was.Content)/2)
		for i := 0; i+1 < len(was.Content); i += 2 {
			entries[was.Content[i].Value] = i
		}
		for i := 0; i+1 < len(is.Content); i += 2 {
			if at, ok := entries[is.Content[i].Value]; ok {
				writers.Follow(is.Content[i], was.Content[at])
				v.tell(is.Content[i+1], was.Content[at+1])
			}
		}
	}
}

func take(is, was *writers.Node) {
	writers.Set(is, writers.HeadOf(was))
	is.Mark, is.Lost = was.Mark, was.Lost
}

// tellText says who wrote what a text with variables became, which may be a number or even a map.
func (v Variables) tellText(is, was *writers.Node) {
	if is.Kind == yaml.ScalarNode && is.Value == was.Value {
		writers.Follow(is, was)
		return
	}
	head := writers.HeadOf(was)
	tree, err := parse.Parse(was.Value)
	if err != nil {
		stampPart(is, was)
		return
	}
	trace := writers.Compose(writers.Variable, nil, head, head)
	var names []string
	for _, use := range usesIn(tree.Root, nil) {
		if _, defined := v.values[use.Param]; defined && !slices.Contains(names, use.Param) {
			names = append(names, use.Param)
			trace.From = append(trace.From, writers.Point{Path: []any{"spec", "postBuild", "substitute", use.Param}})
		}
	}
	stamp(is, writers.Keep(trace))
	is.Mark = was.Mark
}

// stampPart says that a value is part of something that begins or ends in another one, so that no place made it alone.
func stampPart(is, was *writers.Node) {
	stamp(is, writers.Keep(writers.Trace{By: writers.Variable, Before: writers.HeadOf(was)}))
}

func stamp(n *writers.Node, h writers.Head) {
	writers.Set(n, h)
	for _, c := range n.Content {
		stamp(c, h)
	}
}
