package parity

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A fixture is a small repository, its files by path, built with the fields of a Flux Kustomization.
type fixture struct {
	files map[string]string
	path  string
	spec  map[string]any
}

type m = map[string]any

const (
	pkg        = "apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: metallb # the load balancer\nspec:\n  variant: default\n  list: [1, a, {b: c}]\n"
	config     = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, namespace: web}\ndata: {k: \"1\", on: \"yes\", text: \"a\\nb\\n\"}\n"
	deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\nspec:\n  replicas: 1\n  selector: {matchLabels: {app: a}}\n  template:\n    metadata: {labels: {app: a}}\n    spec:\n      serviceAccountName: sa\n      containers:\n      - {name: main, image: \"nginx:1\", envFrom: [{configMapRef: {name: cm}}]}\n"
)

func substitute(vars m) m { return m{"postBuild": m{"substitute": vars}} }

var fixtures = map[string]fixture{
	"one file":                      {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": pkg}},
	"no kustomization":              {files: map[string]string{"b.yaml": config, "a.yml": pkg, "c.txt": "x", "sub/d.yaml": deployment, "own/kustomization.yaml": "resources: [e.yaml]\n", "own/e.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n"}},
	"no kustomization, values file": {files: map[string]string{"a.yaml": pkg, "values.yaml": "a: 1\n"}},
	"no kustomization, broken file": {files: map[string]string{"a.yaml": "a: [\n"}},
	"no kustomization, list":        {files: map[string]string{"a.yaml": "- a\n- b\n"}},
	"nothing at all":                {files: map[string]string{"README.md": "x"}},
	"only comments":                 {files: map[string]string{"a.yaml": "# nothing\n"}},
	"no such path":                  {files: map[string]string{"a.yaml": pkg}, path: "nope/deeper"},
	"a path above the root":         {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": pkg}, path: "../.."},
	"a path to a file":              {files: map[string]string{"a.yaml": pkg}, path: "a.yaml"},
	"misspelt key in the root":      {files: map[string]string{"kustomization.yaml": "resource: [a.yaml]\n", "a.yaml": pkg}},
	"misspelt key below":            {files: map[string]string{"kustomization.yaml": "resources: [base]\n", "base/kustomization.yaml": "resource: [a.yaml]\n", "base/a.yaml": pkg}},
	"letter case of keys":           {files: map[string]string{"kustomization.yaml": "Resources: [a.yaml]\nNAMEPREFIX: x-\n", "a.yaml": pkg}},
	"empty file in the root":        {files: map[string]string{"kustomization.yaml": ""}},
	"empty file below":              {files: map[string]string{"kustomization.yaml": "resources: [base]\n", "base/kustomization.yaml": ""}},
	"string for a list":             {files: map[string]string{"kustomization.yaml": "resources: a.yaml\n", "a.yaml": pkg}},
	"broken root":                   {files: map[string]string{"kustomization.yaml": "resources: [\n"}},
	"broken base":                   {files: map[string]string{"kustomization.yaml": "resources: [base]\n", "base/kustomization.yaml": "a: [\n"}},
	"two kustomizations":            {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "kustomization.yml": "resources: [a.yaml]\n", "a.yaml": pkg}},
	"another name":                  {files: map[string]string{"Kustomization": "resources: [a.yaml]\n", "a.yaml": pkg}},
	"a Flux Kustomization":          {files: map[string]string{"kustomization.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: x}\nspec: {path: ./}\n"}},
	"missing file":                  {files: map[string]string{"kustomization.yaml": "resources: [nope.yaml]\n"}},
	"missing file in a file":        {files: map[string]string{"kustomization.yaml": "resources: [a.yaml/b.yaml]\n", "a.yaml": pkg}},
	"directory without one":         {files: map[string]string{"kustomization.yaml": "resources: [base]\n", "base/a.yaml": pkg}},
	"a file above":                  {files: map[string]string{"clusters/prod/kustomization.yaml": "resources: [../../a.yaml]\n", "a.yaml": pkg}, path: "clusters/prod"},
	"outside, file":                 {files: map[string]string{"kustomization.yaml": "resources: [/etc/passwd]\n"}},
	"outside, patch":                {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{path: /etc/hostname}]\n", "a.yaml": pkg}},
	"cycle":                         {files: map[string]string{"a/kustomization.yaml": "resources: [../b]\n", "b/kustomization.yaml": "resources: [../a]\n"}, path: "a"},
	"itself":                        {files: map[string]string{"kustomization.yaml": "resources: [.]\n"}},
	"broken manifest":               {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": pkg + "---\na: b\n c: d\n"}},
	"tab":                           {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "apiVersion: v1\n\tkind: X\n"}},
	"no name":                       {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "apiVersion: v1\nkind: ConfigMap\n"}},
	"no kind":                       {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "apiVersion: v1\nmetadata: {name: x}\n"}},
	"no apiVersion":                 {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "kind: ConfigMap\nmetadata: {name: x}\n"}},
	"separator with text":           {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": pkg + "--- text\n" + config}},
	"separators":                    {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "---\n" + pkg + "---\n---\n# c\n--- # d\n" + config + "---\n"}},
	"CRLF":                          {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\r\n", "a.yaml": "apiVersion: v1\r\nkind: ConfigMap\r\nmetadata:\r\n  name: x\r\ndata:\r\n  a: |\r\n    b\r\n    c\r\n---\r\n" + pkg}},
	"the same twice":                {files: map[string]string{"kustomization.yaml": "resources: [a.yaml, b.yaml]\n", "a.yaml": pkg, "b.yaml": pkg}},
	"the same twice in a file":      {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": pkg + "---\n" + pkg}},
	"the same from two bases":       {files: map[string]string{"kustomization.yaml": "resources: [x, y]\n", "x/kustomization.yaml": "resources: [a.yaml]\n", "x/a.yaml": pkg, "y/kustomization.yaml": "resources: [a.yaml]\n", "y/a.yaml": pkg}},
	"one base twice, prefixed":      {files: map[string]string{"kustomization.yaml": "resources: [x, y]\n", "x/kustomization.yaml": "namePrefix: x-\nresources: [../base]\n", "y/kustomization.yaml": "namePrefix: y-\nresources: [../base]\n", "base/kustomization.yaml": "resources: [a.yaml]\n", "base/a.yaml": deployment + "---\n" + config}},
	"list":                          {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n"}},
	"list of a kind":                {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": pkg + "---\napiVersion: v1\nkind: ConfigMapList\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"}},
	"items of another kind":         {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "apiVersion: x/v1\nkind: Thing\nmetadata: {name: t}\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"}},
	"kustomization as resource":     {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nmetadata: {name: x}\n"}},
	"local config":                  {files: map[string]string{"kustomization.yaml": "resources: [a.yaml, b.yaml]\n", "a.yaml": pkg, "b.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, annotations: {config.kubernetes.io/local-config: \"true\"}}\n"}},
	"anchors":                       {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, labels: &l {a: b}}\nx: &x {c: d, e: f}\ny: {<<: *x, e: g}\nz: *l\n"}},
	"values of all sorts":           {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "apiVersion: v1\nkind: Thing\nmetadata: {name: x, annotations: {n: 1, b: true}}\nspec: {a: 010, b: 1.0, c: 1e3, d: .5, e: yes, f: ~, g: , h: 2001-12-14, i: 0x1f, j: 1_000, k: \"ü\", l: 18446744073709551615, m: -0.0, n: '', o: <, p: 12:30:45, r: !!binary aGk=, s: 'null', t: \"on\"}\n"}},
	"infinity":                      {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "apiVersion: v1\nkind: Thing\nmetadata: {name: x}\nspec: .inf\n"}},
	"null keys":                     {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "apiVersion: v1\nkind: Thing\nmetadata: {name: x}\nspec: {null: a}\n"}},
	"number keys":                   {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "apiVersion: v1\nkind: Thing\nmetadata: {name: x}\nspec: {1: a}\n"}},
	"a key twice":                   {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "apiVersion: v1\nkind: Thing\nmetadata: {name: x}\nspec: {a: 1, a: 2}\n"}},
	"everything in the root": {files: map[string]string{
		"kustomization.yaml": "namespace: web\nnamePrefix: x-\nnameSuffix: -y\ncommonLabels: {t: u}\nlabels: [{pairs: {a: b}, includeSelectors: true}, {pairs: {c: d}}]\ncommonAnnotations: {e: f}\nresources: [a.yaml]\nimages: [{name: nginx, newTag: \"2\"}]\nreplicas: [{name: app, count: 3}]\nconfigMapGenerator: [{name: gen, literals: [a=b], files: [f.txt]}]\nsecretGenerator: [{name: sec, envs: [e.env], options: {disableNameSuffixHash: true}}]\ngeneratorOptions: {labels: {g: h}}\n",
		"a.yaml":             deployment + "---\n" + config + "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: sa}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: rb}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}\nsubjects: [{kind: ServiceAccount, name: sa, namespace: default}]\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\nrules: []\n",
		"f.txt":              "text\n", "e.env": "A=1\nB=2\n",
	}},
	"namespace conflict":         {files: map[string]string{"kustomization.yaml": "namespace: web\nresources: [a.yaml]\n", "a.yaml": config + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, namespace: other}\n"}},
	"generator, missing file":    {files: map[string]string{"kustomization.yaml": "configMapGenerator: [{name: gen, files: [nope.txt]}]\n"}},
	"generator, merge":           {files: map[string]string{"kustomization.yaml": "resources: [base]\nconfigMapGenerator: [{name: gen, behavior: merge, literals: [c=d]}]\n", "base/kustomization.yaml": "configMapGenerator: [{name: gen, literals: [a=b]}]\n"}},
	"generator, nothing there":   {files: map[string]string{"kustomization.yaml": "configMapGenerator: [{name: gen, behavior: merge, literals: [c=d]}]\n"}},
	"generators only":            {files: map[string]string{"kustomization.yaml": "configMapGenerator: [{name: gen, literals: [c=d]}]\n"}},
	"patch":                      {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{path: p.yaml}]\n", "a.yaml": pkg, "p.yaml": "apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: metallb, labels: {a: b}}\nspec: {variant: null, list: [2], new: {x: y}}\n"}},
	"patch, several":             {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{path: p.yaml}]\n", "a.yaml": pkg + "---\n" + config, "p.yaml": "apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: metallb}\nspec: {a: 1}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, namespace: web}\ndata: {z: y}\n"}},
	"patch, inline":              {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches:\n- target: {kind: Package}\n  patch: |-\n\n    apiVersion: x\n    kind: x\n    metadata: {name: any, annotations: {a: b}}\n    spec: {variant: other}\n", "a.yaml": pkg}},
	"patch, deleted":             {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{patch: \"apiVersion: cozystack.io/v1alpha1\\nkind: Package\\nmetadata: {name: metallb}\\n$patch: delete\\n\"}]\n", "a.yaml": pkg + "---\n" + config}},
	"patch, deleted by target":   {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{target: {kind: Package}, patch: \"apiVersion: x\\nkind: x\\nmetadata: {name: x}\\n$patch: delete\\n\"}]\n", "a.yaml": pkg + "---\n" + config}},
	"patch, without base":        {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{path: p.yaml}]\n", "a.yaml": pkg, "p.yaml": config}},
	"patch, target for two":      {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{path: p.yaml, target: {kind: Package}}]\n", "a.yaml": pkg, "p.yaml": config + "---\n" + config}},
	"patch, nothing selected":    {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{path: p.yaml, target: {name: metall}}]\n", "a.yaml": pkg, "p.yaml": config}},
	"patch, names as patterns":   {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{patch: '[{\"op\": \"add\", \"path\": \"/spec/x\", \"value\": 1}]', target: {name: met.llb}}, {patch: '[{\"op\": \"add\", \"path\": \"/spec/y\", \"value\": 1}]', target: {name: \"met|c.*\"}}]\n", "a.yaml": pkg + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\nspec: {}\n"}},
	"patch, missing file":        {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{path: nope.yaml}]\n", "a.yaml": pkg}},
	"patch, broken":              {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{path: p.yaml}]\n", "a.yaml": pkg, "p.yaml": "a: [\n"}},
	"patch, neither":             {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{target: {kind: Package}}]\n", "a.yaml": pkg}},
	"patch, renames into a name": {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{target: {name: two}, options: {allowNameChange: true}, patch: \"apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: one}\\n\"}]\n", "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: two}\n"}},
	"patch, operations":          {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{target: {kind: Package}, path: p.yaml}]\n", "a.yaml": pkg, "p.yaml": "- {op: replace, path: /spec/variant, value: x}\n- {op: add, path: /spec/list/-, value: 7}\n- {op: remove, path: /spec/list/0}\n- {op: test, path: /spec/variant, value: x}\n"}},
	"patch, operation fails":     {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{target: {kind: Package}, patch: '[{\"op\": \"remove\", \"path\": \"/nope\"}]'}]\n", "a.yaml": pkg}},
	"patch, legacy":              {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatchesStrategicMerge: [p.yaml, \"apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: cm, namespace: web}\\ndata: {q: r}\\n\"]\npatchesJson6902: [{target: {version: v1, kind: ConfigMap, name: cm}, patch: '[{\"op\": \"add\", \"path\": \"/data/s\", \"value\": \"t\"}]'}]\n", "a.yaml": pkg + "---\n" + config, "p.yaml": "apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: metallb}\nspec: {a: 1}\n"}},
	"replacements":               {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\nreplacements:\n- source: {kind: ConfigMap, fieldPath: data.k}\n  targets: [{select: {kind: Package}, fieldPaths: [spec.variant, spec.new], options: {create: true}}]\n- path: r.yaml\n", "a.yaml": pkg + "---\n" + config, "r.yaml": "- source: {kind: Package, fieldPath: spec.list}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [spec.copy], options: {create: true}}]\n"}},
	"replacement, no source":     {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\nreplacements: [{source: {kind: Nope}, targets: [{select: {kind: Package}}]}]\n", "a.yaml": pkg}},
	"replacement, no field":      {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\nreplacements: [{source: {kind: Package}, targets: [{select: {kind: Package}, fieldPaths: [spec.nope.x]}]}]\n", "a.yaml": pkg}},
	"vars":                       {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\nvars: [{name: V, objref: {apiVersion: v1, kind: ConfigMap, name: cm}, fieldref: {fieldpath: data.k}}]\nconfigurations: [c.yaml]\n", "a.yaml": config + "---\napiVersion: x/v1\nkind: Thing\nmetadata: {name: t}\nspec: {a: $(V)}\n", "c.yaml": "varReference: [{path: spec/a, kind: Thing}]\n"}},
	"configurations, missing":    {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\nconfigurations: [nope.yaml]\n", "a.yaml": pkg}},
	"crds, missing":              {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\ncrds: [nope.yaml]\n", "a.yaml": pkg}},
	"openapi":                    {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\nopenapi: {path: o.json}\npatches: [{path: p.yaml}]\n", "a.yaml": "apiVersion: x/v1\nkind: Thing\nmetadata: {name: t}\nspec: {items: [{name: a, v: 1}, {name: b, v: 2}]}\n", "p.yaml": "apiVersion: x/v1\nkind: Thing\nmetadata: {name: t}\nspec: {items: [{name: b, v: 3}]}\n", "o.json": `{"definitions":{"x.v1.Thing":{"properties":{"spec":{"properties":{"items":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}},"x-kubernetes-patch-merge-key":"name","x-kubernetes-patch-strategy":"merge"}}}},"x-kubernetes-group-version-kind":[{"group":"x","kind":"Thing","version":"v1"}]}}}`}},
	"openapi, not built in":      {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\nopenapi: {version: v1.0.0}\n", "a.yaml": pkg}},
	"built-in merge keys":        {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\npatches: [{path: p.yaml}]\n", "a.yaml": deployment, "p.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\nspec:\n  template:\n    spec:\n      containers:\n      - {name: main, env: [{name: A, value: \"1\"}]}\n      - {name: side, image: x}\n"}},
	"components":                 {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\ncomponents: [c, d]\n", "a.yaml": pkg, "c/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{target: {kind: Package}, patch: '[{\"op\": \"add\", \"path\": \"/spec/c\", \"value\": 1}]'}]\n", "d/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [b.yaml]\nnamePrefix: d-\n", "d/b.yaml": config}},
	"components only":            {files: map[string]string{"kustomization.yaml": "components: [d]\n", "d/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [b.yaml]\n", "d/b.yaml": config}},
	"component, not one":         {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\ncomponents: [c]\n", "a.yaml": pkg, "c/kustomization.yaml": "resources: [b.yaml]\n", "c/b.yaml": config}},
	"component as resource":      {files: map[string]string{"kustomization.yaml": "resources: [c]\n", "c/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"}},
	"component missing":          {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\ncomponents: [nope]\n", "a.yaml": pkg}},
	"helm chart":                 {files: map[string]string{"kustomization.yaml": "helmCharts: [{name: x, repo: 'https://example.org'}]\n"}},
	"a transformer's file":       {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\ntransformers: [t.yaml]\n", "a.yaml": pkg, "t.yaml": "apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: t}\nprefix: z-\nfieldSpecs: [{path: metadata/name}]\n"}},
	"a transformer's program":    {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\ntransformers: [t.yaml]\n", "a.yaml": pkg, "t.yaml": "apiVersion: x/v1\nkind: Own\nmetadata: {name: t}\n"}},
	"a validator":                {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\nvalidators: [t.yaml]\n", "a.yaml": pkg, "t.yaml": "apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: t}\nprefix: z-\nfieldSpecs: [{path: metadata/name}]\n"}},
	"sorted":                     {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\nsortOptions: {order: legacy}\n", "a.yaml": deployment + "---\n" + config + "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n"}},
	"build metadata":             {files: map[string]string{"kustomization.yaml": "resources: [base]\nbuildMetadata: [originAnnotations, transformerAnnotations, managedByLabel]\nnamePrefix: p-\n", "base/kustomization.yaml": "resources: [a.yaml]\nconfigMapGenerator: [{name: g, literals: [a=b]}]\n", "base/a.yaml": pkg}},
	"remote base":                {files: map[string]string{"kustomization.yaml": "resources: ['https://github.invalid/x/y//z?ref=v1']\n"}},
	"remote file":                {files: map[string]string{"kustomization.yaml": "resources: ['https://example.invalid/x.yaml']\n"}},
	"ignored by default":         {files: map[string]string{"a.yaml": pkg, ".github/w.yaml": "on: push\n", ".sops.yaml": "creation_rules: []\n", "x.zip": "x"}},
	"ignored by a pattern":       {files: map[string]string{"a.yaml": pkg, "b/c.yaml": "x: y\n", ".sourceignore": "# c\n/b/*\n!/b/d.yaml\n", "b/d.yaml": config, "e/.sourceignore": "f.yaml\n", "e/f.yaml": "x: y\n"}},
	"a pattern brings CI back":   {files: map[string]string{"a.yaml": pkg, ".github/w.yaml": "on: push\n", ".sourceignore": "nothing\n"}},

	"flux, all fields": {files: map[string]string{"kustomization.yaml": "namespace: own\nresources: [a.yaml]\nimages: [{name: nginx, newTag: \"2\"}, {name: other, newTag: \"1\"}]\npatches: [{target: {kind: Deployment}, patch: '[{\"op\": \"add\", \"path\": \"/metadata/labels\", \"value\": {\"own\": \"x\"}}]'}]\n", "a.yaml": deployment + "---\n" + config, "c/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -c\n"},
		spec: m{"targetNamespace": "target", "namePrefix": "p-", "nameSuffix": "-s", "components": []any{"c"}, "images": []any{m{"name": "nginx", "newName": "apache"}, m{"name": "new", "newTag": "3"}}, "patches": []any{m{"patch": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\nspec: {replicas: 9}\n"}, m{"target": m{"kind": "ConfigMap", "labelSelector": "!x"}, "patch": "- {op: add, path: /data/z, value: z}\n"}}}},
	"flux, no kustomization":          {files: map[string]string{"a.yaml": pkg}, spec: m{"targetNamespace": "t", "namePrefix": "p-"}},
	"flux, no kustomization, patches": {files: map[string]string{"a.yaml": pkg}, spec: m{"patches": []any{m{"target": m{"kind": "Package"}, "patch": "[{\"op\": \"add\", \"path\": \"/spec/x\", \"value\": 1}]"}}}},
	"flux, nothing but a prefix":      {files: map[string]string{"README": "x"}, spec: m{"namePrefix": "p-"}},
	"flux, broken patch":              {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": pkg}, spec: m{"patches": []any{m{"patch": "a: ["}}}},
	"flux, component elsewhere":       {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": pkg}, spec: m{"components": []any{"https://example.org/x"}}},
	"flux, component absolute":        {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": pkg}, spec: m{"components": []any{"/x"}}},
	"flux, component missing":         {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": pkg}, spec: m{"components": []any{"nope"}}},
	"flux, component may be missing":  {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": pkg}, spec: m{"components": []any{"nope"}, "ignoreMissingComponents": true}},
	"flux, legacy operations":         {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": pkg}, spec: m{"patchesJson6902": []any{m{"target": m{"kind": "Package", "name": "metallb", "version": "v1alpha1", "group": "cozystack.io"}, "patch": []any{m{"op": "add", "path": "/spec/q", "value": "r"}}}}}},

	"variables":                {files: map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: \"${a}\", b: '${b:=dflt}', c: \"$${c}\", d: $d, e: \"${#a}\", f: \"${a^^} ${a,,} ${a:1:2} ${a/u/x}\", g: 'x: ${n}', h: \"${nope}\", i: \"${nope:-${a}}\"}\n"}, spec: substitute(m{"a": "Value", "n": "1"})},
	"variables, types":         {files: map[string]string{"a.yaml": "apiVersion: v1\nkind: Thing\nmetadata: {name: x}\nspec: {a: \"${t}\", b: \"${n}\", c: \"${y}\", d: ${e}, s: \"yes\"}\n"}, spec: substitute(m{"t": "true", "n": "1e3", "y": "yes", "e": "two\nlines"})},
	"variables, disabled":      {files: map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}}\ndata: {a: \"${a}\"}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: y, labels: {kustomize.toolkit.fluxcd.io/substitute: disabled}}\ndata: {a: \"${a}\"}\n"}, spec: substitute(m{"a": "v"})},
	"variables, in the name":   {files: map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"x-${a}\"}\n"}, spec: substitute(m{"a": "v"})},
	"variables, bad syntax":    {files: map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: \"${a\"}\n"}, spec: substitute(m{"a": "v"})},
	"variables, bad operator":  {files: map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: \"${a b}\"}\n"}, spec: substitute(m{"a": "v"})},
	"variables, bad name":      {files: map[string]string{"a.yaml": config}, spec: substitute(m{"a-b": "v"})},
	"variables, none":          {files: map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: \"${a}\"}\n"}, spec: m{"postBuild": m{"substitute": m{}}}},
	"variables, breaking YAML": {files: map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: x ${a}}\n"}, spec: substitute(m{"a": ": [", "b": "x"})},
}

func TestFixtures(t *testing.T) {
	e, r := startEngine(t), startReference(t)
	for name, f := range fixtures {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for file, text := range f.files {
				to := filepath.Join(root, file)
				if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if f.spec == nil {
				f.spec = m{}
			}
			j := job{Repository: root, Path: f.path, Spec: f.spec}
			if compare(t, r, e, j) {
				compareApplied(t, r.build(j).Applied, e.build(j, "objects"))
			}
		})
	}
}

// compareApplied holds which objects the controller would apply against fluxcd/pkg/ssa.
func compareApplied(t *testing.T, want []string, got answer) {
	t.Helper()
	var applied []string
	for _, o := range got.Objects {
		if o.Dropped == "" {
			applied = append(applied, o.Value.Kind+"/"+o.Value.Metadata.Namespace+"/"+o.Value.Metadata.Name)
		}
	}
	if !slices.Equal(applied, want) {
		t.Errorf("applied %q, want %q", applied, want)
	}
}

func TestSymbolicLinksAreLost(t *testing.T) {
	root := t.TempDir()
	for file, text := range map[string]string{"kustomization.yaml": "resources: [a.yaml, link.yaml]\n", "a.yaml": pkg, "b.txt": config} {
		if err := os.WriteFile(filepath.Join(root, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("b.txt", filepath.Join(root, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	if compare(t, startReference(t), startEngine(t), job{Repository: root, Spec: m{}}) {
		t.Error("built, although the link is not in the artifact")
	}
}
