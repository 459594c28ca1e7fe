package main

import (
	"fmt"
	"path"
	"slices"
	"text/template/parse"

	chart "helm.sh/helm/v4/pkg/chart/v2"
)

// readByTemplates is the tree of the keys that the templates of a chart name, as far as that can be told without running them,
// and the paths of the maps that a template takes as a whole, so that anything may stand in them.
func readByTemplates(loaded *chart.Chart) (map[string]any, [][]string, error) {
	reader := reader{tree: map[string]any{}}
	for _, file := range loaded.Templates {
		if extension := path.Ext(file.Name); extension != ".yaml" && extension != ".yml" && extension != ".tpl" && extension != ".txt" {
			continue
		}
		tree := parse.New(file.Name)
		tree.Mode = parse.SkipFuncCheck
		trees := map[string]*parse.Tree{}
		if _, err := tree.Parse(string(file.Data), "", "", trees); err != nil {
			return nil, nil, fmt.Errorf("%s of %s: %w", file.Name, loaded.Name(), err)
		}
		for _, name := range sortedKeys(trees) {
			if root := trees[name].Root; root != nil {
				reader.list(root, scope{dot: place{}, variables: map[string]place{"$": {}}})
			}
		}
	}
	return reader.tree, reader.open, nil
}

type reader struct {
	tree map[string]any
	open [][]string
}

// place is what an expression stands for: a path in the values, or (known is false) anything else.
type place struct {
	known bool
	path  []string
}

type scope struct {
	dot       place
	variables map[string]place
}

// inner is the scope of a block; what is declared in it ends with it.
func (outer scope) inner(dot place) scope {
	variables := map[string]place{}
	for name, value := range outer.variables {
		variables[name] = value
	}
	return scope{dot, variables}
}

func (reader *reader) list(list *parse.ListNode, scope scope) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		switch node := node.(type) {
		case *parse.ActionNode:
			if value := reader.pipe(node.Pipe, scope); len(node.Pipe.Decl) == 0 {
				reader.take(value)
			}
		case *parse.TemplateNode:
			if node.Pipe != nil {
				reader.take(reader.pipe(node.Pipe, scope))
			}
		case *parse.IfNode:
			inner := scope.inner(scope.dot)
			reader.pipe(node.Pipe, inner)
			reader.list(node.List, inner)
			reader.list(node.ElseList, inner)
		case *parse.WithNode:
			inner := scope.inner(scope.dot)
			inner.dot = reader.pipe(node.Pipe, inner)
			reader.list(node.List, inner)
			reader.list(node.ElseList, scope.inner(scope.dot))
		case *parse.RangeNode:
			inner := scope.inner(scope.dot)
			reader.take(reader.pipe(node.Pipe, inner))
			for _, variable := range node.Pipe.Decl {
				inner.variables[variable.Ident[0]] = place{}
			}
			inner.dot = place{}
			reader.list(node.List, inner)
			reader.list(node.ElseList, scope.inner(scope.dot))
		}
	}
}

// pipe reads a pipeline and tells what it stands for.
func (reader *reader) pipe(pipe *parse.PipeNode, scope scope) place {
	var value place
	for index, command := range pipe.Cmds {
		if index == 0 {
			value = reader.command(command, scope, nil)
		} else {
			piped := value
			value = reader.command(command, scope, &piped)
		}
	}
	for _, variable := range pipe.Decl {
		scope.variables[variable.Ident[0]] = value
	}
	return value
}

func (reader *reader) command(command *parse.CommandNode, scope scope, piped *place) place {
	function, isCall := command.Args[0].(*parse.IdentifierNode)
	if !isCall {
		value := reader.value(command.Args[0], scope)
		for _, argument := range command.Args[1:] {
			reader.take(reader.value(argument, scope))
		}
		return value
	}
	var arguments []place
	for _, argument := range command.Args[1:] {
		arguments = append(arguments, reader.value(argument, scope))
	}
	if piped != nil {
		arguments = append(arguments, *piped)
	}
	if len(arguments) == 0 {
		return place{}
	}
	last := arguments[len(arguments)-1]
	switch function.Ident {
	case "default", "required", "coalesce", "ternary":
		for _, other := range arguments[:len(arguments)-1] {
			reader.take(other)
		}
		return last
	case "index", "get", "hasKey":
		return reader.note(arguments[0].below(texts(command.Args[2:])))
	case "dig":
		if keys := texts(command.Args[1 : len(command.Args)-1]); len(keys) > 0 {
			reader.note(last.below(keys))
		}
		return place{}
	case "and", "or", "not", "eq", "ne", "lt", "le", "gt", "ge", "empty", "fail", "kindIs", "kindOf", "typeIs", "len", "has":
		return place{}
	}
	for _, argument := range arguments {
		reader.take(argument)
	}
	return place{}
}

// texts are the leading literals among arguments.
func texts(nodes []parse.Node) (found []string) {
	for _, node := range nodes {
		text, ok := node.(*parse.StringNode)
		if !ok {
			break
		}
		found = append(found, text.Text)
	}
	return found
}

func (reader *reader) value(node parse.Node, scope scope) place {
	switch node := node.(type) {
	case *parse.DotNode:
		return scope.dot
	case *parse.FieldNode:
		return reader.note(fields(scope.dot, node.Ident))
	case *parse.VariableNode:
		return reader.note(fields(scope.variables[node.Ident[0]], node.Ident[1:]))
	case *parse.ChainNode:
		return reader.note(fields(reader.value(node.Node, scope), node.Field))
	case *parse.PipeNode:
		return reader.pipe(node, scope.inner(scope.dot))
	}
	return place{}
}

// fields follows names; wherever the context of the chart is handed on, its values are in a field of that name.
func fields(from place, names []string) place {
	if index := slices.Index(names, "Values"); index >= 0 && !from.known {
		return place{true, names[index+1:]}
	}
	return from.below(names)
}

func (from place) below(names []string) place {
	if !from.known {
		return place{}
	}
	return place{true, append(slices.Clone(from.path), names...)}
}

// note puts a key that is named into the tree.
func (reader *reader) note(value place) place {
	if value.known && len(value.path) > 0 {
		reader.tree = overlay(reader.tree, treeOfPath(value.path, "any"))
	}
	return value
}

// take notes that a template takes a value as a whole.
func (reader *reader) take(value place) {
	if value.known && !slices.ContainsFunc(reader.open, func(path []string) bool { return slices.Equal(path, value.path) }) {
		reader.open = append(reader.open, value.path)
	}
}

// isMap tells whether a path of a tree leads to a map.
func isMap(tree map[string]any, path []string) bool {
	var node any = tree
	for _, key := range path {
		below, ok := node.(map[string]any)
		if !ok {
			return false
		}
		node = below[key]
	}
	_, ok := node.(map[string]any)
	return ok
}
