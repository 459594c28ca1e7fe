package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// writeKubernetes writes the built-in kinds of versions of Kubernetes: an index for each minor, and the schemas, which they share.
func writeKubernetes(to string, versions []string) error {
	directory, keep := filepath.Join(to, "kubernetes"), map[string]bool{"schemas": true}
	schemas := map[string]any{}
	for _, version := range versions {
		index, err := builtInKinds(version, schemas)
		if err != nil {
			return err
		}
		name := minorOf(version) + ".json"
		keep[name] = true
		if err := writeJSON(filepath.Join(directory, name), index); err != nil {
			return err
		}
		fmt.Printf("kubernetes %s: %d kinds\n", version, len(object(index, "kinds")))
	}
	named := map[string]bool{}
	for file, schema := range schemas {
		named[file] = true
		if err := writeLine(filepath.Join(directory, "schemas", file), schema); err != nil {
			return err
		}
	}
	if err := removeExcept(filepath.Join(directory, "schemas"), named); err != nil {
		return err
	}
	return removeExcept(directory, keep)
}

var isVersion = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)

// minorOf is v1.35 of v1.35.4.
func minorOf(version string) string {
	return version[:strings.LastIndex(version, ".")]
}

// builtInKinds is the index of a version; what it names is added to the schemas.
func builtInKinds(version string, schemas map[string]any) (map[string]any, error) {
	if !isVersion.MatchString(version) {
		return nil, fmt.Errorf("version of Kubernetes %q: expected something like v1.35.4", version)
	}
	document, err := openAPI(version)
	if err != nil {
		return nil, err
	}
	definitions := cleanMap(object(document, "definitions")).(map[string]any)
	add := func(key, definition string) (string, error) {
		return addContent(schemas, strings.ReplaceAll(key, "/", "_"), selfContained(definitions, definition))
	}
	metadata, err := add("ObjectMeta", "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")
	if err != nil {
		return nil, err
	}
	kinds := map[string]any{}
	for key, resource := range persistentResources(document) {
		definition, found := definitionOf(definitions, key)
		if !found {
			return nil, fmt.Errorf("%s has no definition", key)
		}
		if resource["schema"], err = add(key, definition); err != nil {
			return nil, err
		}
		kinds[key] = resource
	}
	return map[string]any{"kinds": kinds, "metadata": metadata, "version": version}, nil
}

// openAPI fetches the module through the Go proxy, where its checksum is verified, and reads its OpenAPI document.
func openAPI(version string) (any, error) {
	command := exec.Command("go", "mod", "download", "-json", "k8s.io/kubernetes@"+version)
	command.Dir = os.TempDir()
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("download k8s.io/kubernetes@%s: %w", version, err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(output, &module); err != nil {
		return nil, err
	}
	return readJSON(filepath.Join(module.Dir, "api/openapi-spec/swagger.json"))
}

// resourcePath is the path of one object: what has one can be applied.
var resourcePath = regexp.MustCompile(`^/(?:api/(v1)|apis/([^/]+)/([^/]+))/(namespaces/\{namespace\}/)?([a-z]+)/\{name\}$`)

// persistentResources maps <group>/<version>/<kind> (the core group is `core`) to scope and plural of every kind that can be patched.
func persistentResources(document any) map[string]map[string]any {
	found := map[string]map[string]any{}
	for path, operations := range object(document, "paths") {
		match := resourcePath.FindStringSubmatch(path)
		patch := object(operations, "patch")
		if match == nil || patch == nil {
			continue
		}
		kind := object(patch, "x-kubernetes-group-version-kind")
		scope := "Cluster"
		if match[4] != "" {
			scope = "Namespaced"
		}
		found[resourceKey(kind)] = without(map[string]any{
			"scope":  scope,
			"plural": match[5],
			// Alpha and beta versions are off unless the administrator of the cluster turns them on.
			"offByDefault": strings.ContainsAny(text(kind, "version")[1:], "ab"),
		})
	}
	return found
}

func resourceKey(kind map[string]any) string {
	group := text(kind, "group")
	if group == "" {
		group = "core"
	}
	return group + "/" + text(kind, "version") + "/" + text(kind, "kind")
}

func definitionOf(definitions map[string]any, key string) (string, bool) {
	for _, name := range sortedKeys(definitions) {
		for _, kind := range list(definitions[name], "x-kubernetes-group-version-kind") {
			if resourceKey(kind.(map[string]any)) == key {
				return name, true
			}
		}
	}
	return "", false
}

// selfContained is a definition with all that it refers to.
func selfContained(definitions map[string]any, name string) any {
	needed := map[string]any{}
	collect(definitions, name, needed)
	return map[string]any{"$ref": "#/definitions/" + name, "definitions": needed}
}

func collect(definitions map[string]any, name string, needed map[string]any) {
	if needed[name] != nil {
		return
	}
	definition := object(definitions, name)
	copied := map[string]any{}
	for keyword, value := range definition {
		if keyword != "x-kubernetes-group-version-kind" {
			copied[keyword] = value
		}
	}
	needed[name] = copied
	eachReference(definition, func(reference string) { collect(definitions, reference, needed) })
}

func eachReference(value any, visit func(string)) {
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			if reference, ok := child.(string); ok && key == "$ref" {
				visit(strings.TrimPrefix(reference, "#/definitions/"))
			} else {
				eachReference(child, visit)
			}
		}
	case []any:
		for _, child := range value {
			eachReference(child, visit)
		}
	}
}
