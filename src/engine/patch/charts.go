package main

const (
	helm = "helm.sh/helm/v4"
	toml = "github.com/BurntSushi/toml"
)

// charts leaves out of Helm what talks to a cluster, to servers and to disks, and bounds what a template may write. What a cluster would
// answer is asked of the host: `lookup`, and which API versions there are.
var charts = patch{
	name: "charts",
	edits: []edit{
		{helm, "pkg/engine/engine.go", "no client of a cluster; what a template writes is bounded, and so is how deep `tpl` goes", []operation{
			unimport("k8s.io/client-go/rest"),
			remove("New"),
			remove("RenderWithClient"),
			swap("includeFun", "var buf strings.Builder", "var buf output"),
			swap("tplFun", "var buf strings.Builder", "var buf output"),
			swap("(Engine).render", "var buf strings.Builder", "var buf output"),
			swap("tplFun", "t, err := parent.Clone()", "if err := enterTpl(); err != nil { return \"\", err }; defer leaveTpl(); t, err := parent.Clone()"),
			before("includeFun", "err := t.ExecuteTemplate(&buf, name, data)", "defer leaveInclude(); if err := enterInclude(); err != nil { return \"\", err }"),
		}},
		{helm, "pkg/chart/common/capabilities.go", "the host says which versions there are, and is told which were asked for", []operation{
			unimport("testing"),
			unimport("k8s.io/client-go/kubernetes/scheme"),
			unimport("k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"),
			unimport("k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"),
			body("allKnownVersions", `return VersionSet{"v1"}`),
			swap("makeDefaultCapabilities", `if testing.Testing() {
		return newCapabilities(kubeVersionMajorTesting, kubeVersionMinorTesting)
	}`, ""),
			before("(VersionSet).Has", "return slices.Contains(v, apiVersion)", "Asked(apiVersion)"),
		}},
		{helm, "pkg/chart/common/util/jsonschema.go", "no network and no disk: a schema that refers to another document is not compiled; what does not fit is told in one order", []operation{
			unimport("crypto/tls"),
			unimport("net/http"),
			unimport("time"),
			unimport("helm.sh/helm/v4/internal/version"),
			swap("ValidateAgainstSingleSchema", "return JSONSchemaValidationError{err}", "return JSONSchemaValidationError{ordered(err)}"),
			remove("(*HTTPURLLoader).Load"),
			remove("newHTTPURLLoader"),
			swap("", "type HTTPURLLoader http.Client", "type HTTPURLLoader struct{}"),
			swap("ValidateAgainstSingleSchema", `		"file":  jsonschema.FileLoader{},
		"http":  newHTTPURLLoader(),
		"https": newHTTPURLLoader(),
`, `		"file":  absent{},
		"http":  absent{},
		"https": absent{},
`),
		}},
		{helm, "pkg/chart/loader/archive/archive.go", "archives come as bytes", []operation{
			unimport("net/http"),
			unimport("os"),
			remove("EnsureArchive"),
			remove("isGZipApplication"),
			before("LoadArchiveFiles", "if hd.FileInfo().IsDir() {", "if err := count(hd.Size); err != nil { return nil, err }"),
		}},
		{helm, "pkg/chart/v2/loader/archive.go", "archives come as bytes", []operation{
			unimport("os"),
			unimport("fmt"),
			unimport("errors"),
			unimport("compress/gzip"),
			remove("(FileLoader).Load"),
			remove("LoadFile"),
		}},
		{helm, "pkg/chart/v2/loader/load.go", "archives come as bytes; dependencies are always read in the same order", []operation{
			unimport("os"),
			imports("slices"),
			swap("LoadFiles", "for n, files := range subcharts {", "for _, n := range slices.Sorted(maps.Keys(subcharts)) { files := subcharts[n]"),
			remove("Loader"),
			remove("Load"),
		}},
		{helm, "pkg/release/v1/info.go", "nothing of a release is kept, and its type alone links Kubernetes' types and HTTP", []operation{
			unimport("k8s.io/apimachinery/pkg/runtime"),
			swap("", "`json:\"notes,omitempty\"`\n	// Contains the deployed resources information\n	Resources map[string][]runtime.Object", "`json:\"notes,omitempty\"`\n	Resources map[string][]any"),
			swap("", "Resources     map[string][]runtime.Object", "Resources     map[string][]any"),
		}},
		{yaml2, "scannerc.go", "10,000 levels overflow the stack of a WebAssembly host", []operation{
			swap("", "const max_flow_level = 10000", "const max_flow_level = 500"),
			swap("", "const max_indents = 10000", "const max_indents = 500"),
		}},
		{yaml3, "scannerc.go", "10,000 levels overflow the stack of a WebAssembly host", []operation{
			swap("", "const max_flow_level = 10000", "const max_flow_level = 500"),
			swap("", "const max_indents = 10000", "const max_indents = 500"),
		}},
		{toml, "internal/tz.go", "the time zone of the machine is not asked for, as nothing of it may be in what is rendered", []operation{
			swap("", "func() int { _, o := time.Now().Zone(); return o }()", "0"),
		}},
	},
	files: []file{
		add(helm, "pkg/engine/lookup_func.go", "asks the host instead of a cluster"),
		add(helm, "pkg/engine/output.go", "a template that writes without end is stopped"),
		add(helm, "pkg/chart/loader/archive/unpacked.go", "archives in archives are bounded together"),
		add(helm, "pkg/chart/common/asked.go", "which API versions a template has asked for"),
		add(helm, "pkg/chart/common/util/absent.go", "what a schema refers to is not read"),
		add(helm, "pkg/chart/common/util/ordered.go", "what does not fit a schema is told in the random order of maps"),
		add(helm, "internal/version/clientgo.go", "the version without the module"),
		drop(helm, "pkg/chart/v2/loader/directory.go", "there is no disk"),
		drop(helm, "pkg/chart/v2/util/create.go", "writes charts"),
		drop(helm, "pkg/chart/v2/util/save.go", "writes charts"),
		drop(helm, "pkg/chart/v2/util/expand.go", "writes charts"),
		drop(helm, "pkg/chart/v2/util/chartfile.go", "reads and writes charts on a disk"),
		drop(helm, "pkg/chart/v2/util/validate_name.go", "of what is written"),
	},
}
