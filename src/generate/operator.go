package main

// platformSource is the PackageSource that the operator makes in code, with one component, the platform chart.
const platformSource = "cozystack.cozystack-platform"

// platformVariants are hard-coded in the operator; every one but `default` adds its own values file.
var platformVariants = []string{"default", "isp-full", "isp-full-generic", "isp-hosted"}

const platformPath = "core/platform"

func operatorSource() any {
	variants := map[string]any{}
	for _, variant := range platformVariants {
		files := []any{"values.yaml"}
		if variant != "default" {
			files = append(files, "values-"+variant+".yaml")
		}
		variants[variant] = map[string]any{"components": map[string]any{"platform": map[string]any{
			"path":        platformPath,
			"install":     map[string]any{"namespace": "cozy-system", "releaseName": "cozystack-platform"},
			"valuesFiles": files,
		}}}
	}
	return map[string]any{"variants": variants, "by": "operator"}
}
