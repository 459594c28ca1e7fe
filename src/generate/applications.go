package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const applicationGroup = "apps.cozystack.io"

// applications reads the ApplicationDefinitions that components bring with them: an index of the kinds that cozystack-api serves,
// like that of the custom resources, with the beginning of the name of the Helm release and the file that has the values of the
// chart; and the files that it names. There is no index where the checkout has no definitions.
//
// The schema of a definition is the values.schema.json of its chart, so that it is in the file of the chart.
func applications(from string, sources sources) (index, schemas, shapes map[string]any, err error) {
	kinds := map[string]any{}
	schemas, shapes = map[string]any{}, map[string]any{}
	version, err := addContent(schemas, applicationGroup+"_application_v1alpha1", applicationSchema())
	if err != nil {
		return nil, nil, nil, err
	}
	sources.each(func(source, _, name string, component any) {
		if err != nil || object(component, "install") == nil {
			return
		}
		var definitions []any
		if definitions, err = applicationDefinitions(filepath.Join(from, "packages", text(component, "path"), "cozyrds")); err != nil {
			return
		}
		for _, definition := range definitions {
			key := applicationGroup + "/" + text(definition, "spec", "application", "kind")
			by := source + "/" + name
			if known := list(kinds[key], "by"); known != nil {
				if !slices.Contains(known, any(by)) {
					object(kinds[key])["by"] = append(known, by)
				}
				continue
			}
			var chart string
			if chart, err = chartOfApplication(from, sources, definition, shapes); err != nil {
				return
			}
			kinds[key] = without(map[string]any{
				"plural":   text(definition, "spec", "application", "plural"),
				"scope":    "Namespaced",
				"by":       []any{by},
				"prefix":   text(definition, "spec", "release", "prefix"),
				"chart":    chart,
				"versions": map[string]any{"v1alpha1": map[string]any{"schema": version, "storage": true}},
			})
		}
	})
	if err != nil || len(kinds) == 0 {
		return nil, nil, nil, err
	}
	return map[string]any{"kinds": kinds}, schemas, shapes, nil
}

// applicationSchema is what the server itself holds an application against: the type Application of
// pkg/apis/apps/v1alpha1/types.go, whose spec is any map.
func applicationSchema() map[string]any {
	return map[string]any{
		"type": "object",
		"properties": map[string]any{
			"appVersion": map[string]any{"type": "string"},
			"spec":       map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true},
		},
	}
}

func applicationDefinitions(directory string) (found []any, err error) {
	files, err := filepath.Glob(filepath.Join(directory, "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, document := range documents(content) {
			value, err := parseYAML(document)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
			}
			if text(value, "kind") == "ApplicationDefinition" {
				found = append(found, value)
			}
		}
	}
	return found, nil
}

// chartOfApplication puts the shape of the chart among the others and gives the name of its file. It is an error if the schema of
// the definition is not that of the chart.
func chartOfApplication(from string, sources sources, definition any, shapes map[string]any) (file string, err error) {
	reference := text(definition, "spec", "release", "chartRef", "name")
	sources.each(func(source, variant, name string, component any) {
		if err != nil || file != "" || strings.ReplaceAll(source, ".", "-")+"-"+variant+"-"+name != reference {
			return
		}
		var shape map[string]any
		if shape, err = chartShape(from, component); err != nil {
			return
		}
		if err = sameSchema(definition, object(shape, "schemas")[""]); err != nil {
			err = fmt.Errorf("%s: %w", text(definition, "metadata", "name"), err)
			return
		}
		file = shapeName(text(component, "path"), shape)
		shapes[file] = shape
	})
	if err == nil && file == "" {
		err = fmt.Errorf("%s: no component has the chart %q", text(definition, "metadata", "name"), reference)
	}
	return file, err
}

func sameSchema(definition, ofChart any) error {
	value, err := parseJSON([]byte(text(definition, "spec", "application", "openAPISchema")))
	if err != nil {
		return err
	}
	ours, err := compact(cleanSchema(value))
	if err != nil {
		return err
	}
	theirs, err := compact(ofChart)
	if err != nil {
		return err
	}
	if string(ours) != string(theirs) {
		return fmt.Errorf("the schema of the definition is not that of the chart")
	}
	return nil
}
