package controller

import (
	"maps"
	"testing"

	"customizer-lint/engine/flux"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestDropped(t *testing.T) {
	for text, want := range map[string]string{
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n":                                    "",
		"apiVersion: v1\nkind: ConfigMap\n":                                                         Unnamed,
		"kind: ConfigMap\nmetadata: {name: x}\n":                                                    Unnamed,
		"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: kustomization\nmetadata: {name: x}\n":   Configuration,
		"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: x}\n":    "",
		"apiVersion: v1\nkind: ConfigMapList\nmetadata: {name: x}\nitems: []\n":                     List,
		"apiVersion: x/v1\nkind: Thing\nmetadata: {name: x}\nitems: {a: b}\n":                       "",
		"apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nmetadata: {name: x}\n":      "",
		"apiVersion: x/v1\nkind: Thing\nmetadata: {name: x}\nitems: [{kind: A}, {kind: B, a: b}]\n": List,
	} {
		if got := Dropped(yaml.MustParse(text)); got != want {
			t.Errorf("%s\ngot %q, want %q", text, got, want)
		}
	}
}

func TestMark(t *testing.T) {
	o := yaml.MustParse("metadata: {name: x, labels: {a: b}, annotations: {c: d}}\n")
	err := Mark(o, flux.Kustomization{Name: "k", Namespace: "n", CommonMetadata: &flux.CommonMetadata{
		Labels: map[string]string{"a": "z"}, Annotations: map[string]string{"e": "f"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "z", "kustomize.toolkit.fluxcd.io/name": "k", "kustomize.toolkit.fluxcd.io/namespace": "n"}
	if got := o.GetLabels(); !maps.Equal(got, want) {
		t.Errorf("labels %v, want %v", got, want)
	}
	if got, want := o.GetAnnotations(), map[string]string{"c": "d", "e": "f"}; !maps.Equal(got, want) {
		t.Errorf("annotations %v, want %v", got, want)
	}
}
