package builtins

import (
	"errors"

	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/kyaml/trace"
)

// HelmChartInflationGeneratorPlugin refuses as upstream's does when Helm is not enabled, which it never is under Flux.
type HelmChartInflationGeneratorPlugin struct{}

var errHelmNotEnabled = errors.New("must specify --enable-helm")

// Config implements resmap.Configurable.
func (p *HelmChartInflationGeneratorPlugin) Config(*resmap.PluginHelpers, []byte) error {
	trace.RefusePlugin()
	return errHelmNotEnabled
}

// Generate implements resmap.Generator.
func (p *HelmChartInflationGeneratorPlugin) Generate() (resmap.ResMap, error) {
	return nil, errHelmNotEnabled
}

// NewHelmChartInflationGeneratorPlugin is what upstream's is called.
func NewHelmChartInflationGeneratorPlugin() resmap.GeneratorPlugin {
	return &HelmChartInflationGeneratorPlugin{}
}
