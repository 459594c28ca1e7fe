package render

import (
	"errors"

	"customizer-lint/engine/tree"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/trace"
)

// Documents are files as kustomize reads them, on their own.
type Documents struct {
	Objects  []Object
	Sources  []Source
	Failures []*Unreadable
}

// Unreadable is a file that could not be parsed. File is relative to the repository.
type Unreadable struct {
	File string
	Err  error
}

func (u *Unreadable) Error() string { return tree.Relative(u.Err.Error()) }
func (u *Unreadable) Unwrap() error { return u.Err }

// Read parses files, all documents of which are returned, whatever they are.
func Read(t *tree.Tree, files []string) Documents {
	build := trace.Start(true)
	defer trace.Stop()
	layer := t.NewLayer()
	var out Documents
	for _, file := range files {
		objects, err := readFile(layer, file)
		if err != nil {
			if build.Limit != nil {
				err, build.Limit = build.Limit, nil
			}
			out.Failures = append(out.Failures, &Unreadable{file, err})
		}
		out.Objects = append(out.Objects, objects...)
	}
	out.Sources = sourcesOf(build.Sources)
	return out
}

func readFile(layer *tree.Layer, file string) (objects []Object, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("the parser fails on it")
		}
	}()
	path := tree.Root + "/" + file
	text, err := layer.ReadFile(path)
	if err != nil {
		return nil, err
	}
	trace.Loaded(path, text)
	nodes, err := kio.FromBytes(text)
	if err != nil {
		return nil, err
	}
	for _, n := range nodes {
		json, _, err := print(n, false)
		if err != nil {
			return objects, err
		}
		root := n.YNode()
		objects = append(objects, Object{JSON: json, Source: sourceOf(root), Origin: newTeller(nil).origin(nil, root)})
	}
	return objects, nil
}
