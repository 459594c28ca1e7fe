package tree

import (
	"path"
	"slices"
	"strings"
)

// Root is where the repository lies in the engine. Relative cuts it from messages, so it must not be the name of anything in
// a repository.
const Root = "/repository-7d1c0f2e"

// A Tree is the files of a repository. It does not change once it is made.
type Tree struct {
	files map[string][]byte
	// refused files exist, but a read of one fails with the reason.
	refused map[string]string
	// dirs holds the names in each directory, sorted.
	dirs map[string][]string
}

// New makes a tree of files by their paths relative to the repository's root, with forward slashes. The contents are not
// copied and must not be changed. refused gives files whose contents are not there the reason why.
func New(files map[string][]byte, refused map[string]string) *Tree {
	t := &Tree{
		files:   make(map[string][]byte, len(files)),
		refused: make(map[string]string, len(refused)),
		dirs:    map[string][]string{"/": {path.Base(Root)}, Root: nil},
	}
	for name, content := range files {
		p := path.Join(Root, name)
		t.files[p] = content
		t.enter(p)
	}
	for name, reason := range refused {
		p := path.Join(Root, name)
		t.refused[p] = reason
		t.enter(p)
	}
	for _, names := range t.dirs {
		slices.Sort(names)
	}
	return t
}

// enter makes a path known to its directory, and the directory to its parents.
func (t *Tree) enter(p string) {
	for {
		dir := path.Dir(p)
		names, known := t.dirs[dir]
		t.dirs[dir] = append(names, path.Base(p))
		if known {
			return
		}
		p = dir
	}
}

// Relative cuts the root from the paths in a message.
func Relative(message string) string {
	message = strings.ReplaceAll(message, Root+"/", "")
	return strings.ReplaceAll(message, Root, ".")
}

// relative gives the path of a file below the root as the host knows it.
func relative(p string) string {
	if p == Root {
		return "."
	}
	return strings.TrimPrefix(p, Root+"/")
}
