package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// platformValues maps the path of every value that the platform chart declares or reads to the type of its default: string,
// integer, number, boolean, list, map (anything may stand in it) or any (it has no default).
func platformValues(directory string, variants []string) (map[string]any, error) {
	types := map[string]any{}
	for _, variant := range variants {
		values, err := variantValues(directory, variant)
		if err != nil {
			return nil, err
		}
		eachLeaf(values, "", func(path string, value any) {
			if types[path] == nil || types[path] == "any" {
				types[path] = typeOf(value)
			}
		})
	}
	read, err := valuesRead(filepath.Join(directory, "templates"))
	if err != nil {
		return nil, err
	}
	for path := range read {
		if !isDeclared(types, path) {
			types[path] = "any"
		}
	}
	return types, nil
}

func eachLeaf(value any, path string, visit func(string, any)) {
	children, ok := value.(map[string]any)
	if !ok || len(children) == 0 {
		visit(path, value)
		return
	}
	for name, child := range children {
		eachLeaf(child, strings.TrimPrefix(path+"."+name, "."), visit)
	}
}

func typeOf(value any) string {
	switch value := value.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "list"
	case map[string]any:
		return "map"
	case json.Number:
		if strings.ContainsAny(value.String(), ".eE") {
			return "number"
		}
		return "integer"
	}
	return "any"
}

var (
	templateComment = regexp.MustCompile(`(?s)\{\{-? ?/\*.*?\*/ ?-?\}\}`)
	directRead      = regexp.MustCompile(`\.Values\)*((?:\.\w+\)*)+)`)
	digRead         = regexp.MustCompile(`\bdig ((?:"\w+" )+)\S+ \(*(?:\$\w*)?\.Values((?:\.\w+)*)`)
	word            = regexp.MustCompile(`\w+`)
)

// valuesRead collects the paths of values that templates name: `.Values.a.b`, `((.Values.a).b)`, `dig "b" "" .Values.a`.
func valuesRead(directory string) (map[string]bool, error) {
	paths := map[string]bool{}
	err := filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		text := templateComment.ReplaceAllString(string(content), "")
		for _, match := range directRead.FindAllStringSubmatch(text, -1) {
			paths[strings.Join(word.FindAllString(match[1], -1), ".")] = true
		}
		for _, match := range digRead.FindAllStringSubmatch(text, -1) {
			keys := append(word.FindAllString(match[2], -1), word.FindAllString(match[1], -1)...)
			paths[strings.Join(keys, ".")] = true
		}
		return err
	})
	return paths, err
}

// isDeclared tells whether a path is a declared value, holds one, or stands in a map that holds anything.
func isDeclared(types map[string]any, path string) bool {
	for declared := range types {
		if declared == path || strings.HasPrefix(declared, path+".") || strings.HasPrefix(path, declared+".") {
			return true
		}
	}
	return false
}
