package charts

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
)

// A File of a chart; its name is relative to the chart, with slashes.
type File struct {
	Name string
	Data []byte
}

// A Library is a chart that is put below `charts/`.
type Library struct {
	Name  string
	Files []File
}

// Assemble gives the files of the chart that source-watcher makes of a component: the component's own, those of each library over what
// is below `charts/`, and as values.yaml the first of `valuesFiles` with the others merged into it.
func Assemble(component []File, libraries []Library, valuesFiles []string) ([]File, error) {
	files := map[string][]byte{}
	for _, file := range component {
		files[file.Name] = file.Data
	}
	for _, library := range libraries {
		for _, file := range library.Files {
			files[path.Join("charts", library.Name, file.Name)] = file.Data
		}
	}
	for i, name := range valuesFiles {
		given, ok := own(component, name)
		if !ok {
			return nil, fmt.Errorf("failed to apply copy operation: source '%s' does not exist", name)
		}
		if before, there := files[valuesName]; i > 0 && there {
			merged, err := merge(before, given)
			if err != nil {
				return nil, fmt.Errorf("failed to copy file '%s': %w", name, err)
			}
			given = merged
		}
		files[valuesName] = given
	}
	out := make([]File, 0, len(files))
	for name, data := range files {
		out = append(out, File{name, data})
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

const valuesName = "values.yaml"

func own(files []File, name string) ([]byte, bool) {
	name = path.Clean(name)
	for _, file := range files {
		if file.Name == name {
			return file.Data, true
		}
	}
	return nil, false
}

func merge(base, overlay []byte) ([]byte, error) {
	before, err := documents(base)
	if err != nil {
		return nil, err
	}
	over, err := documents(overlay)
	if err != nil {
		return nil, err
	}
	return yaml.Marshal(loader.MergeMaps(before, over))
}

// documents are merged into one.
func documents(text []byte) (map[string]any, error) {
	out := map[string]any{}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		raw, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("error reading YAML document: %w", err)
		}
		one := map[string]any{}
		if err := yaml.Unmarshal(raw, &one); err != nil {
			return nil, fmt.Errorf("cannot unmarshal YAML document: %w", err)
		}
		out = loader.MergeMaps(out, one)
	}
}

var byteOrderMark = []byte{0xEF, 0xBB, 0xBF}

// packed gives files as Helm reads them out of an archive (archive.LoadArchiveFiles), whose bounds it has.
func packed(files []File) ([]*archive.BufferedFile, error) {
	out := make([]*archive.BufferedFile, 0, len(files))
	left := archive.MaxDecompressedChartSize
	for _, file := range files {
		size := int64(len(file.Data))
		if size > archive.MaxDecompressedFileSize {
			return nil, fmt.Errorf("decompressed chart file %q is larger than the maximum file size %d", file.Name, archive.MaxDecompressedFileSize)
		}
		if left -= size; left <= 0 {
			return nil, fmt.Errorf("decompressed chart is larger than the maximum size %d", archive.MaxDecompressedChartSize)
		}
		if name := path.Clean(file.Name); path.IsAbs(name) || name == "." || strings.HasPrefix(name, "..") {
			return nil, fmt.Errorf("chart illegally contains content outside the base directory: %q", file.Name)
		}
		out = append(out, &archive.BufferedFile{Name: path.Clean(file.Name), Data: bytes.TrimPrefix(file.Data, byteOrderMark)})
	}
	return out, nil
}
