package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// asked are the methods by which an API server asks a strategy: rest.RESTCreateStrategy, rest.RESTUpdateStrategy and
// rest.ResetFieldsStrategy of k8s.io/apiserver.
var asked = []string{
	"AllowCreateOnUpdate", "AllowUnconditionalUpdate", "Canonicalize", "GetResetFields", "NamespaceScoped", "PrepareForCreate",
	"PrepareForUpdate", "Validate", "ValidateUpdate", "WarningsOnCreate", "WarningsOnUpdate",
}

// A declaration is a function, or one of the names that a var, const or type declares.
type declaration struct {
	file *source
	node ast.Node
	// receiver is the type of a method.
	receiver, name string
	kept           bool
}

type source struct {
	// module is the folder of the module that it is from.
	module string
	name   string
	text   []byte
	tree   *ast.File
}

// cut gives the files of a package of a module by name, with the declarations that a part of it needs.
func cut(from, folder string, kept part) (map[string][]byte, error) {
	set := token.NewFileSet()
	sources, err := read(set, from, folder)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	var all []*declaration
	if kept.instead != "" {
		file, err := ownSource(set, sources, kept.instead)
		if err != nil {
			return nil, err
		}
		sources = append(sources, file)
		for _, one := range declarations(file) {
			own[one.name] = true
		}
	}
	for _, file := range sources {
		for _, one := range declarations(file) {
			if file.name == ownName || one.receiver != "" || !own[one.name] {
				all = append(all, one)
			}
		}
	}
	if keep(all, kept.roots) == 0 {
		return nil, fmt.Errorf("there is no %s in %s", strings.Join(kept.roots, ", "), folder)
	}
	out := map[string][]byte{}
	for _, file := range sources {
		text, err := write(set, file, all)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.name, err)
		}
		if text != nil {
			out[file.name] = text
		}
	}
	return out, nil
}

func read(set *token.FileSet, from, folder string) ([]*source, error) {
	names, err := filepath.Glob(filepath.Join(from, folder, "*.go"))
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var out []*source
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(set, filepath.Base(name), text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		out = append(out, &source{from, filepath.Base(name), text, tree})
	}
	return out, nil
}

// ownName is the file of what is not upstream's.
const ownName = "own.go"

// ownSource is a file of the package with a text of ours, which may use what the package imports.
func ownSource(set *token.FileSet, sources []*source, text string) (*source, error) {
	var head bytes.Buffer
	fmt.Fprintf(&head, "package %s\n\n", sources[0].tree.Name.Name)
	seen := map[string]bool{}
	for _, file := range sources {
		for _, one := range file.tree.Imports {
			line := "import " + string(file.text[set.Position(one.Pos()).Offset:set.Position(one.End()).Offset])
			if one.Name != nil && !seen[line] {
				seen[line] = true
				fmt.Fprintln(&head, line)
			}
		}
	}
	head.WriteString("\n" + text)
	tree, err := parser.ParseFile(set, ownName, head.Bytes(), parser.ParseComments)
	if err != nil {
		return nil, err
	}
	return &source{sources[0].module, ownName, head.Bytes(), tree}, nil
}

func declarations(file *source) []*declaration {
	var out []*declaration
	for _, node := range file.tree.Decls {
		switch node := node.(type) {
		case *ast.FuncDecl:
			out = append(out, &declaration{file: file, node: node, receiver: receiverOf(node), name: node.Name.Name})
		case *ast.GenDecl:
			// All that one const, var or type declares stays together: the values of an iota count.
			for _, spec := range node.Specs {
				for _, name := range namesOf(spec) {
					out = append(out, &declaration{file: file, node: node, name: name})
				}
			}
		}
	}
	return out
}

func receiverOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of := f.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

func namesOf(spec ast.Spec) []string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []string{spec.Name.Name}
	case *ast.ValueSpec:
		var out []string
		for _, name := range spec.Names {
			// That a type is of an interface is the compiler's to say.
			if name.Name != "_" {
				out = append(out, name.Name)
			}
		}
		return out
	}
	return nil
}

// keep marks what the roots need and says how much that is. A method is needed where its type is, and somebody calls one of its name.
func keep(all []*declaration, roots []string) int {
	needed, called, kept := map[string]bool{}, map[string]bool{}, 0
	for _, name := range roots {
		needed[name] = true
	}
	for _, name := range asked {
		called[name] = true
	}
	for more := true; more; {
		more = false
		for _, one := range all {
			isNeeded := one.receiver == "" && needed[one.name] || one.receiver != "" && needed[one.receiver] && called[one.name]
			if one.kept || !isNeeded {
				continue
			}
			one.kept, more = true, true
			kept++
			ast.Inspect(one.node, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.SelectorExpr:
					called[node.Sel.Name] = true
				case *ast.Ident:
					needed[node.Name] = true
				}
				return true
			})
		}
	}
	return kept
}

// write is the file with what is kept of it; nil where that is nothing.
func write(set *token.FileSet, file *source, all []*declaration) ([]byte, error) {
	var body bytes.Buffer
	used, written := map[string]bool{}, map[ast.Node]bool{}
	texts, err := constantsFor(file)
	if err != nil {
		return nil, err
	}
	for _, one := range all {
		if one.file != file || !one.kept || written[one.node] {
			continue
		}
		written[one.node] = true
		at := func(pos token.Pos) int { return set.Position(pos).Offset }
		from := at(startOf(one.node))
		body.WriteString("\n")
		ast.Inspect(one.node, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			name, ok := selector.X.(*ast.Ident)
			if !ok {
				return true
			}
			if text, ok := texts[name.Name+"."+selector.Sel.Name]; ok {
				body.Write(file.text[from:at(selector.Pos())])
				body.WriteString(text)
				from = at(selector.End())
				return false
			}
			used[name.Name] = true
			return true
		})
		body.Write(file.text[from:at(one.node.End())])
		body.WriteString("\n")
	}
	if len(written) == 0 {
		return nil, nil
	}
	var out bytes.Buffer
	// The licence stands above everything else.
	out.Write(file.text[:set.Position(file.tree.Package).Offset])
	fmt.Fprintf(&out, "package %s\n\n", file.tree.Name.Name)
	for _, one := range file.tree.Imports {
		if name := one.Name; name != nil && used[name.Name] {
			fmt.Fprintf(&out, "import %s %s\n", name.Name, one.Path.Value)
		} else if name == nil && isUsed(one, used) {
			fmt.Fprintf(&out, "import %s\n", one.Path.Value)
		}
	}
	out.Write(body.Bytes())
	return format.Source(out.Bytes())
}

func startOf(node ast.Node) token.Pos {
	var doc *ast.CommentGroup
	switch node := node.(type) {
	case *ast.FuncDecl:
		doc = node.Doc
	case *ast.GenDecl:
		doc = node.Doc
	}
	if doc != nil {
		return doc.Pos()
	}
	return node.Pos()
}

// isUsed guesses the name of a package by its path: the last part, or the one before a version.
func isUsed(one *ast.ImportSpec, used map[string]bool) bool {
	where, err := strconv.Unquote(one.Path.Value)
	return err == nil && (used[path.Base(where)] || used[path.Base(path.Dir(where))] && strings.HasPrefix(path.Base(where), "v"))
}

// large are packages that are imported for a constant, and bring clients with them.
var large = regexp.MustCompile(`^k8s\.io/kubernetes/(pkg/controller|plugin)/`)

// constantsFor are the texts of what a file names of a large package, by how it names them.
func constantsFor(file *source) (map[string]string, error) {
	out := map[string]string{}
	for _, one := range file.tree.Imports {
		where, err := strconv.Unquote(one.Path.Value)
		if err != nil || !large.MatchString(where) {
			continue
		}
		name := path.Base(where)
		if one.Name != nil {
			name = one.Name.Name
		}
		sources, err := read(token.NewFileSet(), file.module, filepath.Join(strings.TrimPrefix(where, module+"/")))
		if err != nil {
			return nil, err
		}
		for _, other := range sources {
			for constant, text := range textsIn(other) {
				out[name+"."+constant] = text
			}
		}
	}
	return out, nil
}

func textsIn(file *source) map[string]string {
	out := map[string]string{}
	for _, node := range file.tree.Decls {
		group, ok := node.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			spec := spec.(*ast.ValueSpec)
			for i, value := range spec.Values {
				if text, ok := value.(*ast.BasicLit); ok && text.Kind == token.STRING {
					out[spec.Names[i].Name] = text.Value
				}
			}
		}
	}
	return out
}
