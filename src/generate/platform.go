package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/engine"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/fake"
)

// platform is what the platform chart emits, by variant.
type platform struct {
	variants map[string]emitted
	// values maps the path of every value to its type.
	values map[string]any
	// never lists the sources whose Package no variant and no switch emits.
	never []string
}

// packages maps the name of a Package to its variant and the components the chart sets values for; nil: not emitted.
type packages map[string]any

type emitted struct {
	packages packages
	// optional maps a name that bundles.enabledPackages understands to the difference that listing it makes.
	optional map[string]packages
	// switches maps `path=value` of a platform value to the difference that setting it makes.
	switches map[string]packages
	// refused lists the switches that the chart fails on.
	refused []string
}

func renderPlatform(from string, sources sources) (platform, error) {
	directory := filepath.Join(from, "packages", platformPath)
	result := platform{variants: map[string]emitted{}}
	variants, err := platformVariants(from)
	if err != nil {
		return result, err
	}
	if result.values, err = platformValues(directory, variants); err != nil {
		return result, err
	}
	seen := map[string]bool{platformSource: true}
	for _, variant := range variants {
		values, err := variantValues(directory, variant)
		if err != nil {
			return result, err
		}
		emitted, err := renderVariant(directory, values, sources)
		if err != nil {
			return result, fmt.Errorf("platform variant %s: %w", variant, err)
		}
		result.variants[variant] = emitted
		emitted.mark(seen)
	}
	for _, name := range sortedKeys(sources) {
		if !seen[name] {
			result.never = append(result.never, name)
		}
	}
	return result, nil
}

func renderVariant(directory string, values map[string]any, sources sources) (emitted, error) {
	base, err := renderPackages(directory, values)
	if err != nil {
		return emitted{}, err
	}
	result := emitted{packages: base, optional: map[string]packages{}, switches: map[string]packages{}}
	for _, name := range sortedKeys(sources) {
		change := change{path: enabledPackages, value: append(slices.Clone(list(values, enabledPackages...)), name)}
		if difference, _ := base.differenceWith(directory, values, change); len(difference) > 0 {
			result.optional[name] = difference
		}
	}
	for _, change := range platformSwitches(values) {
		difference, err := base.differenceWith(directory, values, change)
		if err != nil {
			result.refused = append(result.refused, change.String())
		} else if len(difference) > 0 {
			result.switches[change.String()] = difference
		}
	}
	return result, nil
}

var enabledPackages = []string{"bundles", "enabledPackages"}

// change sets one of the platform's values, and with it whatever makes it take effect.
type change struct {
	path  []string
	value any
	also  *change
}

func (change change) String() string {
	line, _ := compact(change.value)
	name := fmt.Sprintf("%s=%s", strings.Join(change.path, "."), line)
	if change.also != nil {
		return name + "," + change.also.String()
	}
	return name
}

// platformSwitches are every boolean the other way round, and the one choice among words that decides about Packages.
func platformSwitches(values map[string]any) []change {
	changes := []change{{
		path: []string{"bundles", "iaas", "gpuOperatorVariant"}, value: "vgpu",
		also: &change{path: enabledPackages, value: append(slices.Clone(list(values, enabledPackages...)), "cozystack.gpu-operator")},
	}}
	eachBoolean(values, nil, func(path []string, value bool) {
		changes = append(changes, change{path: path, value: !value})
	})
	return changes
}

func eachBoolean(value any, path []string, visit func([]string, bool)) {
	switch value := value.(type) {
	case bool:
		visit(path, value)
	case map[string]any:
		for _, key := range sortedKeys(value) {
			eachBoolean(value[key], append(slices.Clone(path), key), visit)
		}
	}
}

// differenceWith renders with a value changed and returns what differs: Packages added or changed, and nil for those gone.
func (base packages) differenceWith(directory string, values map[string]any, change change) (packages, error) {
	changed, err := renderPackages(directory, change.apply(values))
	if err != nil {
		return nil, err
	}
	difference := packages{}
	for name, value := range changed {
		if !reflect.DeepEqual(base[name], value) {
			difference[name] = value
		}
	}
	for name := range base {
		if changed[name] == nil {
			difference[name] = nil
		}
	}
	return difference, nil
}

func (change change) apply(values map[string]any) map[string]any {
	changed := set(values, change.path, change.value)
	if change.also != nil {
		return change.also.apply(changed)
	}
	return changed
}

// set returns a copy with one value replaced.
func set(values map[string]any, path []string, value any) map[string]any {
	copied := map[string]any{}
	for key, child := range values {
		copied[key] = child
	}
	if len(path) == 1 {
		copied[path[0]] = value
	} else {
		copied[path[0]] = set(object(values, path[0]), path[1:], value)
	}
	return copied
}

// variantValues are the chart's values with the variant's own file over them, as the operator has them merged.
func variantValues(directory, variant string) (map[string]any, error) {
	values := map[string]any{}
	for _, file := range valuesFiles(variant) {
		content, err := os.ReadFile(filepath.Join(directory, file))
		if err != nil {
			return nil, err
		}
		overlay, err := parseYAML(content)
		if err != nil {
			return nil, err
		}
		values = merge(values, object(overlay))
	}
	return values, nil
}

// merge lays maps over each other; anything else is replaced.
func merge(base, overlay map[string]any) map[string]any {
	merged := map[string]any{}
	for key, value := range base {
		merged[key] = value
	}
	for key, value := range overlay {
		if child, ok := value.(map[string]any); ok && object(base, key) != nil {
			value = merge(object(base, key), child)
		}
		merged[key] = value
	}
	return merged
}

func renderPackages(directory string, values map[string]any) (packages, error) {
	chart, err := loadChart(directory)
	if err != nil {
		return nil, err
	}
	rendered, err := renderChart(chart, values, func(chart *chartToRender) (map[string]string, error) {
		return engine.RenderWithClientProvider(chart.chart, chart.values, cluster())
	})
	if err != nil {
		return nil, err
	}
	found := packages{}
	for _, file := range sortedKeys(rendered) {
		if !bytes.Contains([]byte(rendered[file]), []byte("kind: Package\n")) {
			continue
		}
		for _, document := range documents([]byte(rendered[file])) {
			value, err := parseYAML(document)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			if text(value, "kind") == "Package" {
				found[text(value, "metadata", "name")] = value.(map[string]any)["spec"]
			}
		}
	}
	return found, nil
}

// clients answers the chart's look-ups: there is the source that the chart itself came from, and nothing else.
type clients struct{ client dynamic.Interface }

func cluster() engine.ClientProvider {
	source := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "source.toolkit.fluxcd.io/v1",
		"kind":       "OCIRepository",
		"metadata":   map[string]any{"name": "cozystack-platform", "namespace": "cozy-system"},
		"spec":       map[string]any{"url": "oci://example.org/cozystack"},
	}}
	return clients{fake.NewSimpleDynamicClient(runtime.NewScheme(), source)}
}

func (clients clients) GetClientFor(apiVersion, kind string) (dynamic.NamespaceableResourceInterface, bool, error) {
	plural, _ := meta.UnsafeGuessKindToResource(schema.FromAPIVersionAndKind(apiVersion, kind))
	return clients.client.Resource(plural), true, nil
}

// mark notes every Package that is emitted under some condition.
func (emitted emitted) mark(seen map[string]bool) {
	mark := func(packages packages) {
		for name, value := range packages {
			if value != nil {
				seen[name] = true
			}
		}
	}
	mark(emitted.packages)
	for _, packages := range emitted.optional {
		mark(packages)
	}
	for _, packages := range emitted.switches {
		mark(packages)
	}
}

func (platform platform) json() map[string]any {
	variants := map[string]any{}
	for name, emitted := range platform.variants {
		variants[name] = map[string]any{
			"packages": emitted.packages,
			"optional": emitted.optional,
			"switches": emitted.switches,
			"refused":  items(emitted.refused),
		}
	}
	return map[string]any{"variants": variants, "never": items(platform.never), "values": platform.values}
}

func items(values []string) []any {
	converted := make([]any, 0, len(values))
	for _, value := range values {
		converted = append(converted, value)
	}
	return converted
}
