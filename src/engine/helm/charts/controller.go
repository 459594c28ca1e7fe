package charts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	yaml3 "go.yaml.in/yaml/v3"

	chart "helm.sh/helm/v4/pkg/chart/v2"
)

// helm-controller passes what Helm has rendered through kustomize, to label it, before Helm sorts it (internal/postrender/build.go): each
// document is read by kyaml (kio.ParseAll), kept in a map by its id (resmap), and written as JSON. What it refuses is refused here, and values
// are as it reads them; the two labels are not added.

// A document of a template's output, as kyaml reads it. Where a template's output is the same in another render, its documents are.
type document struct {
	template string
	object   map[string]any
	// inList says that it came from a list of another kind than List.
	inList bool
	// node is the object as it is written, where it is no part of a list and its labels are wrong.
	node *yaml3.Node
	// broken is what kustomize says when it writes the object, at last.
	broken error
	// text is the object as JSON, once it was written.
	text json.RawMessage
}

func (d *document) written() (json.RawMessage, error) {
	if d.text != nil {
		return d.text, nil
	}
	text, err := json.Marshal(d.object)
	d.text = text
	return text, err
}

// postRendered is sorted, for what helm-controller makes of the templates' output.
func (c *Chart) postRendered(loaded *chart.Chart, files map[string]string) ([]Object, *Failure) {
	var documents []*document
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasPrefix(path.Base(name), "_") || strings.TrimSpace(files[name]) == "" {
			continue
		}
		found, err := c.documents.of(written{name, files[name]}, documentsOf)
		if err != nil {
			return nil, rejected([]string{name}, fmt.Errorf("error merging manifests: parsing %s: %w", name, err))
		}
		documents = append(documents, found...)
	}
	documents, failure := distinct(documents)
	if failure != nil {
		return nil, failure
	}
	for _, one := range documents {
		if err := labelled(one); err != nil {
			return nil, rejected([]string{one.template}, postRender(err))
		}
	}
	out := make([]Object, len(documents))
	stubs := map[string]*strings.Builder{}
	for i, one := range documents {
		if one.broken != nil {
			return nil, rejected([]string{one.template}, postRender(one.broken))
		}
		text, err := one.written()
		if err != nil {
			return nil, rejected([]string{one.template}, postRender(err))
		}
		out[i] = Object{Template: one.template, Object: text}
		stub, err := json.Marshal(map[string]any{"apiVersion": one.object["apiVersion"], "kind": one.object["kind"], "metadata": one.object["metadata"]})
		if err != nil {
			return nil, rejected([]string{one.template}, postRender(err))
		}
		file := one.template
		if one.inList {
			file = fmt.Sprintf("generated-by-postrender-%d.yaml", i) // Helm does not find its file again
		}
		if stubs[file] == nil {
			stubs[file] = &strings.Builder{}
		}
		fmt.Fprintf(stubs[file], "---\n%s%d\n%s\n", stubMark, i, stub)
	}
	stands := map[string]string{}
	for name, stub := range stubs {
		stands[name] = stub.String()
	}
	return c.sorted(loaded, stands, func(objects []Object, of Object, text string) ([]Object, error) {
		at := 0
		if _, err := fmt.Sscanf(text, stubMark+"%d", &at); err != nil {
			return parsed(objects, of, text)
		}
		of.Template = out[at].Template
		if _, isList := documents[at].object["items"].([]any); isList {
			return parsed(objects, of, string(out[at].Object))
		}
		if end := lastText(documents[at].object); end != nil && end.trim() {
			documents[at].text = nil
		}
		var err error
		of.Object, err = documents[at].written()
		return append(objects, of), err
	})
}

// stubMark is a comment before what stands for a document where Helm sorts, which looks at no more of it.
const stubMark = "# document "

func rejected(templates []string, err error) *Failure {
	failure := fail("post-render", err)
	failure.Templates = templates
	if strings.Contains(failure.Message, tooDeep) {
		failure.Stage = "limit"
	}
	return failure
}

func postRender(err error) error {
	return fmt.Errorf("error while running post render on files: %w", err)
}

var separator = regexp.MustCompile(`\n---.*\n`)

// documentsOf are those of one file (kio.ByteReader).
func documentsOf(file written) ([]*document, error) {
	values, err := split(strings.ReplaceAll(file.text, "\r\n", "\n"))
	if err != nil {
		return nil, err
	}
	var out []*document
	for _, value := range values {
		var node yaml3.Node
		if err := yaml3.NewDecoder(strings.NewReader(value)).Decode(&node); errors.Is(err, io.EOF) {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("MalformedYAMLError: %w", err)
		}
		if len(node.Content) == 0 || node.Content[0].Tag == "!!null" {
			continue
		}
		if kind := node.Content[0].Kind; kind != yaml3.MappingNode {
			return nil, fmt.Errorf("wrong node kind: expected MappingNode but got %s: node contents:\n%s", kindNames[kind], value)
		}
		asWritten(&node)
		object, broken := decoded(&node)
		if err := annotatable(object, node.Content[0]); err != nil {
			return nil, err
		}
		if items, ok := object["items"].([]any); ok && len(values) == 1 && object["kind"] == "List" {
			for _, item := range items {
				one, _ := item.(map[string]any)
				out = append(out, &document{template: file.name, object: one, broken: broken})
			}
			continue
		}
		one := &document{template: file.name, object: object, broken: broken}
		if metadata, _ := object["metadata"].(map[string]any); noMap(metadata["labels"], nil) != nil {
			one.node = node.Content[0]
		}
		out = append(out, one)
	}
	return out, nil
}

// annotatable is Helm's error where it cannot write the name of the file into an object. It writes over annotations that are a text or a number.
func annotatable(object map[string]any, node *yaml3.Node) error {
	metadata, isMap := object["metadata"].(map[string]any)
	written := field(node, "metadata")
	if !isMap {
		return noMap(object["metadata"], written)
	}
	if list, ok := metadata["annotations"].([]any); ok && len(list) > 0 {
		return noMap(list, field(written, "annotations"))
	}
	return nil
}

// field is what stands below a key, if anything does.
func field(node *yaml3.Node, name string) *yaml3.Node {
	for i := 0; node != nil && i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i+1]
		}
	}
	return nil
}

// labelled is the error of the labels that helm-controller adds, where there are such that are no map.
func labelled(one *document) error {
	metadata, _ := one.object["metadata"].(map[string]any)
	if err := noMap(metadata["labels"], field(field(one.node, "metadata"), "labels")); err != nil {
		found := metaOf(one)
		return fmt.Errorf("considering field 'metadata/labels' of object %s: %w", found.id().of(found.Namespace), err)
	}
	return nil
}

// noMap is kyaml's error for what is there and is no map, with the text of it as it is written.
func noMap(value any, node *yaml3.Node) error {
	kind := yaml3.ScalarNode
	switch value.(type) {
	case nil, map[string]any, map[any]any:
		return nil
	case []any:
		kind = yaml3.SequenceNode
	}
	var text strings.Builder
	encoder := yaml3.NewEncoder(&text)
	if node != nil {
		_ = encoder.Encode(node)
	}
	return fmt.Errorf("wrong node kind: expected MappingNode but got %s: node contents:\n%s", kindNames[kind], text.String())
}

var kindNames = map[yaml3.Kind]string{yaml3.SequenceNode: "SequenceNode", yaml3.ScalarNode: "ScalarNode", yaml3.AliasNode: "AliasNode"}

func split(content string) ([]string, error) {
	var out []string
	from := 0
	for _, at := range separator.FindAllStringIndex(content, -1) {
		line := content[at[0]:at[1]]
		if rest := strings.TrimSpace(line[4:]); rest != "" && rest[0] != '#' {
			return nil, fmt.Errorf("invalid document separator: %s", strings.TrimSpace(line))
		}
		out = append(out, content[from:at[0]]+"\n")
		from = at[1]
	}
	return append(out, content[from:]), nil
}

// asWritten makes texts of those times that are no times any more when kyaml has written them: without a T.
func asWritten(node *yaml3.Node) {
	if node.Tag == "!!timestamp" && node.Style == 0 && len(node.Value) > len("2006-01-02") && !strings.Contains(node.Value, "T") {
		node.Tag = "!!str"
	}
	for _, inner := range node.Content {
		asWritten(inner)
	}
}

// decoded is an object, as far as it can be read.
func decoded(node *yaml3.Node) (map[string]any, error) {
	object := map[string]any{}
	err := node.Decode(&object)
	if err != nil {
		err = fmt.Errorf("map[string]interface {}(nil): %w", err)
		fields := node.Content[0].Content
		for i := 0; i+1 < len(fields) && len(object) < len(fields)/2; i += 2 {
			var value any
			_ = fields[i+1].Decode(&value)
			object[fields[i].Value] = value
		}
	}
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	for _, name := range []string{"config.kubernetes.io/index", "internal.config.kubernetes.io/index"} {
		delete(annotations, name)
	}
	list, _ := metadata["annotations"].([]any)
	if _, isOdd := metadata["annotations"].(map[any]any); !isOdd && len(annotations) == 0 && len(list) == 0 {
		delete(metadata, "annotations")
	}
	return object, err
}

// distinct gives the documents with those of lists in the place of the lists, if each has a kind and a name, and none is there twice
// (resource.Factory, resmap.Append).
func distinct(documents []*document) ([]*document, *Failure) {
	var out []*document
	before := map[id]string{}
	for len(documents) > 0 {
		one := documents[0]
		documents = documents[1:]
		if len(one.object) == 0 && one.inList {
			continue
		}
		found := metaOf(one)
		isList := strings.HasSuffix(found.Kind, "List")
		items, hasItems := one.object["items"]
		list, ok := items.([]any)
		var err error
		switch {
		case found.Kind == "":
			err = fmt.Errorf("missing kind in object %v", found)
		case isList && hasItems && !ok && items != nil:
			err = fmt.Errorf("expected array in %s/items, but found %T", found.Kind, items)
		case !isList && found.Name == "":
			err = fmt.Errorf("missing metadata.name in object %v", found)
		case before[found.id()] != "" && !(isList && hasItems):
			err = fmt.Errorf("may not add resource with an already registered id: %s", found.id().of(found.Namespace))
		}
		if err != nil {
			return nil, rejected(append(strings.Fields(before[found.id()]), one.template), postRender(err))
		}
		if !isList || !hasItems {
			before[found.id()] = one.template
			out = append(out, one)
		}
		for _, item := range list {
			if inner, ok := item.(map[string]any); ok && isList {
				documents = append(documents, &document{template: one.template, object: inner, inList: true})
			}
		}
	}
	return out, nil
}

// textOf is what kyaml takes a scalar for.
func textOf(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

// meta is kyaml's ResourceMeta, and is printed like it.
type meta struct {
	typeMeta
	objectMeta
}

type typeMeta struct{ APIVersion, Kind string }

type objectMeta struct {
	nameMeta
	Labels, Annotations map[string]string
}

type nameMeta struct{ Name, Namespace string }

// fileNote is the annotation by which Helm finds the file of an object again.
const fileNote = "postrenderer.helm.sh/postrender-filename"

func metaOf(of *document) meta {
	metadata, _ := of.object["metadata"].(map[string]any)
	texts := func(name string) map[string]string {
		out := map[string]string{}
		values, _ := metadata[name].(map[string]any)
		for key, value := range values {
			out[key] = textOf(value)
		}
		return out
	}
	out := meta{
		typeMeta{textOf(of.object["apiVersion"]), textOf(of.object["kind"])},
		objectMeta{nameMeta{textOf(metadata["name"]), textOf(metadata["namespace"])}, texts("labels"), texts("annotations")},
	}
	if !of.inList {
		out.Annotations[fileNote] = of.template
	}
	return out
}

// An id is resid.ResId, with the namespace that kustomize compares. That some kinds of Kubernetes have none is left out of account.
type id struct{ group, version, kind, name, namespace string }

func (m meta) id() id {
	group, version, ok := strings.Cut(m.APIVersion, "/")
	if !ok {
		group, version = "", group
	}
	namespace := m.Namespace
	if namespace == "" {
		namespace = "default"
	}
	return id{group, version, m.Kind, m.Name, namespace}
}

// of prints it with the namespace that is written.
func (i id) of(namespace string) string {
	or := func(text, none string) string {
		if text == "" {
			return none
		}
		return text
	}
	return fmt.Sprintf("%s.%s.%s/%s.%s", i.kind, or(i.version, "[noVer]"), or(i.group, "[noGrp]"), i.name, or(namespace, "[noNs]"))
}

// An ending is the text that ends an object as it is written, with sorted keys. Helm trims each document, and with it a block of text, and one
// line end is put behind it again.
type ending struct {
	text string
	set  func(string)
}

func lastText(value any) *ending {
	set := func(string) {}
	for {
		switch inner := value.(type) {
		case map[string]any:
			if len(inner) == 0 {
				return nil
			}
			key := slices.Max(slices.Collect(maps.Keys(inner)))
			value, set = inner[key], func(text string) { inner[key] = text }
		case []any:
			if len(inner) == 0 {
				return nil
			}
			last := len(inner) - 1
			value, set = inner[last], func(text string) { inner[last] = text }
		case string:
			return &ending{inner, set}
		default:
			return nil
		}
	}
}

// trim leaves one of several line ends of a text that is written as a block.
func (e *ending) trim() bool {
	kept := strings.TrimRight(e.text, "\n")
	if len(e.text)-len(kept) < 2 || !isBlock(e.text) {
		return false
	}
	e.set(kept + "\n")
	return true
}

// isBlock says whether the YAML library writes a text of several lines as a block (yaml_emitter_analyze_scalar).
func isBlock(text string) bool {
	special := func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }
	return !strings.Contains(text, " \n") && !strings.ContainsFunc(text, special)
}
