package target

import (
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/internal/accumulator"
	"sigs.k8s.io/kustomize/api/internal/builtins"
	"sigs.k8s.io/kustomize/api/internal/plugins/builtinhelpers"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/errors"
	"sigs.k8s.io/kustomize/kyaml/trace"
)

// written counts the entries of lists that kustomize appends a deprecated list to, and remembers what generators are given
// before kustomize adds to it.
type written struct {
	resources, images, charts int
	configMaps, secrets       []given
}

func countWritten(k *types.Kustomization) written {
	w := written{resources: len(k.Resources), images: len(k.Images), charts: len(k.HelmCharts)}
	for _, g := range k.ConfigMapGenerator {
		w.configMaps = append(w.configMaps, givenTo(g.GeneratorArgs))
	}
	for _, g := range k.SecretGenerator {
		w.secrets = append(w.secrets, givenTo(g.GeneratorArgs))
	}
	return w
}

// Load implements what upstream's does, and tells when the file itself is at fault.
func (kt *KustTarget) Load() error {
	err := kt.upstreamLoad()
	if err == nil {
		trace.Unfollowed()
		return nil
	}
	_, name, missing := LoadKustFile(kt.ldr)
	trace.Unfollowed()
	if missing == nil {
		trace.BreakFile(filepath.Join(kt.ldr.Root(), name), err)
	}
	return err
}

// place is an entry of this kustomization.
func (kt *KustTarget) place(name string, index int) trace.Place {
	return trace.Place{
		Kustomization: filepath.Join(kt.ldr.Root(), kt.kustFileName),
		Field:         trace.Field{Name: name, Index: index},
	}
}

// accumulateTarget implements what upstream's does, and bounds how often it may.
func (kt *KustTarget) accumulateTarget(ra *accumulator.ResAccumulator) (*accumulator.ResAccumulator, error) {
	depth := trace.Enter(kt.place("", -1))
	if err := trace.CheckBase(depth / 2); err != nil {
		return nil, errors.Wrap(err)
	}
	ra, err := kt.upstreamAccumulateTarget(ra)
	if err == nil {
		trace.Leave(depth)
	}
	return ra, err
}

// enterPath goes into the i-th of the paths that are being accumulated.
func (kt *KustTarget) enterPath(paths []string, i int) {
	k := kt.kustomization
	switch {
	case len(k.Resources) > 0 && &paths[0] == &k.Resources[0]:
		if i < kt.written.resources {
			trace.Enter(kt.place("resources", i))
		} else {
			trace.Enter(kt.place("bases", i-kt.written.resources))
		}
		return
	case len(k.Components) > 0 && &paths[0] == &k.Components[0]:
		trace.Enter(kt.place("components", i))
		return
	}
	// Plugins are accumulated from a list that the inline ones were taken out of.
	for _, list := range []struct {
		name  string
		paths []string
	}{{"generators", k.Generators}, {"transformers", k.Transformers}, {"validators", k.Validators}} {
		if n := slices.Index(list.paths, paths[i]); n >= 0 {
			trace.Enter(kt.place(list.name, n))
			return
		}
	}
	trace.Enter(kt.place("", -1))
}

// accumulateFile implements what upstream's does, and names the file whose objects cannot be added.
func (kt *KustTarget) accumulateFile(ra *accumulator.ResAccumulator, path string) error {
	before := trace.Depth()
	err := kt.upstreamAccumulateFile(ra, path)
	if err != nil {
		trace.BlameFile(filepath.Join(kt.ldr.Root(), path), before, err)
	}
	return err
}

// configureBuiltinPlugin implements what upstream's does, and remembers which entry the plugin is made from.
func (kt *KustTarget) configureBuiltinPlugin(p resmap.Configurable, c interface{}, bpt builtinhelpers.BuiltinPluginType) error {
	place := kt.next(bpt)
	depth := trace.Enter(place)
	err := kt.upstreamConfigureBuiltinPlugin(p, c, bpt)
	if err != nil {
		return err
	}
	trace.Leave(depth)
	trace.Configured(p, place)
	return nil
}

// next is the entry of the plugin that is configured now: kustomize configures those of one type in the order of the list.
func (kt *KustTarget) next(bpt builtinhelpers.BuiltinPluginType) trace.Place {
	if kt.configured == nil {
		kt.configured = map[builtinhelpers.BuiltinPluginType]int{}
	}
	i := kt.configured[bpt]
	kt.configured[bpt]++
	switch bpt {
	case builtinhelpers.ConfigMapGenerator:
		return kt.place("configMapGenerator", i)
	case builtinhelpers.SecretGenerator:
		return kt.place("secretGenerator", i)
	case builtinhelpers.HelmChartInflationGenerator:
		if i >= kt.written.charts {
			return kt.place("helmChartInflationGenerator", i-kt.written.charts)
		}
		return kt.place("helmCharts", i)
	case builtinhelpers.PatchStrategicMergeTransformer:
		return kt.place("patchesStrategicMerge", -1)
	case builtinhelpers.PatchTransformer:
		return kt.place("patches", i)
	case builtinhelpers.PatchJson6902Transformer:
		return kt.place("patchesJson6902", i)
	case builtinhelpers.NamespaceTransformer:
		return kt.place("namespace", -1)
	case builtinhelpers.PrefixTransformer:
		return kt.place("namePrefix", -1)
	case builtinhelpers.SuffixTransformer:
		return kt.place("nameSuffix", -1)
	case builtinhelpers.LabelTransformer:
		if i >= len(kt.kustomization.Labels) {
			return kt.place("commonLabels", -1)
		}
		return kt.place("labels", i)
	case builtinhelpers.AnnotationsTransformer:
		return kt.place("commonAnnotations", -1)
	case builtinhelpers.ReplicaCountTransformer:
		return kt.place("replicas", i)
	case builtinhelpers.ImageTagTransformer:
		if i >= kt.written.images {
			return kt.place("imageTags", i-kt.written.images)
		}
		return kt.place("images", i)
	case builtinhelpers.ReplacementTransformer:
		return kt.place("replacements", -1)
	}
	return kt.place("", -1)
}

// enterPlugin goes into the entry of a plugin that is about to run.
func (kt *KustTarget) enterPlugin(plugin any) {
	p, ok := trace.PlaceOf(plugin)
	if !ok {
		p = kt.place("generators", -1)
	}
	trace.Enter(p)
}

// transform runs a transformer as a step.
func transform(t *resmap.TransformerWithProperties, m resmap.ResMap) error {
	plugin := t.Transformer
	for {
		// One that is configured by a document is wrapped twice.
		inner, ok := plugin.(*resmap.TransformerWithProperties)
		if !ok {
			break
		}
		plugin = inner.Transformer
	}
	place, ok := trace.PlaceOf(plugin)
	if !ok {
		place = trace.Here("transformers")
	}
	depth := trace.Enter(place)
	trace.Run(plugin)
	switch p := plugin.(type) {
	case *builtins.PatchTransformerPlugin, *builtins.PatchJson6902TransformerPlugin, *builtins.PatchStrategicMergeTransformerPlugin:
		trace.Begin("patch", place)
	case *builtins.ReplacementTransformerPlugin:
		// Each replacement is a step of its own.
	case *builtins.LabelTransformerPlugin:
		if len(p.Labels) > 0 {
			begin(place, m)
		}
	default:
		begin(place, m)
	}
	if err := t.Transform(m); err != nil {
		return err
	}
	trace.End()
	trace.Leave(depth)
	return nil
}

func begin(place trace.Place, m resmap.ResMap) {
	if !trace.On() {
		return
	}
	trace.Begin("transformer", place)
	for _, r := range m.Resources() {
		trace.Touch(&r.RNode)
	}
}
