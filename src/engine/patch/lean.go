package main

const (
	apimachinery  = "k8s.io/apimachinery"
	componentBase = "k8s.io/component-base"
	protobuf      = "google.golang.org/protobuf"
)

// lean leaves out of the module that answers as an API server does what serves a server alone: metrics, HTTP's transport, and how
// objects are written in protobuf, CBOR and YAML; they come and go as JSON here. What protobuf does to the linker is more: it tells of a
// descriptor by looking up the method `Methods`, by name, which package reflect's own types have since Go 1.26, and with that Go keeps
// every exported method of every type. It takes the module from 85 MB to 50 MB.
var lean = patch{
	name: "lean",
	edits: []edit{
		{apimachinery, "pkg/runtime/serializer/codec_factory.go", "objects come as JSON", []operation{
			unimport("k8s.io/apimachinery/pkg/runtime/serializer/protobuf"),
			swap("newSerializersForScheme", `	protoSerializer := protobuf.NewSerializerWithOptions(scheme, scheme, protobuf.SerializerOptions{
		StreamingCollectionsEncoding: options.StreamingCollectionsEncodingToProtobuf,
	})
	protoRawSerializer := protobuf.NewRawSerializer(scheme, scheme)
`, ""),
			swap("newSerializersForScheme", `	yamlSerializer := json.NewSerializerWithOptions(
		mf, scheme, scheme,
		json.SerializerOptions{Yaml: true, Pretty: false, Strict: options.Strict},
	)
	strictYAMLSerializer := json.NewSerializerWithOptions(
		mf, scheme, scheme,
		json.SerializerOptions{Yaml: true, Pretty: false, Strict: true},
	)
`, ""),
			swap("newSerializersForScheme", `		{
			MediaType:        runtime.ContentTypeYAML,
			MediaTypeType:    "application",
			MediaTypeSubType: "yaml",
			EncodesAsText:    true,
			Serializer:       yamlSerializer,
			StrictSerializer: strictYAMLSerializer,
		},
`, ""),
			swap("newSerializersForScheme", `		{
			MediaType:        runtime.ContentTypeProtobuf,
			MediaTypeType:    "application",
			MediaTypeSubType: "vnd.kubernetes.protobuf",
			Serializer:       protoSerializer,
			// note, strict decoding is unsupported for protobuf,
			// fall back to regular serializing
			StrictSerializer: protoSerializer,
			StreamSerializer: &runtime.StreamSerializerInfo{
				Serializer: protoRawSerializer,
				Framer:     protobuf.LengthDelimitedFramer,
			},
		},
`, ""),
		}},
		{apimachinery, "pkg/runtime/serializer/json/json.go", "objects come as JSON", []operation{
			unimport("sigs.k8s.io/yaml"),
			swap("(*Serializer).Decode", "altered, err := yaml.YAMLToJSON(data)", `altered, err := data, error(fmt.Errorf("YAML is not linked"))`),
			swap("(*Serializer).doEncode", "data, err := yaml.JSONToYAML(json)", `data, err := json, error(fmt.Errorf("YAML is not linked"))`),
			swap("(*Serializer).unmarshal", "_, err := yaml.YAMLToJSONStrict(originalData)", `err := fmt.Errorf("YAML is not linked")`),
			imports("fmt"),
		}},
		{apimachinery, "pkg/util/net/http.go", "no network", []operation{
			swap("", "var defaultTransport = http.DefaultTransport.(*http.Transport)", "var defaultTransport *http.Transport"),
		}},
		{protobuf, "internal/impl/legacy_message.go", "CEL's messages are not of the kind that writes itself, and Kubernetes' types, which are, are not to be kept for it", []operation{
			swap("", "	Marshal() ([]byte, error)\n", "	isNowhere()\n"),
			swap("", "	Unmarshal([]byte) error\n", "	isNowhere()\n"),
			body("legacyMarshal", `return protoiface.MarshalOutput{}, errors.New("not linked")`),
			body("legacyUnmarshal", `return protoiface.UnmarshalOutput{}, errors.New("not linked")`),
			body("legacyMerge", "return protoiface.MergeOutput{}"),
		}},
	},
	files: []file{
		add(protobuf, "internal/descfmt/stringer.go", "tells a descriptor by its name alone, without reflection"),
		add(apimachinery, "pkg/runtime/serializer/cbor/direct/direct.go", "objects come as JSON"),
		drop(componentBase, "metrics/*.go", "links Prometheus"),
		add(componentBase, "metrics/metrics.go", "counts nothing, as nobody asks for it"),
		drop(componentBase, "metrics/legacyregistry/*.go", "links Prometheus"),
		add(componentBase, "metrics/legacyregistry/registry.go", "keeps nothing"),
		drop(kubeOpenAPI, "pkg/validation/spec/gnostic.go", "reads OpenAPI as protobuf"),
		drop(kubeOpenAPI, "pkg/schemaconv/proto_models.go", "reads OpenAPI as protobuf"),
	},
}
