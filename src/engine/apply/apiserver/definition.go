package apiserver

import (
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// A resource is a kind that is served, in one version or several.
type resource struct {
	group, kind, plural string
	namespaced          bool
	versions            map[string]*version
	// storage is the version that objects are kept in.
	storage string
	builtin *builtin // nil for a custom resource
}

func (r *resource) groupKind() schema.GroupKind {
	return schema.GroupKind{Group: r.group, Kind: r.kind}
}

func (r *resource) groupResource() schema.GroupResource {
	return schema.GroupResource{Group: r.group, Resource: r.plural}
}

// A version of a resource with what is made of its schema, once.
type version struct {
	resource   *resource
	name       string
	apiVersion string
	served     bool
	status     bool // has the subresource
	parse      typed.ParseableType
	// What a write to the main resource, and one to the status, leaves alone.
	reset, statusReset map[fieldpath.APIVersion]fieldpath.Filter

	// Of a custom resource.
	structural      *structuralschema.Structural
	props           *apiextensions.JSONSchemaProps
	validator       validation.SchemaValidator
	statusValidator validation.SchemaValidator
	rules           *cel.Validator
}

// Define serves a CustomResourceDefinition, which is trusted to be one that the API server takes.
func (s *Server) Define(text []byte) error {
	var definition apiextensionsv1.CustomResourceDefinition
	if err := json.Unmarshal(text, &definition); err != nil {
		return fmt.Errorf("a CustomResourceDefinition: %w", err)
	}
	spec := definition.Spec
	r := &resource{
		group: spec.Group, kind: spec.Names.Kind, plural: spec.Names.Plural,
		namespaced: spec.Scope == apiextensionsv1.NamespaceScoped,
		versions:   map[string]*version{},
	}
	for _, v := range spec.Versions {
		if !v.Served && !v.Storage {
			continue
		}
		made, err := r.custom(v, spec.PreserveUnknownFields)
		if err != nil {
			return fmt.Errorf("%s, version %s: %w", definition.Name, v.Name, err)
		}
		r.versions[v.Name] = made
		if v.Storage {
			r.storage = v.Name
		}
	}
	if r.storage == "" {
		return fmt.Errorf("%s: no version is stored", definition.Name)
	}
	s.resources[r.groupKind()] = r
	return nil
}

func (r *resource) custom(v apiextensionsv1.CustomResourceDefinitionVersion, preserve bool) (*version, error) {
	out := &version{
		resource: r, name: v.Name, apiVersion: r.group + "/" + v.Name, served: v.Served,
		status: v.Subresources != nil && v.Subresources.Status != nil,
	}
	if v.Schema == nil {
		return nil, fmt.Errorf("it has no schema")
	}
	var internal apiextensions.CustomResourceValidation
	if err := apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(v.Schema, &internal, nil); err != nil {
		return nil, err
	}
	var err error
	if out.structural, err = structuralschema.NewStructural(internal.OpenAPIV3Schema); err != nil {
		return nil, err
	}
	// As the API server does once for all: a default is pruned by the schema that it stands in.
	if err := defaulting.PruneDefaults(out.structural); err != nil {
		return nil, err
	}
	out.props = internal.OpenAPIV3Schema
	if out.parse, err = out.typeOf(preserve); err != nil {
		return nil, err
	}
	version := fieldpath.APIVersion(out.apiVersion)
	if out.status {
		out.reset = fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{
			version: fieldpath.NewSet(fieldpath.MakePathOrDie("status")),
		})
		out.statusReset = fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{
			version: fieldpath.NewSet(fieldpath.MakePathOrDie("spec")),
		})
	}
	return out, nil
}

// prepare makes the validators, which cost more than the rest, when something is to be validated.
func (v *version) prepare() error {
	if v.validator != nil {
		return nil
	}
	validator, _, err := validation.NewSchemaValidator(v.props)
	if err != nil {
		return err
	}
	if status, ok := v.props.Properties["status"]; ok && v.status {
		if v.statusValidator, _, err = validation.NewSchemaValidator(&status); err != nil {
			return err
		}
	}
	v.rules = cel.NewValidator(v.structural, true, celconfig.PerCallLimit)
	v.validator = validator
	return nil
}

// typeOf is what merging knows of the schema. The server gets there by way of its OpenAPI document, which holds the same.
func (v *version) typeOf(preserve bool) (typed.ParseableType, error) {
	model := v.structural.ToKubeOpenAPI()
	if model.Properties == nil {
		model.Properties = map[string]spec.Schema{}
	}
	embedded(model)
	withMeta(model)
	types, err := schemaconv.ToSchemaFromOpenAPI(map[string]*spec.Schema{v.resource.kind: model}, preserve)
	if err != nil {
		return typed.ParseableType{}, err
	}
	parser := typed.Parser{Schema: smdschema.Schema{Types: types.Types}}
	return parser.Type(v.resource.kind), nil
}

func text() spec.Schema { return *spec.StringProperty() }

func texts() spec.Schema { return *spec.MapProperty(spec.StringProperty()) }

func record(properties map[string]spec.Schema) spec.Schema {
	return spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}, Properties: properties}}
}

func withMeta(model *spec.Schema) {
	model.Properties["apiVersion"], model.Properties["kind"], model.Properties["metadata"] = text(), text(), objectMeta()
}

// embedded gives whole objects below a schema the fields that every object has.
func embedded(model *spec.Schema) {
	for name, property := range model.Properties {
		embedded(&property)
		if is, ok := property.Extensions.GetBool("x-kubernetes-embedded-resource"); ok && is {
			if property.Properties == nil {
				property.Properties = map[string]spec.Schema{}
			}
			withMeta(&property)
		}
		model.Properties[name] = property
	}
	if model.Items != nil && model.Items.Schema != nil {
		embedded(model.Items.Schema)
	}
	if model.AdditionalProperties != nil && model.AdditionalProperties.Schema != nil {
		embedded(model.AdditionalProperties.Schema)
	}
}

// objectMeta has the list and map types of k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta.
func objectMeta() spec.Schema {
	number := *spec.Int64Property()
	owner := record(map[string]spec.Schema{
		"apiVersion": text(), "kind": text(), "name": text(), "uid": text(),
		"controller": *spec.BooleanProperty(), "blockOwnerDeletion": *spec.BooleanProperty(),
	})
	owner.AddExtension("x-kubernetes-map-type", "atomic")
	entry := record(map[string]spec.Schema{
		"manager": text(), "operation": text(), "apiVersion": text(), "time": text(), "fieldsType": text(),
		"subresource": text(), "fieldsV1": record(nil),
	})
	finalizers := *spec.ArrayProperty(spec.StringProperty())
	finalizers.AddExtension("x-kubernetes-list-type", "set")
	owners := *spec.ArrayProperty(&owner)
	owners.AddExtension("x-kubernetes-list-type", "map")
	owners.AddExtension("x-kubernetes-list-map-keys", []any{"uid"})
	entries := *spec.ArrayProperty(&entry)
	entries.AddExtension("x-kubernetes-list-type", "atomic")
	return record(map[string]spec.Schema{
		"name": text(), "generateName": text(), "namespace": text(), "selfLink": text(), "uid": text(),
		"resourceVersion": text(), "generation": number, "creationTimestamp": text(), "deletionTimestamp": text(),
		"deletionGracePeriodSeconds": number, "labels": texts(), "annotations": texts(),
		"finalizers": finalizers, "ownerReferences": owners, "managedFields": entries,
	})
}
