package main

import (
	"fmt"
	"io"
	"log"
	"path/filepath"
	"regexp"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	commonutil "helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
)

type chartToRender struct {
	chart  *chart.Chart
	values common.Values
}

func loadChart(directory string) (*chart.Chart, error) {
	loaded, err := loader.LoadDir(directory)
	if err != nil {
		return nil, fmt.Errorf("load chart %s: %w", filepath.Base(directory), err)
	}
	return loaded, nil
}

func renderChart(loaded *chart.Chart, values map[string]any, render func(*chartToRender) (map[string]string, error)) (map[string]string, error) {
	log.SetOutput(io.Discard) // Helm warns about values that are shadowed; nobody here can do anything about it.
	if err := chartutil.ProcessDependencies(loaded, values); err != nil {
		return nil, err
	}
	release := common.ReleaseOptions{Name: "release", Namespace: "namespace", IsInstall: true, Revision: 1}
	prepared, err := commonutil.ToRenderValuesWithSchemaValidation(loaded, values, release, nil, true)
	if err != nil {
		return nil, err
	}
	return render(&chartToRender{loaded, prepared})
}

// installedCRDs names the CustomResourceDefinitions that Helm installs from a chart with its own values: those its
// templates render and those in crds/. What a template takes from another file of the chart is not among them, as only the
// files that define something are looked at.
func installedCRDs(directory string) (map[string]bool, error) {
	loaded, err := loadChart(directory)
	if err != nil {
		return nil, err
	}
	keepDefinitions(loaded)
	rendered, err := renderChart(loaded, map[string]any{}, func(chart *chartToRender) (map[string]string, error) {
		return engine.Render(chart.chart, chart.values)
	})
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", filepath.Base(directory), err)
	}
	installed := map[string]bool{}
	files := [][]byte{}
	for _, content := range rendered {
		files = append(files, []byte(content))
	}
	for _, crd := range loaded.CRDObjects() {
		files = append(files, crd.File.Data)
	}
	for _, content := range files {
		all, err := definitions(content)
		if err != nil {
			return nil, fmt.Errorf("read what %s renders: %w", filepath.Base(directory), err)
		}
		for _, definition := range all {
			installed[text(definition, "metadata", "name")] = true
		}
	}
	return installed, nil
}

// keepDefinitions leaves only the templates that define custom resources, and empty helpers in place of their own: a
// checkout need not hold them, and they never decide whether a definition is installed.
func keepDefinitions(chart *chart.Chart) {
	var kept []*common.File
	helpers := map[string]bool{}
	for _, template := range chart.Templates {
		if !definesCRD.Match(template.Data) {
			continue
		}
		kept = append(kept, template)
		for _, call := range includes.FindAllSubmatch(template.Data, -1) {
			helpers[string(call[1])] = true
		}
	}
	var stubs strings.Builder
	for _, name := range sortedKeys(helpers) {
		fmt.Fprintf(&stubs, "{{- define %q }}{{ end }}\n", name)
	}
	chart.Templates = append(kept, &common.File{Name: "templates/_stubs.tpl", Data: []byte(stubs.String())})
	for _, dependency := range chart.Dependencies() {
		keepDefinitions(dependency)
	}
}

var includes = regexp.MustCompile(`(?:include|template) +"([^"]+)"`)
