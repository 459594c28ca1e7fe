package flux

import (
	"fmt"
	"reflect"
	"testing"

	"customizer-lint/engine/tree"

	"sigs.k8s.io/kustomize/api/types"
)

// Whatever Flux does to the root is held against the real package in the parity module; here is what only we add.
func TestOriginTakesEntriesBack(t *testing.T) {
	files := map[string][]byte{
		"kustomization.yaml":   []byte("resources: [a.yaml]\npatches: [{path: p.yaml}]\ncomponents: [own]\nimages: [{name: a}, {name: b}]\nnameSuffix: -x\n"),
		"there/kustomization":  nil,
		"a/b/generated.yaml":   []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"),
		"there/component.yaml": nil,
	}
	layer := tree.New(files, nil).NewLayer()
	root, err := Generate(layer, tree.Root, Kustomization{
		NamePrefix:              "p-",
		Patches:                 []Patch{{Patch: "x"}},
		Components:              []string{"nope", "there"},
		IgnoreMissingComponents: true,
		Images:                  []Image{{Name: "c"}, {Name: "b"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		field Field
		want  string
	}{
		{Field{"resources", 0}, "false [resources 0]"},
		{Field{"patches", 0}, "false [patches 0]"},
		{Field{"patches", 1, "patch"}, "true [spec patches 0 patch]"},
		{Field{"components", 0}, "false [components 0]"},
		{Field{"components", 1}, "true [spec components 1]"},
		{Field{"images", 0}, "false [images 0]"},
		{Field{"images", 1}, "true [spec images 1]"},
		{Field{"images", 2}, "true [spec images 0]"},
		{Field{"namePrefix"}, "true [spec namePrefix]"},
		{Field{"nameSuffix"}, "false [nameSuffix]"},
		{nil, "false []"},
	} {
		fromFlux, origin := root.Origin(c.field)
		if got := fmt.Sprint(fromFlux, " ", origin); got != c.want {
			t.Errorf("%v: got %s, want %s", c.field, got, c.want)
		}
	}

	root, err = Generate(layer, tree.Root+"/a", Kustomization{})
	if err != nil {
		t.Fatal(err)
	}
	if fromFlux, origin := root.Origin(Field{"resources", 0}); !root.Created || !fromFlux || origin != nil {
		t.Errorf("a generated root: %v %v", fromFlux, origin)
	}
}

func TestEveryFieldIsKnownToFieldFor(t *testing.T) {
	for key, want := range map[string]bool{
		"resources": true, "RESOURCES": true, "apiVersion": true, "kind": true, "metadata": true, "openapi": true,
		"helmCharts": true, "resource": false, "TypeMeta": false, "Resources ": false,
	} {
		if _, ok := fieldFor(reflect.TypeFor[types.Kustomization](), key); ok != want {
			t.Errorf("%s: %v", key, ok)
		}
	}
}
