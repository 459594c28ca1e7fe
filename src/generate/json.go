package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// lineWidth is how much of a value is put on one line before it is broken up.
const lineWidth = 160

// writeJSON writes a value for people to compare: keys sorted, one space of indentation, short values on one line.
func writeJSON(path string, value any) error {
	line, err := compact(value)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if value, err = parseJSON(line); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	var out bytes.Buffer
	if err := write(&out, value, 0); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	out.WriteByte('\n')
	return writeFile(path, out.Bytes())
}

// writeLine writes a value for programs: one line.
func writeLine(path string, value any) error {
	text, err := compact(value)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return writeFile(path, append(text, '\n'))
}

func writeFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}

func write(out *bytes.Buffer, value any, depth int) error {
	line, err := compact(value)
	if err != nil {
		return err
	}
	if depth+len(line) <= lineWidth {
		out.Write(line)
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		return writeBlock(out, '{', '}', depth, slices.Sorted(maps.Keys(value)), func(key string) error {
			name, err := compact(key)
			if err != nil {
				return err
			}
			out.Write(name)
			out.WriteString(": ")
			return write(out, value[key], depth+1)
		})
	case []any:
		return writeBlock(out, '[', ']', depth, value, func(item any) error { return write(out, item, depth+1) })
	}
	out.Write(line)
	return nil
}

func writeBlock[T any](out *bytes.Buffer, open, end byte, depth int, items []T, each func(T) error) error {
	out.WriteByte(open)
	for i, item := range items {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n" + strings.Repeat(" ", depth+1))
		if err := each(item); err != nil {
			return err
		}
	}
	out.WriteString("\n" + strings.Repeat(" ", depth))
	out.WriteByte(end)
	return nil
}

// compact is JSON on one line, keys sorted, without the escapes that only HTML needs.
func compact(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimRight(out.Bytes(), "\n"), err
}

func readJSON(path string) (any, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	value, err := parseJSON(content)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return value, nil
}

// parseJSON keeps numbers as they are written.
func parseJSON(content []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	return value, err
}

func parseYAML(content []byte) (any, error) {
	content, err := yaml.YAMLToJSON(content)
	if err != nil {
		return nil, err
	}
	return parseJSON(content)
}

// object, list, text and flag read a value out of nested maps; what is absent or of another type is the zero value.
func object(value any, path ...string) map[string]any {
	found, _ := at(value, path).(map[string]any)
	return found
}

func list(value any, path ...string) []any {
	found, _ := at(value, path).([]any)
	return found
}

func text(value any, path ...string) string {
	found, _ := at(value, path).(string)
	return found
}

func flagged(value any, path ...string) bool {
	found, _ := at(value, path).(bool)
	return found
}

func at(value any, path []string) any {
	for _, key := range path {
		parent, _ := value.(map[string]any)
		value = parent[key]
	}
	return value
}

func sortedKeys[K cmp.Ordered, V any](values map[K]V) []K { return slices.Sorted(maps.Keys(values)) }
