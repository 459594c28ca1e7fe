package apiserver

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	quantities "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

//go:embed builtin.json
var builtinText []byte

// builtinTypes is what builtin.json holds, read when the first of its kinds is asked for.
type builtinTypes struct {
	kinds map[runtimeschema.GroupKind]builtin
	types []schema.TypeDef
}

// A builtin is a kind whose fields are managed, and no more.
type builtin struct {
	Group      string `json:"group"`
	Version    string `json:"version"`
	Kind       string `json:"kind"`
	Plural     string `json:"plural"`
	Namespaced bool   `json:"namespaced"`
	Type       string `json:"type"`
	Generation bool   `json:"generation"`
	Status     bool   `json:"status"`
}

func (s *Server) builtin(kind runtimeschema.GroupKind) (*resource, error) {
	if s.builtins == nil {
		read, err := readBuiltins()
		if err != nil {
			return nil, err
		}
		s.builtins = read
	}
	known, ok := s.builtins.kinds[kind]
	if !ok {
		return nil, nil
	}
	r := &resource{
		group: known.Group, kind: known.Kind, plural: known.Plural, namespaced: known.Namespaced,
		storage: known.Version, builtin: &known,
	}
	apiVersion := strings.TrimPrefix(known.Group+"/"+known.Version, "/")
	v := &version{resource: r, name: known.Version, apiVersion: apiVersion, served: true, status: known.Status}
	parser := typed.Parser{Schema: schema.Schema{Types: s.builtins.types}}
	v.parse = parser.Type(known.Type)
	if known.Status {
		version := fieldpath.APIVersion(apiVersion)
		v.reset = fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{
			version: fieldpath.NewSet(fieldpath.MakePathOrDie("status")),
		})
		v.statusReset = fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{
			version: fieldpath.NewSet(fieldpath.MakePathOrDie("spec"), fieldpath.MakePathOrDie("metadata", "labels")),
		})
	}
	r.versions = map[string]*version{known.Version: v}
	return r, nil
}

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
		Kinds []builtin           `json:"kinds"`
		Types map[string]jsonAtom `json:"types"`
	}
	if err := json.Unmarshal(builtinText, &text); err != nil {
		return nil, fmt.Errorf("the built-in types: %w", err)
	}
	out := &builtinTypes{kinds: map[runtimeschema.GroupKind]builtin{}}
	for _, kind := range text.Kinds {
		out.kinds[runtimeschema.GroupKind{Group: kind.Group, Kind: kind.Kind}] = kind
	}
	for _, name := range sortedKeys(text.Types) {
		out.types = append(out.types, schema.TypeDef{Name: name, Atom: text.Types[name].atom()})
	}
	return out, nil
}

// prune makes of an object what reading it into its Go type and writing that leaves: without what the type does not have,
// without nulls and without empty lists and maps. A quantity gets its usual form.
func (b *builtin) prune(v *version, content map[string]any) {
	kept := pruned(content, v.parse.TypeRef, v.parse.Schema)
	for key := range content {
		delete(content, key)
	}
	if kept, ok := kept.(map[string]any); ok {
		for key, value := range kept {
			content[key] = value
		}
	}
}

// omitted are the fields whose false or 0 is not written: in Go they are no pointers.
var omitted = map[string]bool{
	"paused": true, "minReadySeconds": true, "hostNetwork": true, "hostPID": true, "hostIPC": true, "readOnly": true,
	"stdin": true, "stdinOnce": true, "tty": true, "initialDelaySeconds": true, "hostPort": true,
}

const quantity = "io.k8s.apimachinery.pkg.api.resource.Quantity"

func pruned(v any, ref schema.TypeRef, types *schema.Schema) any {
	if ref.NamedType != nil && *ref.NamedType == quantity {
		return usualQuantity(v)
	}
	atom, ok := types.Resolve(ref)
	if !ok || atom.Scalar != nil {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		if atom.Map == nil || atom.List != nil {
			return v
		}
		out := map[string]any{}
		for key, item := range v {
			field, known := atom.Map.FindField(key)
			ref := atom.Map.ElementType
			if known {
				ref = field.Type
			} else if len(atom.Map.Fields) > 0 || (ref == schema.TypeRef{}) {
				continue
			}
			if item == nil {
				if !known {
					out[key] = "" // in a map of strings
				}
				continue
			}
			if known && omitted[key] && (item == false || item == int64(0)) {
				continue
			}
			if kept := pruned(item, ref, types); !known || !isEmpty(kept, ref, types) {
				out[key] = kept
			}
		}
		return out
	case []any:
		if atom.List == nil {
			return v
		}
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = pruned(item, atom.List.ElementType, types)
		}
		return out
	}
	return v
}

// isEmpty says that a field is not written: an empty list, or map of anything. An empty struct is.
func isEmpty(v any, ref schema.TypeRef, types *schema.Schema) bool {
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		atom, ok := types.Resolve(ref)
		return len(v) == 0 && ok && atom.Map != nil && len(atom.Map.Fields) == 0 && (atom.Map.ElementType != schema.TypeRef{})
	case string:
		return v == "" && ref.NamedType == nil
	}
	return false
}

func usualQuantity(v any) any {
	text, ok := v.(string)
	if !ok {
		number, isNumber := v.(int64)
		if !isNumber {
			return v
		}
		text = fmt.Sprint(number)
	}
	parsed, err := quantities.ParseQuantity(text)
	if err != nil {
		return v
	}
	return parsed.String()
}

// empty is what a new object is made from: a Go struct without values, which has the structs in it.
func (b *builtin) empty(v *version, content map[string]any) {
	fill(content, v.parse.TypeRef, v.parse.Schema)
	delete(content, "metadata")
	if spec, ok := content["spec"].(map[string]any); ok {
		if template, ok := spec["template"].(map[string]any); ok {
			if pod, ok := template["spec"].(map[string]any); ok {
				pod["containers"] = nil
			}
		}
	}
}

func fill(content map[string]any, ref schema.TypeRef, types *schema.Schema) {
	atom, ok := types.Resolve(ref)
	if !ok || atom.Map == nil {
		return
	}
	for _, field := range atom.Map.Fields {
		if empty, ok := field.Default.(map[string]any); ok && len(empty) == 0 {
			fill(below(content, field.Name), field.Type, types)
		}
	}
}

// misread is how encoding/json words it that a value is of another type than the Go type's; nil where all fit. The width of
// an integer is guessed.
func (b *builtin) misread(v *version, content map[string]any) error {
	return misread(content, v.parse.TypeRef, v.parse.Schema, b.Kind, "")
}

func misread(v any, ref schema.TypeRef, types *schema.Schema, owner, path string) error {
	if v == nil || ref.NamedType != nil && (*ref.NamedType == quantity || strings.Contains(*ref.NamedType, "IntOrString")) {
		return nil
	}
	atom, ok := types.Resolve(ref)
	if !ok {
		return nil
	}
	wrong := func(want string) error {
		field := strings.TrimPrefix(owner+"."+path, ".")
		return fmt.Errorf("json: cannot unmarshal %s into Go struct field %s of type %s", jsonName(v), field, want)
	}
	switch {
	case atom.Map != nil && atom.List == nil && atom.Scalar == nil:
		content, ok := v.(map[string]any)
		if !ok {
			if len(atom.Map.Fields) == 0 {
				return wrong("map[string]string")
			}
			return wrong("v1." + lastOf(ref, owner))
		}
		if len(atom.Map.Fields) > 0 {
			owner = lastOf(ref, owner)
		}
		for _, key := range sortedKeys(content) {
			ref, below := atom.Map.ElementType, path
			if field, known := atom.Map.FindField(key); known {
				ref, below = field.Type, strings.TrimPrefix(path+"."+key, ".")
			} else if len(atom.Map.Fields) > 0 {
				continue
			}
			if err := misread(content[key], ref, types, owner, below); err != nil {
				return err
			}
		}
	case atom.List != nil && atom.Map == nil && atom.Scalar == nil:
		items, ok := v.([]any)
		if !ok {
			return wrong("[]v1." + lastOf(atom.List.ElementType, "string"))
		}
		for _, item := range items {
			if err := misread(item, atom.List.ElementType, types, owner, path); err != nil {
				return err
			}
		}
	case atom.Scalar != nil && atom.Map == nil && atom.List == nil:
		switch _, isText := v.(string); {
		case *atom.Scalar == schema.String && !isText:
			return wrong("string")
		case *atom.Scalar == schema.Boolean && v != true && v != false:
			return wrong("bool")
		case *atom.Scalar == schema.Numeric && jsonName(v) != "number":
			return wrong("int32")
		}
	}
	return nil
}

func lastOf(ref schema.TypeRef, otherwise string) string {
	if ref.NamedType == nil {
		return otherwise
	}
	return (*ref.NamedType)[strings.LastIndex(*ref.NamedType, ".")+1:]
}

func jsonName(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "bool"
	}
	return "number"
}

// setDefaults sets what an Update comes to own, where the kind's defaults are known here.
func (b *builtin) setDefaults(content map[string]any) {
	if b.Status {
		below(content, "status")
	}
	switch b.Kind {
	case "Deployment":
		spec := below(content, "spec")
		absent(spec, "replicas", int64(1))
		absent(spec, "revisionHistoryLimit", int64(10))
		absent(spec, "progressDeadlineSeconds", int64(600))
		strategy := below(spec, "strategy")
		absent(strategy, "type", "RollingUpdate")
		if strategy["type"] == "RollingUpdate" {
			rolling := below(strategy, "rollingUpdate")
			absent(rolling, "maxSurge", "25%")
			absent(rolling, "maxUnavailable", "25%")
		}
		podDefaults(below(below(spec, "template"), "spec"))
	case "Service":
		defaultProtocol(below(content, "spec"))
	case "DaemonSet", "StatefulSet", "Job":
		podProtocols(below(below(below(content, "spec"), "template"), "spec"))
	}
}

func podDefaults(spec map[string]any) {
	absent(spec, "dnsPolicy", "ClusterFirst")
	absent(spec, "restartPolicy", "Always")
	absent(spec, "schedulerName", "default-scheduler")
	absent(spec, "securityContext", map[string]any{})
	absent(spec, "terminationGracePeriodSeconds", int64(30))
	// One is the deprecated name of the other, and outlives it.
	absent(spec, "serviceAccountName", spec["serviceAccount"])
	if account := spec["serviceAccountName"]; account != nil {
		spec["serviceAccount"] = account
	} else {
		delete(spec, "serviceAccountName")
	}
	for _, container := range containers(spec) {
		image, _ := container["image"].(string)
		policy := "IfNotPresent"
		if _, tag, tagged := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":"); !tagged || tag == "latest" {
			policy = "Always"
		}
		absent(container, "imagePullPolicy", policy)
		absent(container, "terminationMessagePath", "/dev/termination-log")
		absent(container, "terminationMessagePolicy", "File")
		absent(container, "resources", map[string]any{})
		defaultProtocol(container)
	}
}

func podProtocols(spec map[string]any) {
	for _, container := range containers(spec) {
		defaultProtocol(container)
	}
}

func containers(spec map[string]any) []map[string]any {
	var out []map[string]any
	for _, field := range []string{"initContainers", "containers"} {
		items, _ := spec[field].([]any)
		for _, item := range items {
			if container, ok := item.(map[string]any); ok {
				out = append(out, container)
			}
		}
	}
	return out
}

// defaultProtocol sets a port's protocol, which is part of its key.
func defaultProtocol(holder map[string]any) {
	ports, _ := holder["ports"].([]any)
	for _, port := range ports {
		if port, ok := port.(map[string]any); ok {
			absent(port, "protocol", "TCP")
		}
	}
}

func absent(m map[string]any, key string, value any) {
	if m[key] == nil {
		m[key] = value
	}
}

// nameRule is what the kind's strategy makes of a new object's name.
func (b *builtin) nameRule() validation.ValidateNameFunc {
	switch {
	case b.Group == "rbac.authorization.k8s.io":
		return path.ValidatePathSegmentName
	case b.Kind == "Namespace":
		return validation.NameIsDNSLabel
	case b.Kind == "Service":
		return validation.NameIsDNS1035Label
	}
	return validation.NameIsDNSSubdomain
}

// forbidden is the one rule of a strategy that a change of a Deployment easily meets.
func (b *builtin) forbidden(content map[string]any) field.ErrorList {
	strategy, _, _ := unstructured.NestedMap(content, "spec", "strategy")
	if b.Kind != "Deployment" || strategy["type"] != "Recreate" || strategy["rollingUpdate"] == nil {
		return nil
	}
	path := field.NewPath("spec", "strategy", "rollingUpdate")
	return field.ErrorList{field.Forbidden(path, "may not be specified when strategy `type` is 'Recreate'")}
}

// below is the map of a field, which is made where it is not there.
func below(m map[string]any, key string) map[string]any {
	if found, ok := m[key].(map[string]any); ok {
		return found
	}
	made := map[string]any{}
	m[key] = made
	return made
}
