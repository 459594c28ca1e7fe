package flux

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"
)

// droppedKeys finds the keys of a kustomization that decoding it leniently loses, sorted.
func droppedKeys(text []byte) []Field {
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		return nil
	}
	return lost(value, reflect.TypeFor[types.Kustomization](), nil)
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

func lost(value any, t reflect.Type, at Field) []Field {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(unmarshaler) {
		return nil
	}
	var found []Field
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			child := append(slices.Clone(at), key)
			switch t.Kind() {
			case reflect.Map:
				found = append(found, lost(v[key], t.Elem(), child)...)
			case reflect.Struct:
				f, ok := fieldFor(t, key)
				if !ok {
					found = append(found, child)
					continue
				}
				found = append(found, lost(v[key], f, child)...)
			}
		}
	case []any:
		if t.Kind() != reflect.Slice {
			return nil
		}
		for i, item := range v {
			found = append(found, lost(item, t.Elem(), append(slices.Clone(at), i))...)
		}
	}
	return found
}

// fieldFor finds the field of a struct that encoding/json decodes a key into: letters match in either case.
func fieldFor(t reflect.Type, key string) (reflect.Type, bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" && options == "" {
			continue
		}
		if f.Anonymous && name == "" {
			embedded := f.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			if embedded.Kind() == reflect.Struct {
				if found, ok := fieldFor(embedded, key); ok {
					return found, true
				}
				continue
			}
		}
		if !f.IsExported() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		if strings.EqualFold(name, key) {
			return f.Type, true
		}
	}
	return nil, false
}
