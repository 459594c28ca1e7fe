package apiserver

import (
	"encoding/json"
	"fmt"

	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// These are structured-merge-diff's types as JSON, of which the package itself reads only YAML.
type (
	jsonAtom struct {
		Scalar *schema.Scalar `json:"scalar"`
		List   *jsonList      `json:"list"`
		Map    *jsonMap       `json:"map"`
	}
	jsonRef struct {
		NamedType           *string                     `json:"namedType"`
		ElementRelationship *schema.ElementRelationship `json:"elementRelationship"`
		jsonAtom
	}
	jsonList struct {
		ElementType         jsonRef                    `json:"elementType"`
		ElementRelationship schema.ElementRelationship `json:"elementRelationship"`
		Keys                []string                   `json:"keys"`
	}
	jsonMap struct {
		Fields []struct {
			Name    string  `json:"name"`
			Type    jsonRef `json:"type"`
			Default any     `json:"default"`
		} `json:"fields"`
		Unions              []schema.Union             `json:"unions"`
		ElementType         jsonRef                    `json:"elementType"`
		ElementRelationship schema.ElementRelationship `json:"elementRelationship"`
	}
)

func (a jsonAtom) atom() schema.Atom {
	out := schema.Atom{Scalar: a.Scalar}
	if l := a.List; l != nil {
		out.List = &schema.List{ElementType: l.ElementType.ref(), ElementRelationship: l.ElementRelationship, Keys: l.Keys}
	}
	if m := a.Map; m != nil {
		// Unions are not looked at by merging.
		out.Map = &schema.Map{ElementType: m.ElementType.ref(), ElementRelationship: m.ElementRelationship}
		for _, field := range m.Fields {
			out.Map.Fields = append(out.Map.Fields, schema.StructField{Name: field.Name, Type: field.Type.ref(), Default: field.Default})
		}
	}
	return out
}

func (r jsonRef) ref() schema.TypeRef {
	return schema.TypeRef{NamedType: r.NamedType, Inlined: r.atom(), ElementRelationship: r.ElementRelationship}
}

func readBuiltins() (*builtinTypes, error) {
	var text struct {
		Kinds []kind              `json:"kinds"`
		Types map[string]jsonAtom `json:"types"`
	}
	if err := json.Unmarshal(builtinText, &text); err != nil {
		return nil, fmt.Errorf("the built-in types: %w", err)
	}
	out := &builtinTypes{kinds: map[runtimeschema.GroupKind][]kind{}}
	for _, kind := range text.Kinds {
		of := runtimeschema.GroupKind{Group: kind.Group, Kind: kind.Kind}
		out.kinds[of] = append(out.kinds[of], kind)
	}
	for _, name := range sortedKeys(text.Types) {
		out.types = append(out.types, schema.TypeDef{Name: name, Atom: text.Types[name].atom()})
	}
	return out, nil
}
