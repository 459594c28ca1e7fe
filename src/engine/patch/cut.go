package main

const (
	api         = "sigs.k8s.io/kustomize/api"
	kyaml       = "sigs.k8s.io/kustomize/kyaml"
	yaml2       = "go.yaml.in/yaml/v2"
	yaml3       = "go.yaml.in/yaml/v3"
	kubeOpenAPI = "k8s.io/kube-openapi"
)

// cut leaves out what the engine must not or cannot do: fetch, start programs, link protobuf (with which Go 1.26 keeps every
// exported method). It takes the module from 27 MB to 12 MB.
var cut = patch{
	name: "cut",
	edits: []edit{
		{kyaml, "openapi/openapi.go", "the built-in definitions are baked at build time, so that protobuf is not linked and 1.3 MB are not parsed", []operation{
			field("openapiData", "baked bool"),
			remove("parseBuiltinSchema"),
			unimport("github.com/google/gnostic-models/openapiv2"),
			unimport("google.golang.org/protobuf/proto"),
			unimport("path/filepath"),
			swap("parse", `doc := &openapi_v2.Document{}
		// We parse protobuf and get an openapi_v2.Document here.
		if err := proto.Unmarshal(b, doc); err != nil {
			return fmt.Errorf("openapi proto unmarshalling failed: %w", err)
		}
		// convert the openapi_v2.Document back to Swagger
		_, err := swagger.FromGnostic(doc)
		if err != nil {
			return errors.Wrap(err)
		}`, `return fmt.Errorf("openapi proto is not linked")`),
			swap("SchemaForResourceType", "if !found {", "if !found { if s := bakedType(t); s != nil { return &ResourceSchema{Schema: s} };"),
			before("resolve", "res, _, err := ref", "bakeReference(root, ref)"),
		}},
		{api, "internal/loader/fileloader.go", "no network", []operation{
			unimport("net/http"),
			unimport("io"),
			swap("", "http *http.Client", "http any"),
			body("(*FileLoader).httpClientGetContent", `return nil, fmt.Errorf("%w: remote files are not fetched", ErrHTTP)`),
		}},
		{api, "internal/plugins/loader/loader.go", "no programs, no containers, no Go plugins", []operation{
			unimport("sigs.k8s.io/kustomize/api/internal/plugins/execplugin"),
			unimport("sigs.k8s.io/kustomize/api/internal/plugins/fnplugin"),
			unimport("os"),
			body("(*Loader).loadPlugin", "return nil, types.NewErrOnlyBuiltinPluginsAllowed(res.OrgId().Kind)"),
			body("(*Loader).loadExecOrGoPlugin", "return nil, types.NewErrOnlyBuiltinPluginsAllowed(resId.Kind)"),
		}},
		{api, "internal/target/kusttarget.go", "nobody reads the standard error of a controller", []operation{
			unimport("os"),
			swap("(*KustTarget).Load", `fmt.Fprintf(os.Stderr, "%v\n", msg)`, "_ = msg"),
		}},
		{kubeOpenAPI, "pkg/validation/spec/ref.go", "no network", []operation{
			unimport("net/http"),
			unimport("os"),
			unimport("path/filepath"),
			body("(*Ref).IsValidURI", "return false"),
		}},
	},
	files: []file{
		add(kyaml, "openapi/baked.go", "decodes a baked definition when it is first asked for"),
		made(kyaml, "openapi/baked.tsv", "openapi.tsv", "the definitions"),
		add(kyaml, "openapi/kubernetesapi/openapiinfo.go", "names the version without carrying its bytes"),
		drop(kyaml, "openapi/kubernetesapi/v1_21_2/swagger.go", "1.3 MB of protobuf"),
		drop(api, "internal/git/gitrunner.go", "starts git"),
		add(api, "internal/git/cloner.go", "refuses as upstream does on a machine without git"),
		add(api, "internal/builtins/HelmChartInflationGenerator.go", "refuses as upstream does without --enable-helm"),
		drop(kubeOpenAPI, "pkg/validation/spec/gnostic.go", "links protobuf"),
		drop(kubeOpenAPI, "pkg/schemaconv/proto_models.go", "links protobuf"),
	},
}
