package charts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
)

// A Chart is loaded once and rendered with many values. It keeps its files, as Helm changes a loaded chart by its values: dependencies that
// are switched off are taken out of it.
type Chart struct {
	files    []File
	packed   []byte
	Metadata *chart.Metadata
	// Values are the defaults that a user can set, those of the dependencies below their names.
	Values map[string]any
	// What was read of the last renders: most of what a chart makes is the same with other values.
	documents   memory[[]*document]
	definitions memory[[]Object]
}

// Load reads the files of a chart as they are in its archive.
func Load(files []File) (*Chart, error) { return newChart(&Chart{files: files}) }

// LoadArchive reads a packed chart.
func LoadArchive(packed []byte) (*Chart, error) { return newChart(&Chart{packed: packed}) }

func newChart(c *Chart) (*Chart, error) {
	loaded, err := c.load()
	if err != nil {
		return nil, err
	}
	c.Metadata = loaded.Metadata
	// What the schema says is not asked here; dependencies are all there, each below its alias, as nothing is switched off.
	switchOn(loaded)
	if err := chartutil.ProcessDependencies(loaded, map[string]any{}); err != nil {
		return nil, err
	}
	if c.Values, err = util.CoalesceValues(loaded, map[string]any{}); err != nil {
		return nil, err
	}
	return c, nil
}

func switchOn(loaded *chart.Chart) {
	for _, dependency := range loaded.Metadata.Dependencies {
		dependency.Condition, dependency.Tags = "", nil
	}
	for _, dependency := range loaded.Dependencies() {
		switchOn(dependency)
	}
}

// LoadFailure is what is told of an error of Load.
func LoadFailure(err error) *Failure {
	failure := fail("load", err)
	failure.Message = cut(failure.Message, maxMessage)
	return failure
}

func (c *Chart) load() (*chart.Chart, error) {
	archive.Begin()
	if c.packed != nil {
		return loader.LoadArchive(bytes.NewReader(c.packed))
	}
	files, err := packed(c.files)
	if err != nil {
		return nil, err
	}
	return loader.LoadFiles(files)
}

// A Release is what the templates see as `.Release`.
type Release struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	IsUpgrade bool   `json:"isUpgrade"`
	Revision  int    `json:"revision"`
}

// A World is what a cluster would answer.
type World struct {
	KubeVersion string `json:"kubeVersion"`
	APIVersions []string
	// Objects are what is found by `lookup`.
	Objects []map[string]any
	// Chance changes everything that is random.
	Chance int
	// PostRender says that helm-controller renders, and not the Helm command.
	PostRender bool
}

// An Object that Helm would send.
type Object struct {
	Template string `json:"template"`
	// Object is JSON.
	Object json.RawMessage `json:"object,omitempty"`
	// Hook has the events of a hook, and is absent for others.
	Hook []string `json:"hook,omitempty"`
	// CRD says that it is of the folder `crds/`.
	CRD bool `json:"crd,omitempty"`
	// brief is a definition of `crds/` by its kind and name.
	brief json.RawMessage
}

// Brief leaves out what a definition of `crds/` says: no value changes it, and it is most of what many a chart makes.
func (o Object) Brief() Object {
	if o.CRD {
		o.Object = o.brief
	}
	return o
}

// AppendJSON writes it behind a text, without reading the object again.
func (o Object) AppendJSON(text []byte) []byte {
	text = append(append(text, `{"object":`...), o.Object...)
	o.Object = nil
	about, _ := json.Marshal(o)
	return append(append(text, ','), about[1:]...)
}

// A Failure is why nothing is rendered.
type Failure struct {
	// Stage is one of load, dependencies, kubeVersion, schema, render, post-render, parse and limit.
	Stage   string `json:"stage"`
	Message string `json:"message"`
	// Frames are the places of the templates that called each other, the innermost last.
	Frames []Frame `json:"frames,omitempty"`
	// Templates are those that a post-render refuses, two where both make the same object.
	Templates []string `json:"templates,omitempty"`
	// Own is what the chart says itself, by `fail` or `required`.
	Own string `json:"own,omitempty"`
}

// A Frame is a place in a template; the column counts bytes from 1 and is 0 where there is none.
type Frame struct {
	Template string `json:"template"`
	Line     int    `json:"line"`
	Column   int    `json:"column,omitempty"`
}

func (f *Failure) Error() string { return f.Message }

// Bounds of one render.
const (
	MaxBytes       = 64 << 20
	maxTplDeep     = 200
	maxIncludeDeep = 1010
	maxObjects     = 10_000
	maxMessage     = 4 << 10
)

// Render gives the objects in the order in which Helm would send them, and what of the cluster was asked for.
func (c *Chart) Render(release Release, values map[string]any, world World) ([]Object, *Consulted, *Failure) {
	asked := newConsulted(world)
	defer asked.listen()()
	bounds := &engine.Bounds{Bytes: MaxBytes, TplDepth: maxTplDeep, IncludeDepth: maxIncludeDeep}
	engine.Limits = bounds
	defer func() { engine.Limits = nil }()
	objects, failure := c.render(release, values, world, asked)
	if failure != nil && bounds.Exceeded != "" {
		failure.Stage, failure.Own = "limit", bounds.Exceeded
	}
	if failure != nil {
		failure.Message = cut(failure.Message, maxMessage)
		failure.Own = cut(failure.Own, maxMessage)
	}
	return objects, asked, failure
}

func (c *Chart) render(release Release, values map[string]any, world World, asked *Consulted) ([]Object, *Failure) {
	loaded, err := c.load()
	if err != nil {
		return nil, fail("load", err)
	}
	if err := chartutil.ProcessDependencies(loaded, values); err != nil {
		return nil, fail("dependencies", err)
	}
	capabilities := common.DefaultCapabilities.Copy()
	capabilities.APIVersions = world.APIVersions
	version, err := common.ParseKubeVersion(world.KubeVersion)
	if err != nil {
		return nil, fail("kubeVersion", err)
	}
	capabilities.KubeVersion = *version
	options := common.ReleaseOptions{
		Name: release.Name, Namespace: release.Namespace, Revision: release.Revision, IsUpgrade: release.IsUpgrade, IsInstall: !release.IsUpgrade,
	}
	prepared, err := util.ToRenderValues(loaded, values, options, capabilities)
	if err != nil {
		return nil, fail("schema", err)
	}
	if wanted := loaded.Metadata.KubeVersion; wanted != "" && !chartutil.IsCompatibleRange(wanted, version.String()) {
		return nil, fail("kubeVersion", fmt.Errorf("chart requires kubeVersion: %s which is incompatible with Kubernetes %s", wanted, version.Version))
	}
	templates := engine.NewWithClientProvider(asked)
	templates.CustomTemplateFuncs = asked.functions()
	files, err := templates.Render(loaded, prepared)
	if err != nil {
		return nil, rendering(err)
	}
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasSuffix(name, "NOTES.txt") })
	if world.PostRender {
		return c.postRendered(loaded, files)
	}
	return c.sorted(loaded, files, parsed)
}

// A reader adds the objects of a document.
type reader func(out []Object, of Object, text string) ([]Object, error)

// sorted is what Helm makes of the templates' output: definitions, then objects by kind, then hooks.
func (c *Chart) sorted(loaded *chart.Chart, files map[string]string, read reader) ([]Object, *Failure) {
	hooks, manifests, err := releaseutil.SortManifests(files, nil, releaseutil.InstallOrder)
	if err != nil {
		return nil, fail("parse", err)
	}
	var out []Object
	for _, definition := range loaded.CRDObjects() {
		made, err := c.definitions.of(written{definition.Filename, string(definition.File.Data)}, definitionsOf)
		if err != nil {
			return nil, fail("parse", err)
		}
		out = append(out, made...)
	}
	for _, manifest := range manifests {
		if out, err = read(out, Object{Template: manifest.Name}, manifest.Content); err != nil {
			return nil, fail("parse", err)
		}
	}
	for _, hook := range hooks {
		one := Object{Template: hook.Path}
		for _, event := range hook.Events {
			one.Hook = append(one.Hook, event.String())
		}
		if out, err = read(out, one, hook.Manifest); err != nil {
			return nil, fail("parse", err)
		}
	}
	if len(out) > maxObjects {
		return nil, &Failure{Stage: "limit", Message: fmt.Sprintf("the chart makes %d objects; more than %d are not looked at", len(out), maxObjects)}
	}
	return out, nil
}

func definitionsOf(file written) ([]Object, error) {
	var out []Object
	for _, text := range manifestsIn(file.text) {
		var err error
		if out, err = parsed(out, Object{Template: file.name, CRD: true}, text); err != nil {
			return nil, err
		}
	}
	for i, one := range out {
		var about struct {
			APIVersion any `json:"apiVersion,omitempty"`
			Kind       any `json:"kind,omitempty"`
			Metadata   any `json:"metadata,omitempty"`
		}
		err := json.Unmarshal(one.Object, &about)
		if err == nil {
			out[i].brief, err = json.Marshal(about)
		}
		if err != nil {
			return nil, fmt.Errorf("error parsing %s: %w", one.Template, err)
		}
	}
	return out, nil
}

// manifestsIn is releaseutil.SplitManifests in its order, without a regular expression, which takes longer for definitions than to parse them.
func manifestsIn(file string) []string {
	const spaces = "\t\n\f\r "
	var out []string
	add := func(text string) {
		if text != "" {
			out = append(out, strings.TrimSpace(text))
		}
	}
	rest := strings.TrimSpace(file)
	if after, ok := strings.CutPrefix(rest, "---"); ok {
		rest = strings.TrimLeft(after, spaces)
	}
	for {
		text, after, ok := strings.Cut(rest, "\n---")
		if !ok {
			add(rest)
			return out
		}
		add(strings.TrimRight(text, spaces))
		rest = strings.TrimLeft(after, spaces)
	}
}

// parsed adds what a document holds as Helm's client reads it: nothing, an object, or those of a list, whatever its kind is called
// (unstructuredJSONScheme).
func parsed(out []Object, of Object, text string) ([]Object, error) {
	var object map[string]any
	// Helm has trimmed it, and the client ends each line (utilyaml.LineReader).
	if err := yaml.Unmarshal([]byte(text+"\n"), &object); err != nil {
		return nil, fmt.Errorf("error parsing %s: %w", of.Template, err)
	}
	if len(object) == 0 {
		return out, nil
	}
	items, isList := object["items"].([]any)
	if !isList {
		return added(out, of, object)
	}
	for _, item := range items {
		one, ok := item.(map[string]any)
		if !ok {
			continue
		}
		kind, version := one["kind"], one["apiVersion"]
		if (kind == nil || kind == "") && (version == nil || version == "") {
			list, _ := object["kind"].(string)
			one["kind"], one["apiVersion"] = strings.TrimSuffix(list, "List"), object["apiVersion"]
		}
		var err error
		if out, err = added(out, of, one); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func added(out []Object, of Object, object map[string]any) ([]Object, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("error parsing %s: %w", of.Template, err)
	}
	of.Object = text
	return append(out, of), nil
}

// tooDeep is what the YAML library says of more levels than it reads here; Helm's own reads more.
const tooDeep = "exceeded max depth of"

func fail(stage string, err error) *Failure {
	larger := (*archive.LimitError)(nil)
	if strings.Contains(err.Error(), tooDeep) || errors.As(err, &larger) {
		stage = "limit"
	}
	return &Failure{Stage: stage, Message: strings.TrimRight(err.Error(), "\n")}
}

var (
	frame = regexp.MustCompile(`(?m)^\s*([^\s:()]+):(\d+)(?::(\d+))?:?$|(?:parse|execution) error at \(([^\s:()]+):(\d+)(?::(\d+))?\)`)
	said  = regexp.MustCompile(`(?s)(?:error calling (?:fail|required)|execution error at \([^\s()]+\)): (.*)$`)
)

// rendering tells where in the templates an error is, from Helm's own words (engine.reformatExecErrorMsg).
func rendering(err error) *Failure {
	failure := fail("render", err)
	for _, found := range frame.FindAllStringSubmatch(failure.Message, -1) {
		one := Frame{Template: found[1] + found[4]}
		fmt.Sscan(found[2]+found[5], &one.Line)
		fmt.Sscan(found[3]+found[6], &one.Column)
		failure.Frames = append(failure.Frames, one)
	}
	if found := said.FindStringSubmatch(failure.Message); found != nil {
		failure.Own = strings.TrimSpace(found[1])
	}
	return failure
}

// cut shortens a text between two runes.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
