package main

// Keywords whose value is a schema, a list of them, or a map from names to them. Every other value is data and stays as it is.
var (
	schemaKeywords = map[string]bool{"items": true, "additionalProperties": true, "additionalItems": true, "not": true}
	listKeywords   = map[string]bool{"allOf": true, "anyOf": true, "oneOf": true}
	mapKeywords    = map[string]bool{"properties": true, "patternProperties": true, "definitions": true}
	prose          = map[string]bool{"description": true, "title": true, "example": true, "externalDocs": true}
)

// clean copies a schema without its prose. A property may be called "description": only keywords are dropped.
func clean(schema map[string]any) map[string]any {
	cleaned := map[string]any{}
	for keyword, value := range schema {
		switch {
		case prose[keyword]:
		case schemaKeywords[keyword]:
			cleaned[keyword] = cleanAny(value)
		case listKeywords[keyword]:
			cleaned[keyword] = cleanList(value)
		case mapKeywords[keyword]:
			cleaned[keyword] = cleanMap(value)
		default:
			cleaned[keyword] = value
		}
	}
	return cleaned
}

func cleanAny(value any) any {
	if schema, ok := value.(map[string]any); ok {
		return clean(schema)
	}
	return value
}

func cleanList(value any) any {
	schemas, ok := value.([]any)
	if !ok {
		return value
	}
	cleaned := make([]any, len(schemas))
	for i, schema := range schemas {
		cleaned[i] = cleanAny(schema)
	}
	return cleaned
}

func cleanMap(value any) any {
	schemas, ok := value.(map[string]any)
	if !ok {
		return value
	}
	cleaned := map[string]any{}
	for name, schema := range schemas {
		cleaned[name] = cleanAny(schema)
	}
	return cleaned
}
