package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"sort"
	"strconv"
	"strings"
)

// A patch is one concern of the engine in upstream's code.
type patch struct {
	name  string
	edits []edit
	files []file
}

// An edit changes one file of a module.
type edit struct {
	module, file string
	why          string
	do           []operation
}

// A file is added to a module or deleted from it.
type file struct {
	module, path string
	// from is where its text is, relative to the engine's module or, if it was made, to the build folder; a deleted one has none.
	from string
	made bool
	why  string
}

// folders are the places below _files/ of what is added to the modules, at the paths that it gets there.
var folders = map[string]string{api: "api", kyaml: "kyaml", yaml3: "yaml3", protobuf: "protobuf", apimachinery: "apimachinery", componentBase: "component-base", helm: "helm"}

// add puts a file of _files/ into a module.
func add(module, at, why string) file {
	return file{module: module, path: at, from: path.Join("patch/_files", folders[module], at), why: why}
}

// made puts a file of the build folder into a module.
func made(module, at, from, why string) file {
	return file{module: module, path: at, from: from, made: true, why: why}
}

// drop deletes a file of a module, or those that a pattern names.
func drop(module, at, why string) file { return file{module: module, path: at, why: why} }

// An operation finds its place in a file and records what to write there.
type operation func(*source) error

// source is a file that is being edited. Changes are recorded by offset in the original and applied at the end.
type source struct {
	text    []byte
	set     *token.FileSet
	tree    *ast.File
	changes []change
}

type change struct {
	from, to int
	text     string
}

// apply returns the edited text, which keeps upstream's line numbers up to the first added file.
func apply(name string, text []byte, operations []operation) ([]byte, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	s := &source{text: text, set: set, tree: tree}
	for _, do := range operations {
		if err := do(s); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	sort.SliceStable(s.changes, func(i, j int) bool { return s.changes[i].from < s.changes[j].from })
	var out []byte
	at := 0
	for _, c := range s.changes {
		if c.from < at {
			return nil, fmt.Errorf("%s: two edits overlap at %q", name, c.text)
		}
		out = append(append(out, text[at:c.from]...), c.text...)
		at = c.to
	}
	out = append(out, text[at:]...)
	if _, err := format.Source(out); err != nil {
		return nil, fmt.Errorf("%s: the result does not parse: %w", name, err)
	}
	return out, nil
}

// rename gives a function another name; a method is written (*T).M.
func rename(function, to string) operation {
	return func(s *source) error {
		f, err := s.function(function)
		if err != nil {
			return err
		}
		s.write(f.Name.Pos(), f.Name.End(), to)
		return nil
	}
}

// remove drops a function.
func remove(function string) operation {
	return func(s *source) error {
		f, err := s.function(function)
		if err != nil {
			return err
		}
		from := f.Pos()
		if f.Doc != nil {
			from = f.Doc.Pos()
		}
		s.write(from, f.End(), "")
		return nil
	}
}

// body replaces what a function does.
func body(function, text string) operation {
	return func(s *source) error {
		f, err := s.function(function)
		if err != nil {
			return err
		}
		s.write(f.Body.Lbrace, f.Body.Rbrace+1, "{ "+text)
		s.changes[len(s.changes)-1].text += " }"
		return nil
	}
}

// swap replaces a text that stands exactly once in the named function, or in the file if the name is empty.
func swap(function, old, text string) operation {
	return func(s *source) error {
		from, to := 0, len(s.text)
		if function != "" {
			f, err := s.function(function)
			if err != nil {
				return err
			}
			from, to = s.offset(f.Pos()), s.offset(f.End())
		}
		if n := bytes.Count(s.text[from:to], []byte(old)); n != 1 {
			return fmt.Errorf("%q stands %d times in %s", old, n, function)
		}
		from += bytes.Index(s.text[from:to], []byte(old))
		s.changes = append(s.changes, change{from, from + len(old), text})
		return nil
	}
}

// before puts a statement before a text that stands exactly once in the function, after puts it behind.
func before(function, old, text string) operation { return swap(function, old, text+"; "+old) }
func after(function, old, text string) operation  { return swap(function, old, old+"; "+text) }

// field adds a field to a struct.
func field(name, text string) operation {
	return func(s *source) error {
		for _, d := range s.tree.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				t, ok := spec.(*ast.TypeSpec)
				if !ok || t.Name.Name != name {
					continue
				}
				st, ok := t.Type.(*ast.StructType)
				if !ok {
					return fmt.Errorf("%s is no struct", name)
				}
				s.write(st.Fields.Opening+1, st.Fields.Opening+1, " "+text+";")
				return nil
			}
		}
		return fmt.Errorf("no struct %s", name)
	}
}

// imports adds an import.
func imports(path string) operation {
	return func(s *source) error {
		s.write(s.tree.Name.End(), s.tree.Name.End(), "; import "+strconv.Quote(path))
		return nil
	}
}

// unimport drops an import that nothing needs any more.
func unimport(path string) operation {
	return func(s *source) error {
		for _, i := range s.tree.Imports {
			if i.Path.Value == strconv.Quote(path) {
				s.write(i.Pos(), i.End(), "")
				return nil
			}
		}
		return fmt.Errorf("no import of %q", path)
	}
}

func (s *source) offset(p token.Pos) int { return s.set.Position(p).Offset }

// write records a change and keeps the number of lines.
func (s *source) write(from, to token.Pos, text string) {
	a, z := s.offset(from), s.offset(to)
	lines := bytes.Count(s.text[a:z], []byte("\n")) - strings.Count(text, "\n")
	s.changes = append(s.changes, change{a, z, text + strings.Repeat("\n", max(0, lines))})
}

func (s *source) function(name string) (*ast.FuncDecl, error) {
	for _, d := range s.tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && nameOf(f) == name {
			return f, nil
		}
	}
	return nil, fmt.Errorf("no function %s", name)
}

func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := f.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		return fmt.Sprintf("(*%s).%s", star.X.(*ast.Ident).Name, f.Name.Name)
	}
	return fmt.Sprintf("(%s).%s", receiver.(*ast.Ident).Name, f.Name.Name)
}
