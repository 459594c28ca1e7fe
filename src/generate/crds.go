package main

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

var definesCRD = regexp.MustCompile(`(?m)^kind: *['"]?CustomResourceDefinition\b`)

// candidate is one CustomResourceDefinition of one file.
type candidate struct {
	name       string
	file       string
	definition any
	// by lists the components that install it, as `<package>/<component>`, those that the platform emits first.
	by   []string
	rank int
}

// Ranks of a candidate, best first.
const (
	operatorInstalls  = iota // the operator applies it itself, or Flux's own manifests hold it
	emittedInstalls          // a component of a Package that the platform emits renders it
	emittedHolds             // the chart of such a component holds the file, for a template or the operator in it to read
	componentInstalls        // a component of a Package that the platform does not emit renders it
	componentHolds
	nobodyInstalls
)

func readCRDs(from string, sources sources, platform platform) (map[string]any, map[string]any, error) {
	candidates, err := findCRDs(from)
	if err != nil {
		return nil, nil, err
	}
	if err := rank(from, candidates, sources, platform); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.rank, b.rank), cmp.Compare(a.file, b.file))
	})
	kinds, duplicates, schemas := map[string]any{}, map[string]any{}, map[string]any{}
	for i, candidate := range candidates {
		if i > 0 && candidates[i-1].name == candidate.name {
			continue
		}
		key := text(candidate.definition, "spec", "group") + "/" + text(candidate.definition, "spec", "names", "kind")
		if kinds[key] != nil {
			return nil, nil, fmt.Errorf("%s is defined by two names", key)
		}
		if kinds[key], err = candidate.entry(schemas); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", candidate.name, err)
		}
		others, err := candidate.others(candidates[i+1:])
		if err != nil {
			return nil, nil, err
		}
		if others != nil {
			duplicates[candidate.name] = others
		}
	}
	return map[string]any{"kinds": kinds, "duplicates": duplicates}, schemas, nil
}

// findCRDs reads every definition in the charts and in what the operator carries with it.
func findCRDs(from string) ([]candidate, error) {
	var found []candidate
	for _, top := range []string{"packages", "internal/crdinstall", "internal/fluxinstall"} {
		err := filepath.WalkDir(filepath.Join(from, top), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)) {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil || !definesCRD.Match(content) {
				return err
			}
			file, err := filepath.Rel(from, path)
			if err != nil {
				return err
			}
			all, err := definitions(content)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			for _, definition := range all {
				found = append(found, candidate{name: text(definition, "metadata", "name"), file: filepath.ToSlash(file), definition: definition})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// definitions parses the custom resource definitions in a file, which may be a template.
func definitions(content []byte) ([]any, error) {
	var found []any
	for _, document := range documents(content) {
		if !definesCRD.Match(document) {
			continue
		}
		value, err := parseYAML(document)
		if err != nil {
			value, err = parseYAML(blankActions(document))
		}
		if err != nil {
			return nil, err
		}
		found = append(found, value)
	}
	return found, nil
}

var (
	actionLine = regexp.MustCompile(`(?m)^[ \t]*(\{\{.*?\}\}[ \t]*)+$`)
	action     = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
)

// blankActions takes template actions out of YAML. In definitions they stand in metadata, conversion and descriptions, never
// in a schema, so it does not matter what they would become.
func blankActions(content []byte) []byte {
	return action.ReplaceAll(actionLine.ReplaceAll(content, nil), []byte("x"))
}

// documents splits a YAML stream.
func documents(content []byte) [][]byte {
	reader := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(content)))
	var found [][]byte
	for {
		document, err := reader.Read()
		if err != nil {
			return found
		}
		found = append(found, document)
	}
}

// rank says for every candidate who installs it.
func rank(from string, candidates []candidate, sources sources, platform platform) error {
	emitted := map[string]bool{}
	for _, variant := range platform.variants {
		variant.mark(emitted)
	}
	charts := map[string][]string{}
	sources.each(func(source, _, name string, component any) {
		path := "packages/" + text(component, "path")
		if by := source + "/" + name; object(component, "install") != nil && !slices.Contains(charts[path], by) {
			charts[path] = append(charts[path], by)
		}
	})
	installed := map[string]map[string]bool{}
	for i := range candidates {
		candidate := &candidates[i]
		chart := chartOf(candidate.file)
		if _, known := installed[chart]; !known && charts[chart] != nil {
			names, err := installedCRDs(filepath.Join(from, chart))
			if err != nil {
				return err
			}
			installed[chart] = names
		}
		candidate.place(charts[chart], installed[chart][candidate.name], emitted)
	}
	return nil
}

// chartOf is the component's chart that a file belongs to: packages/<group>/<name>.
func chartOf(file string) string {
	parts := strings.Split(file, "/")
	if len(parts) < 4 || parts[0] != "packages" {
		return ""
	}
	return strings.Join(parts[:3], "/")
}

func (candidate *candidate) place(by []string, installed bool, emitted map[string]bool) {
	isEmitted := func(component string) bool { return emitted[component[:strings.LastIndex(component, "/")]] }
	held := installed || !strings.Contains(candidate.file, "/templates/") && !strings.Contains(candidate.file, "/crds/")
	switch {
	case strings.HasPrefix(candidate.file, "internal/"):
		candidate.rank, candidate.by = operatorInstalls, []string{"operator"}
		return
	case !held || len(by) == 0:
		candidate.rank = nobodyInstalls
		return
	case slices.ContainsFunc(by, isEmitted):
		candidate.rank = emittedInstalls
	default:
		candidate.rank = componentInstalls
	}
	if !installed {
		candidate.rank++
	}
	candidate.by = slices.Clone(by)
	slices.SortFunc(candidate.by, func(a, b string) int {
		return cmp.Or(compareBool(isEmitted(b), isEmitted(a)), cmp.Compare(a, b))
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// entry describes a kind in the index and puts the schemas of its versions among the others.
func (candidate candidate) entry(schemas map[string]any) (any, error) {
	spec := object(candidate.definition, "spec")
	versions := map[string]any{}
	for _, version := range list(spec, "versions") {
		name := text(version, "name")
		file, err := addSchema(schemas, candidate.name, name, object(version, "schema", "openAPIV3Schema"))
		if err != nil {
			return nil, err
		}
		versions[name] = without(map[string]any{
			"schema":     file,
			"storage":    flagged(version, "storage"),
			"unserved":   !flagged(version, "served"),
			"deprecated": flagged(version, "deprecated"),
		})
	}
	return without(map[string]any{
		"plural":   text(spec, "names", "plural"),
		"scope":    text(spec, "scope"),
		"file":     candidate.file,
		"by":       items(candidate.by),
		"versions": versions,
	}), nil
}

// addSchema names a schema by its content. crd is `<plural>.<group>`.
func addSchema(schemas map[string]any, crd, version string, schema map[string]any) (string, error) {
	plural, group, _ := strings.Cut(crd, ".")
	return addContent(schemas, fmt.Sprintf("%s_%s_%s", group, plural, version), clean(schema))
}

// addContent gives the name of a file that holds the value: the one given, with a hash of the content.
func addContent(schemas map[string]any, name string, value any) (string, error) {
	content, err := compact(value)
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256(content)
	file := fmt.Sprintf("%s_%s.json", name, hex.EncodeToString(hash[:4]))
	schemas[file] = value
	return file, nil
}

// others describes the files that define the same resource, and which of them say something else.
func (candidate candidate) others(rest []candidate) (any, error) {
	var files []any
	for _, other := range rest {
		if other.name != candidate.name {
			break
		}
		ours, theirs := map[string]any{}, map[string]any{}
		if _, err := candidate.entry(ours); err != nil {
			return nil, err
		}
		if _, err := other.entry(theirs); err != nil {
			return nil, err
		}
		files = append(files, map[string]any{"file": other.file, "same": slices.Equal(sortedKeys(ours), sortedKeys(theirs))})
	}
	if files == nil {
		return nil, nil
	}
	return map[string]any{"chosen": candidate.file, "others": files}, nil
}
