package kubernetesapi

// Info describes the schema that is built in.
const Info = "{title:Kubernetes,version:v1.21.2}"

// DefaultOpenAPI is its version.
const DefaultOpenAPI = "v1.21.2"

// OpenAPIMustAsset knows which versions there are; the definitions themselves are baked into package openapi.
var OpenAPIMustAsset = map[string]func(string) []byte{
	DefaultOpenAPI: func(string) []byte { return nil },
}
