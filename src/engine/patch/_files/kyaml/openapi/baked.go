package openapi

import (
	_ "embed"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

//go:embed baked.tsv
var bakedText string

// baked: name of a definition -> its JSON; apiVersion#kind -> name.
var bakedDefs map[string]string
var bakedTypes map[string]string

func bakedIndex() {
	if bakedDefs != nil {
		return
	}
	bakedDefs, bakedTypes = make(map[string]string, 800), make(map[string]string, 400)
	for text := bakedText; text != ""; {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		name, line, _ := strings.Cut(line, "\t")
		gvks, js, _ := strings.Cut(line, "\t")
		bakedDefs[name] = js
		if gvks != "" {
			for _, g := range strings.Split(gvks, ",") {
				bakedTypes[g] = name
			}
		}
	}
}

// parseBuiltinSchema makes the built-in definitions available; each is decoded when it is first asked for.
func parseBuiltinSchema(version string) {
	if globalSchema.noUseBuiltInSchema {
		return
	}
	bakedIndex()
	globalSchema.baked = true
	if globalSchema.schemaByResourceType == nil {
		globalSchema.schemaByResourceType = map[yaml.TypeMeta]*spec.Schema{}
	}
	if globalSchema.schema.Definitions == nil {
		globalSchema.schema.Definitions = spec.Definitions{}
	}
	// what is parsed later wins over what was there
	for n := range globalSchema.schema.Definitions {
		if _, ok := bakedDefs[n]; ok {
			delete(globalSchema.schema.Definitions, n)
		}
	}
	for t := range globalSchema.schemaByResourceType {
		if _, ok := bakedTypes[t.APIVersion+"#"+t.Kind]; ok {
			delete(globalSchema.schemaByResourceType, t)
		}
	}
	if globalSchema.namespaceabilityByResourceType == nil {
		globalSchema.namespaceabilityByResourceType = make(map[yaml.TypeMeta]bool)
	}
	for t, v := range precomputedIsNamespaceScoped {
		globalSchema.namespaceabilityByResourceType[t] = v
	}
}

func bakedDefinition(name string) *spec.Schema {
	if !globalSchema.baked {
		return nil
	}
	if d, ok := globalSchema.schema.Definitions[name]; ok {
		return &d
	}
	js, ok := bakedDefs[name]
	if !ok {
		return nil
	}
	var s spec.Schema
	if err := s.UnmarshalJSON([]byte(js)); err != nil {
		panic(err)
	}
	globalSchema.schema.Definitions[name] = s
	return &s
}

func bakedType(t yaml.TypeMeta) *spec.Schema {
	if !globalSchema.baked {
		return nil
	}
	name, ok := bakedTypes[t.APIVersion+"#"+t.Kind]
	if !ok {
		return nil
	}
	s := bakedDefinition(name)
	globalSchema.schemaByResourceType[t] = s
	return s
}

func bakeReference(root any, ref *spec.Ref) {
	if root == any(&globalSchema.schema) {
		if name, ok := strings.CutPrefix(ref.String(), "#/definitions/"); ok {
			bakedDefinition(name)
		}
	}
}
