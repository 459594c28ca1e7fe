package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	chart "helm.sh/helm/v4/pkg/chart/v2"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
)

// chartShapes says of every component that installs something which values its chart has: an index by PackageSource, variant
// and component, and the files that it names, by name. A chart that is not in the checkout, or that has no values, is in
// neither, nor is that of the platform, of which the catalog tells more; the values files that the checkout does not have are listed by
// chart.
func chartShapes(from string, sources sources) (index map[string]any, files map[string]any, err error) {
	components, missing := map[string]any{}, map[string]any{}
	files = map[string]any{}
	sources.each(func(source, variant, name string, component any) {
		if err != nil || source == platformSource || object(component, "install") == nil {
			return
		}
		var shape map[string]any
		if shape, err = chartShape(from, component); err != nil || len(object(shape, "values")) == 0 {
			return
		}
		path := text(component, "path")
		file := shapeName(path, shape)
		files[file] = shape
		put(components, file, source, variant, name)
		if absent := absentFiles(from, component); len(absent) > 0 {
			known, _ := missing[path].([]any)
			known = append(known, absent...)
			slices.SortFunc(known, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			missing[path] = slices.Compact(known)
		}
	})
	return map[string]any{"components": components, "missing": missing}, files, err
}

func absentFiles(from string, component any) (absent []any) {
	for _, file := range list(component, "valuesFiles") {
		if _, err := os.Stat(filepath.Join(from, "packages", text(component, "path"), fmt.Sprint(file))); err != nil {
			absent = append(absent, file)
		}
	}
	return absent
}

func shapeName(path string, shape map[string]any) string {
	line, _ := compact(shape)
	sum := sha256.Sum256(line)
	return fmt.Sprintf("%s-%s.json", filepath.Base(path), hex.EncodeToString(sum[:4]))
}

// chartShape reads the chart of a component as the operator puts it together: with its libraries among the sub-charts and with
// its values files, one over the other.
//
//	values     the tree of keys; at its ends the kind of the default: text, number, boolean, list, empty list, empty map, any
//	subcharts  the paths in it that are the values of a sub-chart
//	optional   those of them that a condition may switch off
//	open       maps that a template takes as a whole, so that anything may stand in them
//	schemas    by the path of the chart that has it ("" is the chart itself), with slashes, what Helm holds its values against
//	mentioned  further keys that comments of values.yaml or templates name
//	missing    sub-charts that the checkout does not have
func chartShape(from string, component any) (map[string]any, error) {
	directory := filepath.Join(from, "packages", text(component, "path"))
	if _, err := os.Stat(filepath.Join(directory, "Chart.yaml")); err != nil {
		return nil, nil
	}
	loaded, err := loadChart(directory)
	if err != nil {
		return nil, err
	}
	shape := shape{schemas: map[string]any{}, mentioned: map[string]bool{}, words: map[string]bool{}}
	for _, library := range list(component, "libraries") {
		path := filepath.Join(from, "packages/library", fmt.Sprint(library))
		if _, err := os.Stat(filepath.Join(path, "Chart.yaml")); err != nil {
			shape.missing = append(shape.missing, fmt.Sprint(library))
			continue
		}
		vendored, err := loadChart(path)
		if err != nil {
			return nil, err
		}
		loaded.AddDependency(vendored)
	}
	values := loaded.Values
	for _, file := range list(component, "valuesFiles") {
		content, err := os.ReadFile(filepath.Join(directory, fmt.Sprint(file)))
		if err != nil {
			continue
		}
		overlay, err := parseYAML(content)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		shape.mention(content)
		values = merge(values, object(overlay))
	}
	tree, err := shape.read(loaded, values, nil)
	if err != nil {
		return nil, err
	}
	return shape.json(tree), nil
}

type shape struct {
	subcharts, optional, open []any
	schemas                   map[string]any
	mentioned, words          map[string]bool
	missing                   []string
}

func (shape *shape) json(tree map[string]any) map[string]any {
	shape.collectWords(tree)
	var mentioned []any
	for _, word := range sortedKeys(shape.mentioned) {
		if !shape.words[word] {
			mentioned = append(mentioned, word)
		}
	}
	slices.Sort(shape.missing)
	all := map[string]any{
		"values": tree, "subcharts": shape.subcharts, "optional": shape.optional, "open": shape.open, "mentioned": mentioned, "missing": items(shape.missing),
	}
	if len(shape.schemas) > 0 {
		all["schemas"] = shape.schemas
	}
	return without(all)
}

func (shape *shape) collectWords(tree map[string]any) {
	for key, child := range tree {
		shape.words[key] = true
		if below, ok := child.(map[string]any); ok {
			shape.collectWords(below)
		}
	}
}

// read is the tree of the keys of a chart; `above` is what the chart around it sets for it.
func (shape *shape) read(loaded *chart.Chart, values map[string]any, path []string) (map[string]any, error) {
	for _, file := range loaded.Raw {
		if file.Name == "values.yaml" {
			shape.mention(file.Data)
		}
	}
	tree := treeOf(values)
	subcharts, missing := subchartsOf(loaded)
	for _, name := range sortedKeys(subcharts) {
		subchart := subcharts[name]
		place := append(slices.Clone(path), name)
		shape.subcharts = append(shape.subcharts, items(place))
		if subchart.optional {
			shape.optional = append(shape.optional, items(place))
		}
		below, err := shape.read(subchart.chart, subchart.chart.Values, place)
		if err != nil {
			return nil, err
		}
		over, _ := tree[name].(map[string]any)
		tree[name] = overlay(below, over)
	}
	for _, name := range missing {
		shape.missing = append(shape.missing, strings.Join(append(slices.Clone(path), name), "."))
		tree[name] = "any"
	}
	for _, dependency := range loaded.Metadata.Dependencies {
		for _, condition := range strings.Split(dependency.Condition, ",") {
			if condition = strings.TrimSpace(condition); condition != "" {
				tree = overlay(treeOfPath(strings.Split(condition, "."), "boolean"), tree)
			}
		}
		if len(dependency.ImportValues) > 0 {
			return nil, fmt.Errorf("%s: import-values of %s are not read", loaded.Name(), dependency.Name)
		}
	}
	read, open, err := readByTemplates(loaded)
	if err != nil {
		return nil, err
	}
	tree = overlay(read, tree)
	for _, taken := range open {
		if isMap(tree, taken) {
			shape.open = append(shape.open, items(append(slices.Clone(path), taken...)))
		}
	}
	if len(loaded.Schema) > 0 {
		schema, err := parseJSON(loaded.Schema)
		if err != nil {
			return nil, fmt.Errorf("schema of %s: %w", loaded.Name(), err)
		}
		shape.schemas[strings.Join(path, "/")] = cleanSchema(schema)
		if declared, ok := treeOfSchema(schema, schema, 0).(map[string]any); ok {
			tree = overlay(declared, tree)
		}
	}
	return tree, nil
}

type subchart struct {
	chart    *chart.Chart
	optional bool
}

// subchartsOf finds what Helm takes for a sub-chart: all that is vendored, by its name or its alias. What Chart.yaml names and
// nothing has is missing.
func subchartsOf(loaded *chart.Chart) (found map[string]subchart, missing []string) {
	found = map[string]subchart{}
	named := map[*chart.Chart]bool{}
	for _, dependency := range loaded.Metadata.Dependencies {
		name := dependency.Alias
		if name == "" {
			name = dependency.Name
		}
		index := slices.IndexFunc(loaded.Dependencies(), func(vendored *chart.Chart) bool {
			return vendored.Name() == dependency.Name && chartutil.IsCompatibleRange(dependency.Version, vendored.Metadata.Version)
		})
		if index < 0 {
			missing = append(missing, name)
			continue
		}
		named[loaded.Dependencies()[index]] = true
		found[name] = subchart{loaded.Dependencies()[index], dependency.Condition != "" || len(dependency.Tags) > 0}
	}
	for _, vendored := range loaded.Dependencies() {
		if !named[vendored] {
			found[vendored.Name()] = subchart{vendored, false}
		}
	}
	return found, slices.DeleteFunc(missing, func(name string) bool { return found[name].chart != nil })
}

// treeOf keeps of values their keys and, at the ends, the kind of each.
func treeOf(values map[string]any) map[string]any {
	tree := map[string]any{}
	for key, value := range values {
		tree[key] = kindOf(value)
	}
	return tree
}

func kindOf(value any) any {
	switch value := value.(type) {
	case string:
		if value != "" {
			return "text"
		}
	case bool:
		return "boolean"
	case json.Number, float64, int64, int:
		return "number"
	case []any:
		if len(value) == 0 {
			return "empty list"
		}
		return "list"
	case map[string]any:
		if len(value) == 0 {
			return "empty map"
		}
		return treeOf(value)
	}
	return "any"
}

// overlay lays one tree over another. What one of them says nothing of, or is not sure of, is what the other says; where the two
// have different kinds, anything may stand.
func overlay(base, over map[string]any) map[string]any {
	merged := map[string]any{}
	for key, kind := range base {
		merged[key] = kind
	}
	for key, kind := range over {
		merged[key] = bothKinds(merged[key], kind)
	}
	return merged
}

func bothKinds(one, other any) any {
	below, isMap := one.(map[string]any)
	over, isMapToo := other.(map[string]any)
	switch {
	case one == nil:
		return other
	case isMap && isMapToo:
		return overlay(below, over)
	case isMap && (other == "any" || other == "empty map"):
		return one
	case isMapToo && (one == "any" || one == "empty map"):
		return other
	case isMap || isMapToo:
		return "any"
	case one == "list" && other == "empty list":
		return one
	case one == "any":
		return other
	}
	return other
}

func treeOfPath(path []string, kind string) map[string]any {
	if len(path) == 1 {
		return map[string]any{path[0]: kind}
	}
	return map[string]any{path[0]: treeOfPath(path[1:], kind)}
}

// treeOfSchema is the tree of the keys that a schema declares.
func treeOfSchema(schema, root any, depth int) any {
	if depth > 30 {
		return "any"
	}
	if reference := text(schema, "$ref"); strings.HasPrefix(reference, "#/") {
		schema = at(root, strings.Split(strings.ReplaceAll(strings.ReplaceAll(reference[2:], "~1", "/"), "~0", "~"), "/"))
		return treeOfSchema(schema, root, depth+1)
	}
	tree := map[string]any{}
	for name, property := range object(schema, "properties") {
		tree[name] = treeOfSchema(property, root, depth+1)
	}
	for _, choice := range []string{"allOf", "anyOf", "oneOf"} {
		for _, branch := range list(schema, choice) {
			if below, ok := treeOfSchema(branch, root, depth+1).(map[string]any); ok {
				tree = overlay(below, tree)
			}
		}
	}
	if len(tree) > 0 {
		return tree
	}
	switch text(schema, "type") {
	case "object":
		return "empty map"
	case "array":
		return "empty list"
	case "boolean":
		return "boolean"
	case "integer", "number":
		return "number"
	}
	return "any"
}

// cleanSchema drops what constrains nothing.
func cleanSchema(value any) any {
	schema, ok := value.(map[string]any)
	if !ok {
		return value
	}
	cleaned := map[string]any{}
	for key, child := range schema {
		switch key {
		case "description", "title", "default", "examples", "$schema", "$id", "$comment", "deprecated", "readOnly":
			if _, isSchema := child.(map[string]any); !isSchema || key == "default" || key == "examples" {
				continue
			}
		case "properties", "patternProperties", "definitions", "$defs":
			children := map[string]any{}
			for name, property := range object(child) {
				children[name] = cleanSchema(property)
			}
			cleaned[key] = children
			continue
		case "allOf", "anyOf", "oneOf":
			var branches []any
			for _, branch := range list(child) {
				branches = append(branches, cleanSchema(branch))
			}
			cleaned[key] = branches
			continue
		case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "additionalItems":
			cleaned[key] = cleanSchema(child)
			continue
		}
		cleaned[key] = child
	}
	return cleaned
}

var (
	commentedKey = regexp.MustCompile(`^\s*#+[\s#]*(?:-\s+)*"?([A-Za-z_][\w-]*)"?:(?:\s|$)`)
	parameter    = regexp.MustCompile(`^\s*#+\s*(?:@(?:param|extra|skip|field)\s+(?:\{[^}]*\}\s*)?|)([A-Za-z_][\w-]*(?:\.[\w-]+)+)(?:\s|$|:)`)
)

// mention notes the keys that comments name: `# key: value`, `## @param some.key`.
func (shape *shape) mention(content []byte) {
	lines := bufio.NewScanner(bytes.NewReader(content))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if match := commentedKey.FindSubmatch(lines.Bytes()); match != nil {
			shape.mentioned[string(match[1])] = true
		}
		if match := parameter.FindSubmatch(lines.Bytes()); match != nil {
			for _, word := range strings.Split(string(match[1]), ".") {
				shape.mentioned[word] = true
			}
		}
	}
}

func put(tree map[string]any, value any, path ...string) {
	for _, key := range path[:len(path)-1] {
		if tree[key] == nil {
			tree[key] = map[string]any{}
		}
		tree = tree[key].(map[string]any)
	}
	tree[path[len(path)-1]] = value
}

// writeShapes writes them and removes those that no release names any more.
func writeShapes(directory string, files map[string]any) error {
	for name, shape := range files {
		if err := writeLine(filepath.Join(directory, "charts", name), shape); err != nil {
			return err
		}
	}
	named, err := namedShapes(directory)
	if err != nil {
		return err
	}
	return removeExcept(filepath.Join(directory, "charts"), named)
}

// namedShapes collects the files that the indexes of all releases name.
func namedShapes(directory string) (map[string]bool, error) {
	indexes, err := filepath.Glob(filepath.Join(directory, "*/values.json"))
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, index := range indexes {
		value, err := readJSON(index)
		if err != nil {
			return nil, err
		}
		eachLeaf(object(value, "components"), "", func(_ string, file any) { named[fmt.Sprint(file)] = true })
	}
	applications, err := filepath.Glob(filepath.Join(directory, "*/applications.json"))
	if err != nil {
		return nil, err
	}
	for _, index := range applications {
		value, err := readJSON(index)
		if err != nil {
			return nil, err
		}
		for _, kind := range object(value, "kinds") {
			named[text(kind, "chart")] = true
		}
	}
	return named, nil
}
