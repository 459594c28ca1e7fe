package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// sources is the catalog: every PackageSource of a release by name, as plain data.
type sources map[string]any

// readSources reads the PackageSources that the platform chart renders as they stand, and adds the operator's own.
func readSources(from string) (sources, error) {
	variants, err := platformVariants(from)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(from, "packages/core/platform/sources/*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no PackageSource in %s: is it a checkout of cozystack?", from)
	}
	found := sources{platformSource: operatorSource(variants)}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, document := range documents(content) {
			if err := found.add(document); err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
			}
		}
	}
	return found, nil
}

func (sources sources) add(document []byte) error {
	value, err := parseYAML(document)
	if err != nil {
		return err
	}
	name := text(value, "metadata", "name")
	if text(value, "kind") != "PackageSource" || name == "" {
		return nil
	}
	variants, err := named(list(value, "spec", "variants"), variant)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if sources[name] != nil {
		return fmt.Errorf("PackageSource %s occurs twice", name)
	}
	sources[name] = map[string]any{"variants": variants}
	return nil
}

func variant(value any) (any, error) {
	components, err := named(list(value, "components"), component)
	if err != nil {
		return nil, err
	}
	return without(map[string]any{
		"components": components,
		"dependsOn":  list(value, "dependsOn"),
		"libraries":  names(list(value, "libraries")),
	}), nil
}

// component keeps what decides whether and where a HelmRelease is made; `install` is absent where there is none.
func component(value any) (any, error) {
	install := object(value, "install")
	kept := map[string]any{
		"path":        text(value, "path"),
		"libraries":   list(value, "libraries"),
		"valuesFiles": list(value, "valuesFiles"),
	}
	if install != nil {
		kept["install"] = without(map[string]any{
			"namespace":   text(install, "namespace"),
			"releaseName": releaseName(value),
			"privileged":  flagged(install, "privileged"),
			"dependsOn":   list(install, "dependsOn"),
		})
	}
	return without(kept), nil
}

// releaseName is the component's name unless the source says otherwise.
func releaseName(component any) string {
	if name := text(component, "install", "releaseName"); name != "" {
		return name
	}
	return text(component, "name")
}

// named turns a list of objects with names into a map.
func named(items []any, convert func(any) (any, error)) (map[string]any, error) {
	byName := map[string]any{}
	for _, item := range items {
		name := text(item, "name")
		if byName[name] != nil {
			return nil, fmt.Errorf("%q occurs twice", name)
		}
		value, err := convert(item)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		byName[name] = value
	}
	return byName, nil
}

func names(items []any) []any {
	var found []any
	for _, item := range items {
		found = append(found, text(item, "name"))
	}
	return found
}

// without drops what is empty, to keep the files small.
func without(values map[string]any) map[string]any {
	for key, value := range values {
		switch value := value.(type) {
		case string:
			if value == "" {
				delete(values, key)
			}
		case bool:
			if !value {
				delete(values, key)
			}
		case []any:
			if len(value) == 0 {
				delete(values, key)
			}
		}
	}
	return values
}

func (sources sources) count() (variants, components, installs int) {
	sources.each(func(_, _, _ string, component any) {
		components++
		if object(component, "install") != nil {
			installs++
		}
	})
	for _, source := range sources {
		variants += len(object(source, "variants"))
	}
	return variants, components, installs
}

// each visits every component of every variant, in the order of names.
func (sources sources) each(visit func(source, variant, name string, component any)) {
	for _, source := range sortedKeys(sources) {
		variants := object(sources[source], "variants")
		for _, variant := range sortedKeys(variants) {
			components := object(variants[variant], "components")
			for _, name := range sortedKeys(components) {
				visit(source, variant, name, components[name])
			}
		}
	}
}

func catalog(release string, sources sources, platform platform) map[string]any {
	return map[string]any{"release": release, "sources": map[string]any(sources), "platform": platform.json()}
}
