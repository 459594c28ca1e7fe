package refvar

import (
	"sigs.k8s.io/kustomize/kyaml/trace"
	"sigs.k8s.io/kustomize/kyaml/writers"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// update writes the value of a text with variables and tells what it is made of.
func (f Filter) update(n *yaml.Node, value any) {
	if !writers.On() {
		updateNodeValue(n, value)
		return
	}
	text, before := n.Value, writers.HeadOf(n)
	updateNodeValue(n, value)
	if n.Value == text {
		return
	}
	parts := writers.Trace{By: writers.Replacement, Before: before}
	var marks []int32
	DoReplacements(text, func(name string) any {
		if source, entry := trace.Var(name); source != nil {
			of := writers.Compose(writers.Replacement, nil, before, writers.HeadOf(source))
			parts.From = append(append(parts.From, of.From...), entry...)
			marks = append(marks, writers.Mark(source))
		}
		return ""
	})
	whole := writers.Compose(writers.Replacement, parts.From, before, before)
	whole.Derived = append(whole.Derived, marks...)
	writers.Stamp(n, whole)
	n.Mark = 0
}
