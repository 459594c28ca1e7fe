// Command referee judges objects with the code of the API server and of Flux, so that the linter's own verdicts can be held
// against it: __tests__/schema/referee.test.ts feeds it with generated objects. Both sides speak JSON, a line each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	extensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/kubernetes/scheme"
)

// request holds objects of one kind; without a schema file the kind is a built-in one.
type request struct {
	Schema  string           `json:"schema"`
	Group   string           `json:"group"`
	Version string           `json:"version"`
	Kind    string           `json:"kind"`
	Plural  string           `json:"plural"`
	Scope   string           `json:"scope"`
	Objects []map[string]any `json:"objects"`
}

type verdict struct {
	// Refused holds the reasons to refuse the object.
	Refused []string `json:"refused"`
	// Lost holds the fields that Flux would leave out.
	Lost []string `json:"lost"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<28)
	for lines.Scan() {
		verdicts, err := answer(lines.Bytes())
		if err != nil {
			fmt.Fprintln(os.Stderr, "referee:", err)
			os.Exit(1)
		}
		text, err := json.Marshal(verdicts)
		if err != nil {
			fmt.Fprintln(os.Stderr, "referee:", err)
			os.Exit(1)
		}
		fmt.Println(string(text))
	}
}

func answer(line []byte) ([]verdict, error) {
	var request request
	if err := json.Unmarshal(line, &request); err != nil {
		return nil, err
	}
	judge := judgeBuiltIn
	if request.Schema != "" {
		custom, err := request.custom()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", request.Schema, err)
		}
		judge = custom
	}
	var verdicts []verdict
	for _, object := range request.Objects {
		verdicts = append(verdicts, judge(withIntegers(object).(map[string]any)))
	}
	return verdicts, nil
}

// custom judges custom resources: server-side apply's typed value first, then the schema, with defaults filled in.
func (request request) custom() (func(map[string]any) verdict, error) {
	content, err := os.ReadFile(request.Schema)
	if err != nil {
		return nil, err
	}
	var props extensions.JSONSchemaProps
	if err := json.Unmarshal(content, &props); err != nil {
		return nil, err
	}
	var internal apiextensions.JSONSchemaProps
	if err := extensions.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &internal, nil); err != nil {
		return nil, err
	}
	structural, err := schema.NewStructural(&internal)
	if err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		return nil, err
	}
	document, err := builder.BuildOpenAPIV3(request.definition(&props), request.Version, builder.Options{})
	if err != nil {
		return nil, err
	}
	types, err := managedfields.NewTypeConverter(document.Components.Schemas, false)
	if err != nil {
		return nil, err
	}
	return func(object map[string]any) verdict {
		result := verdict{Refused: []string{}, Lost: []string{}}
		if _, err := types.ObjectToTyped(&unstructured.Unstructured{Object: object}); err != nil {
			result.Refused = append(result.Refused, err.Error())
		}
		defaulting.Default(object, structural)
		for _, err := range validation.ValidateCustomResource(nil, object, validator) {
			result.Refused = append(result.Refused, err.Error())
		}
		return result
	}, nil
}

func (request request) definition(props *extensions.JSONSchemaProps) *extensions.CustomResourceDefinition {
	var definition extensions.CustomResourceDefinition
	definition.Name = request.Plural + "." + request.Group
	definition.Spec.Group = request.Group
	definition.Spec.Scope = extensions.ResourceScope(request.Scope)
	definition.Spec.Names = extensions.CustomResourceDefinitionNames{Plural: request.Plural, Kind: request.Kind, ListKind: request.Kind + "List"}
	definition.Spec.Versions = []extensions.CustomResourceDefinitionVersion{{
		Name: request.Version, Served: true, Storage: true, Schema: &extensions.CustomResourceValidation{OpenAPIV3Schema: props},
	}}
	return &definition
}

// judgeBuiltIn converts an object to its Go type and back, as Flux does before it applies.
func judgeBuiltIn(object map[string]any) verdict {
	result := verdict{Refused: []string{}, Lost: []string{}}
	kind := (&unstructured.Unstructured{Object: object}).GroupVersionKind()
	typed, err := scheme.Scheme.New(kind)
	if err == nil {
		err = runtime.DefaultUnstructuredConverter.FromUnstructured(object, typed)
	}
	if err != nil {
		result.Refused = append(result.Refused, err.Error())
		return result
	}
	back, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		result.Refused = append(result.Refused, err.Error())
		return result
	}
	eachLost(object, back, "", func(path string) { result.Lost = append(result.Lost, path) })
	return result
}

// eachLost visits what is in one value and not in the other. Zero values do not count: Go types leave many of them out.
func eachLost(before, after any, path string, visit func(string)) {
	switch before := before.(type) {
	case map[string]any:
		after, ok := after.(map[string]any)
		for name, value := range before {
			child := name
			if path != "" {
				child = path + "." + name
			}
			if other, kept := after[name]; ok && kept {
				eachLost(value, other, child, visit)
			} else if ok && !isZero(value) {
				visit(child)
			}
		}
	case []any:
		after, ok := after.([]any)
		for i := range before {
			if ok && i < len(after) {
				eachLost(before[i], after[i], fmt.Sprintf("%s[%d]", path, i), visit)
			}
		}
	}
}

func isZero(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for _, child := range value {
			if !isZero(child) {
				return false
			}
		}
		return true
	case []any:
		for _, child := range value {
			if !isZero(child) {
				return false
			}
		}
		return true
	}
	return value == nil || value == false || value == "" || value == int64(0) || value == float64(0)
}

// withIntegers makes whole numbers integers, as the API server's decoder does.
func withIntegers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, child := range value {
			value[name] = withIntegers(child)
		}
	case []any:
		for i, child := range value {
			value[i] = withIntegers(child)
		}
	case float64:
		if value == float64(int64(value)) {
			return int64(value)
		}
	}
	return value
}
