package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// platformSource is the PackageSource that the operator makes in code, with one component, the platform chart.
const platformSource = "cozystack.cozystack-platform"

const platformPath = "core/platform"

// platformVariants are the variants of the platform. The operator names them in code, and every one but `default` adds its
// own values file to the chart; the files are what a fork has as well.
func platformVariants(from string) ([]string, error) {
	directory := filepath.Join(from, "packages", platformPath)
	files, err := filepath.Glob(filepath.Join(directory, "values-*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no values of a variant in %s: is it a checkout of cozystack?", directory)
	}
	variants := []string{"default"}
	for _, file := range files {
		variants = append(variants, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "values-"), ".yaml"))
	}
	slices.Sort(variants)
	return variants, nil
}

// valuesFiles are merged in this order.
func valuesFiles(variant string) []string {
	if variant == "default" {
		return []string{"values.yaml"}
	}
	return []string{"values.yaml", "values-" + variant + ".yaml"}
}

func operatorSource(variants []string) any {
	byName := map[string]any{}
	for _, variant := range variants {
		byName[variant] = map[string]any{"components": map[string]any{"platform": map[string]any{
			"path":        platformPath,
			"install":     map[string]any{"namespace": "cozy-system", "releaseName": "cozystack-platform"},
			"valuesFiles": items(valuesFiles(variant)),
		}}}
	}
	return map[string]any{"variants": byName, "by": "operator"}
}
