package target

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"sigs.k8s.io/kustomize/api/internal/builtins"
	"sigs.k8s.io/kustomize/api/internal/generators"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/trace"
	"sigs.k8s.io/kustomize/kyaml/writers"
)

// given is what stands in a generator's own entry.
type given struct {
	envs                int
	labels, annotations map[string]string
	immutable           bool
}

func givenTo(g types.GeneratorArgs) given {
	out := given{envs: len(g.EnvSources)}
	if g.Options != nil {
		out.labels, out.annotations = maps.Clone(g.Options.Labels), maps.Clone(g.Options.Annotations)
		out.immutable = g.Options.Immutable
	}
	return out
}

// inline is the text of an entry, which may be a document itself.
func (kt *KustTarget) inline(entries []string, i int) []byte {
	text := []byte(entries[i])
	name := "transformers"
	k := kt.kustomization
	switch {
	case len(k.Generators) > 0 && &entries[0] == &k.Generators[0]:
		name = "generators"
	case len(k.Validators) > 0 && &entries[0] == &k.Validators[0]:
		name = "validators"
	}
	trace.InlineAt(text, kt.place(name, i), 0)
	return text
}

// signGenerated tells who wrote the nodes of a generated object.
func (kt *KustTarget) signGenerated(plugin any, m resmap.ResMap) {
	if !writers.On() || m == nil {
		return
	}
	g := generated{kt: kt, plugin: plugin}
	place, ok := trace.PlaceOf(plugin)
	switch p := plugin.(type) {
	case *builtins.ConfigMapGeneratorPlugin:
		g.args = p.ConfigMapArgs.GeneratorArgs
		g.given = givenTo(g.args)
		if ok {
			g.given = kt.written.configMaps[place.Field.Index]
		}
	case *builtins.SecretGeneratorPlugin:
		g.args, g.secretType = p.SecretArgs.GeneratorArgs, p.Type
		g.given = givenTo(g.args)
		if ok {
			g.given = kt.written.secrets[place.Field.Index]
		}
	case *builtins.IAMPolicyGeneratorPlugin:
		for _, r := range m.Resources() {
			g.signAccount(r.YNode())
		}
		return
	default:
		return
	}
	for _, r := range m.Resources() {
		g.sign(r.YNode())
	}
}

type generated struct {
	kt         *KustTarget
	plugin     any
	args       types.GeneratorArgs
	secretType string
	given      given
}

func (g *generated) sign(root *writers.Node) {
	g.signAll(root)
	meta := writers.Field(root, "metadata")
	g.stamp(writers.Field(meta, "name"), g.named("name"))
	g.stamp(writers.Field(meta, "namespace"), g.named("namespace"))
	if g.secretType != "" {
		g.stamp(writers.Field(root, "type"), trace.Argument(g.plugin, []any{"type"}, []any{"type"}))
	}
	g.data(root)
	if g.args.Options == nil {
		return
	}
	g.options(writers.Field(meta, "labels"), "labels", g.args.Options.Labels, g.given.labels)
	g.options(writers.Field(meta, "annotations"), "annotations", g.args.Options.Annotations, g.given.annotations)
	g.stamp(writers.Field(root, "immutable"), g.option(g.given.immutable, trace.Argument, "immutable"))
}

// signAccount signs the service account of an IAMPolicyGenerator, which is configured by a document.
func (g *generated) signAccount(root *writers.Node) {
	g.signAll(root)
	meta := writers.Field(root, "metadata")
	at := func(path ...any) []writers.Point { return trace.Argument(g.plugin, nil, path) }
	g.stamp(writers.Field(meta, "name"), at("kubernetesService", "name"))
	g.stamp(writers.Field(meta, "namespace"), at("kubernetesService", "namespace"))
	account := slices.Concat(at("serviceAccount", "name"), at("serviceAccount", "projectId"))
	g.stamp(writers.At(meta, "annotations", "iam.gke.io/gcp-service-account"), account)
}

// signAll says that what nobody gave is the generator's. Of a value that it has of itself there is no place where it could be
// changed.
func (g *generated) signAll(root *writers.Node) {
	g.all(root, writers.Keep(writers.Trace{By: writers.Generator, From: trace.Argument(g.plugin, nil, nil)}))
	constant := writers.Keep(writers.Trace{By: writers.Generator})
	for _, name := range []string{"apiVersion", "kind", "type"} {
		if n := writers.Field(root, name); n != nil {
			writers.Set(n, constant)
		}
	}
}

func (g *generated) all(n *writers.Node, h writers.Head) {
	writers.Set(n, h)
	for _, c := range n.Content {
		g.all(c, h)
	}
}

func (g *generated) stamp(n *writers.Node, from []writers.Point) {
	if n != nil && from != nil {
		writers.Stamp(n, writers.Trace{By: writers.Generator, From: from})
	}
}

// named is a field of the entry that may also stand in the metadata of a document.
func (g *generated) named(field string) []writers.Point {
	if from := trace.Argument(g.plugin, []any{field}, []any{field}); from != nil {
		return from
	}
	return trace.Argument(g.plugin, []any{field}, []any{"metadata", field})
}

// options signs the labels or annotations, which the entry may have or generatorOptions.
func (g *generated) options(n *writers.Node, name string, values, own map[string]string) {
	for k := range values {
		key, value := writers.Entry(n, k)
		_, isOwn := own[k]
		g.stamp(key, g.option(isOwn, trace.ArgumentKey, name, k))
		g.stamp(value, g.option(isOwn, trace.Argument, name, k))
	}
}

type place = func(plugin any, entry, document []any) []writers.Point

func (g *generated) option(own bool, at place, path ...any) []writers.Point {
	path = append([]any{"options"}, path...)
	from := at(g.plugin, path, path)
	if !own && len(from) == 1 && from[0].File != "" {
		from[0].Path = append([]any{"generatorOptions"}, path[1:]...)
	}
	return from
}

// data signs what came from literals, files and lines of files. It reads them as kustomize's kv package does.
func (g *generated) data(root *writers.Node) {
	pairs := map[string][2][]writers.Point{}
	for i, path := range g.args.EnvSources {
		g.lines(path, g.entry("envs", i), pairs)
	}
	for i, text := range g.args.LiteralSources {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			continue
		}
		quote := 0
		if n := len(value); n > 1 && value[0] == value[n-1] && (value[0] == '"' || value[0] == '\'') {
			quote = 1
		}
		from := g.entry("literals", i)
		start := width(key) + 1
		pairs[key] = [2][]writers.Point{part(from, 0, width(key)), part(from, start+quote, width(text)-quote)}
	}
	for i, text := range g.args.FileSources {
		key, path, err := generators.ParseFileSource(text)
		if err != nil {
			continue
		}
		from := g.entry("files", i)
		value := append([]writers.Point{{File: filepath.Join(g.kt.ldr.Root(), path), Line: 1}}, from...)
		pairs[key] = [2][]writers.Point{from, value}
	}
	for _, field := range []string{"data", "binaryData"} {
		for k, from := range pairs {
			key, value := writers.Entry(writers.Field(root, field), k)
			g.stamp(key, from[0])
			g.stamp(value, from[1])
		}
	}
}

// entry is the i-th item of a list of sources; a single env stands behind those of the list.
func (g *generated) entry(list string, i int) []writers.Point {
	if list == "envs" && i >= g.given.envs {
		return trace.Argument(g.plugin, []any{"env"}, []any{"env"})
	}
	return trace.Argument(g.plugin, []any{list, i}, []any{list, i})
}

func (g *generated) lines(path string, entry []writers.Point, pairs map[string][2][]writers.Point) {
	content, err := g.kt.ldr.Load(path)
	if err != nil {
		return
	}
	file := filepath.Join(g.kt.ldr.Root(), path)
	for i, line := range strings.Split(string(content), "\n") {
		line = strings.TrimSuffix(line, "\r")
		text := strings.TrimLeftFunc(strings.TrimPrefix(line, "\ufeff"), unicode.IsSpace)
		key, value, _ := strings.Cut(text, "=")
		if text == "" || text[0] == '#' {
			continue
		}
		end := width(line)
		point := func(start, end int) []writers.Point {
			return append([]writers.Point{{File: file, Line: i + 1, Span: [2]int{start, end}}}, entry...)
		}
		start := end - width(text)
		pairs[key] = [2][]writers.Point{point(start, start+width(key)), point(end-width(value), end)}
	}
}

func part(from []writers.Point, start, end int) []writers.Point {
	if len(from) == 1 && end > start {
		from = []writers.Point{from[0]}
		from[0].Span = [2]int{start, end}
	}
	return from
}

// width counts UTF-16 code units.
func width(s string) int { return len(utf16.Encode([]rune(s))) }
