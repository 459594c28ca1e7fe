package apiserver

import (
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// misfits are the errors of an object that does not fit its type, in order. structured-merge-diff walks Go maps, and goes no
// further in a map once it has met a field that is not in the schema: the order of the errors is random, and so is which of
// them are there. These are the ones of a walk by name that meets the fields that are not in the schema last.
func misfits(parse typed.ParseableType, content map[string]any, found error) error {
	w := walker{parse.Schema}
	if errs := w.walk(content, parse.TypeRef, ""); len(errs) > 0 {
		return errs
	}
	return found
}

type walker struct{ schema *schema.Schema }

func (w walker) walk(v any, ref schema.TypeRef, path string) typed.ValidationErrors {
	atom, ok := w.schema.Resolve(ref)
	if ok && atom.Scalar == nil {
		switch v := v.(type) {
		case map[string]any:
			if atom.Map != nil && atom.List == nil {
				return w.fields(v, atom.Map, path)
			}
		case []any:
			if atom.List != nil && atom.Map == nil {
				return w.items(v, ref, atom.List, path)
			}
		}
	}
	return w.check(v, ref, path)
}

// check is what structured-merge-diff says of a value.
func (w walker) check(v any, ref schema.TypeRef, path string) typed.ValidationErrors {
	_, err := typed.AsTyped(value.NewValueInterface(v), w.schema, ref)
	errs, ok := err.(typed.ValidationErrors)
	if !ok {
		return nil
	}
	out := make(typed.ValidationErrors, len(errs))
	for i, err := range errs {
		out[i] = typed.ValidationError{Path: path + err.Path, ErrorMessage: err.ErrorMessage}
	}
	return out
}

func (w walker) fields(content map[string]any, m *schema.Map, path string) typed.ValidationErrors {
	var out typed.ValidationErrors
	unknown := ""
	for _, key := range sortedKeys(content) {
		ref := m.ElementType
		if field, ok := m.FindField(key); ok {
			ref = field.Type
		} else if (ref == schema.TypeRef{}) {
			if unknown == "" {
				unknown = path + "." + key
			}
			continue
		}
		out = append(out, w.walk(content[key], ref, path+"."+key)...)
	}
	if unknown != "" {
		out = append(out, typed.ValidationError{Path: unknown, ErrorMessage: "field not declared in schema"})
	}
	return out
}

func (w walker) items(items []any, ref schema.TypeRef, list *schema.List, path string) typed.ValidationErrors {
	if list.ElementRelationship != schema.Associative {
		var out typed.ValidationErrors
		for i, item := range items {
			out = append(out, w.walk(item, list.ElementType, path+"["+strconv.Itoa(i)+"]")...)
		}
		return out
	}
	var out typed.ValidationErrors
	seen := map[string]bool{}
	for i, item := range items {
		element, broken := w.element(item, ref)
		if broken != "" {
			return append(out, typed.ValidationError{Path: path, ErrorMessage: strings.Replace(broken, "element 0", "element "+strconv.Itoa(i), 1)})
		}
		if seen[element] {
			out = append(out, typed.ValidationError{Path: path, ErrorMessage: "duplicate entries for key " + element})
		}
		seen[element] = true
		out = append(out, w.walk(item, list.ElementType, path+element)...)
	}
	return out
}

// element is how an item of an associative list is called in a path, or why it cannot be: a list that holds it twice is told
// to hold it twice.
func (w walker) element(item any, ref schema.TypeRef) (name, broken string) {
	for _, err := range w.check([]any{item, item}, ref, "") {
		if name, ok := strings.CutPrefix(err.ErrorMessage, "duplicate entries for key "); ok && err.Path == "" {
			return name, ""
		}
		if strings.HasPrefix(err.ErrorMessage, "element ") && err.Path == "" {
			return "", err.ErrorMessage
		}
	}
	return "", ""
}
