package openapi

import (
	_ "embed"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// bakedText has a definition a line, in three columns: name, the types that it is of, JSON.
//
//go:embed baked.tsv
var bakedText string

// The built-in definitions do not change, so they outlive a reset of the schema: as JSON by name, and names by type.
var (
	bakedJSON  map[string]string
	bakedTypes map[yaml.TypeMeta]string
)

func splitBaked() {
	if bakedJSON != nil {
		return
	}
	bakedJSON, bakedTypes = map[string]string{}, map[yaml.TypeMeta]string{}
	for line := range strings.Lines(bakedText) {
		columns := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		name := columns[0]
		bakedJSON[name] = columns[2]
		for of := range strings.SplitSeq(columns[1], ",") {
			if apiVersion, kind, ok := strings.Cut(of, "#"); ok {
				bakedTypes[yaml.TypeMeta{APIVersion: apiVersion, Kind: kind}] = name
			}
		}
	}
}

// parseBuiltinSchema makes the built-in definitions known. As in upstream, they win over what was known before.
func parseBuiltinSchema(string) {
	if globalSchema.noUseBuiltInSchema {
		return
	}
	splitBaked()
	globalSchema.baked = true
	if globalSchema.schemaByResourceType == nil {
		globalSchema.schemaByResourceType = map[yaml.TypeMeta]*spec.Schema{}
	}
	if globalSchema.schema.Definitions == nil {
		globalSchema.schema.Definitions = spec.Definitions{}
	}
	for name := range globalSchema.schema.Definitions {
		if _, builtin := bakedJSON[name]; builtin {
			delete(globalSchema.schema.Definitions, name)
		}
	}
	for t := range globalSchema.schemaByResourceType {
		if _, builtin := bakedTypes[t]; builtin {
			delete(globalSchema.schemaByResourceType, t)
		}
	}
	if globalSchema.namespaceabilityByResourceType == nil {
		globalSchema.namespaceabilityByResourceType = map[yaml.TypeMeta]bool{}
	}
	for t, namespaced := range precomputedIsNamespaceScoped {
		globalSchema.namespaceabilityByResourceType[t] = namespaced
	}
}

// bakedDefinition decodes a built-in definition when it is first asked for.
func bakedDefinition(name string) *spec.Schema {
	if d, ok := globalSchema.schema.Definitions[name]; ok {
		return &d
	}
	json, ok := bakedJSON[name]
	if !ok || !globalSchema.baked {
		return nil
	}
	var s spec.Schema
	if err := s.UnmarshalJSON([]byte(json)); err != nil {
		panic(err) // it was marshalled when the engine was built
	}
	globalSchema.schema.Definitions[name] = s
	return &s
}

func bakedType(t yaml.TypeMeta) *spec.Schema {
	name, ok := bakedTypes[t]
	if !ok || !globalSchema.baked {
		return nil
	}
	s := bakedDefinition(name)
	globalSchema.schemaByResourceType[t] = s
	return s
}

// bakeReference makes sure that what a reference into the global schema points at is there.
func bakeReference(root any, ref *spec.Ref) {
	if root != any(&globalSchema.schema) || !globalSchema.baked {
		return
	}
	if name, ok := strings.CutPrefix(ref.String(), "#/definitions/"); ok {
		bakedDefinition(name)
	}
}
