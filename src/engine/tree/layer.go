package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	kerrors "sigs.k8s.io/kustomize/kyaml/errors"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// A Layer is what one build sees of a tree: what it writes, only it reads. It implements filesys.FileSystem with the error
// texts that fluxcd/pkg's secure file system gives on a disk.
type Layer struct {
	base *Tree
	// written files are few: Flux writes the root kustomization, kustomize nothing.
	written map[string][]byte
	read    map[string]struct{}
	refused *Refusal
}

var _ filesys.FileSystem = (*Layer)(nil)

// A Refusal is the error of reading a file that the host did not send, as it is beyond a limit.
type Refusal struct{ Path, Reason string }

func (r *Refusal) Error() string { return fmt.Sprintf("%s is not read: %s", r.Path, r.Reason) }

// NewLayer starts a build on the tree.
func (t *Tree) NewLayer() *Layer {
	return &Layer{base: t, written: map[string][]byte{}, read: map[string]struct{}{}}
}

// Read returns the files read so far, relative to the root, sorted.
func (l *Layer) Read() []string {
	names := make([]string, 0, len(l.read))
	for p := range l.read {
		names = append(names, relative(p))
	}
	slices.Sort(names)
	return names
}

// Refused returns the refusal that a read met, if any did.
func (l *Layer) Refused() *Refusal { return l.refused }

type kind int

const (
	nothing kind = iota
	file
	directory
)

func (l *Layer) kind(p string) kind {
	if _, ok := l.base.dirs[p]; ok {
		return directory
	}
	if _, ok := l.written[p]; ok {
		return file
	}
	if _, ok := l.base.files[p]; ok {
		return file
	}
	if _, ok := l.base.refused[p]; ok {
		return file
	}
	return nothing
}

// clean makes a path absolute as a process in the root directory would.
func clean(p string) string {
	if !path.IsAbs(p) {
		p = "/" + p
	}
	return path.Clean(p)
}

// errno is a reason of Linux, where Flux runs; the texts of Go's own for WebAssembly differ.
type errno string

const (
	notFound     errno = "no such file or directory"
	notDirectory errno = "not a directory"
	isDirectory  errno = "is a directory"
)

func (e errno) Error() string { return string(e) }

// Is lets fs.ErrNotExist be asked for.
func (e errno) Is(target error) bool { return e == notFound && target == fs.ErrNotExist }

// missing is the system's reason for not finding a path: a file where a directory should be, or nothing at all.
func (l *Layer) missing(p string) error {
	for dir := path.Dir(p); dir != "/"; dir = path.Dir(dir) {
		switch l.kind(dir) {
		case file:
			return notDirectory
		case directory:
			return notFound
		}
	}
	return notFound
}

// secure refuses paths that are not in or below the root, as fs_secure.go isSecurePath does.
func (l *Layer) secure(op, p string) error {
	dir := clean(p)
	if l.kind(dir) == file {
		dir = path.Dir(dir)
	}
	if filesys.ConfirmedDir(dir).HasPrefix(Root) {
		return nil
	}
	return &Escape{Op: op, Path: p}
}

// An Escape is Flux's refusal of a path outside of the repository (fs_secure.go ConstraintError).
type Escape struct{ Op, Path string }

func (e *Escape) Error() string {
	return fmt.Sprintf("fs-security-constraint %s %s: path '%s' is not in or below '%s'", e.Op, e.Path, e.Path, Root)
}

// ReadFile implements filesys.FileSystem.
func (l *Layer) ReadFile(name string) ([]byte, error) {
	if err := l.secure("read", name); err != nil {
		return nil, err
	}
	p := clean(name)
	if content, ok := l.written[p]; ok {
		// Flux wrote it over what the repository has, which it had read.
		l.read[p] = struct{}{}
		return content, nil
	}
	if reason, ok := l.base.refused[p]; ok {
		l.read[p] = struct{}{}
		l.refused = &Refusal{Path: p, Reason: reason}
		return nil, kerrors.Wrap(l.refused)
	}
	if content, ok := l.base.files[p]; ok {
		l.read[p] = struct{}{}
		return content, nil
	}
	if l.kind(p) == directory {
		return nil, kerrors.Wrap(&fs.PathError{Op: "read", Path: name, Err: isDirectory})
	}
	return nil, kerrors.Wrap(&fs.PathError{Op: "open", Path: name, Err: l.missing(p)})
}

// WriteFile implements filesys.FileSystem; the directory must exist.
func (l *Layer) WriteFile(name string, content []byte) error {
	if err := l.secure("write", name); err != nil {
		return err
	}
	p := clean(name)
	if l.kind(p) == directory {
		return kerrors.Wrap(&fs.PathError{Op: "open", Path: name, Err: isDirectory})
	}
	if l.kind(path.Dir(p)) != directory {
		return kerrors.Wrap(&fs.PathError{Op: "open", Path: name, Err: l.missing(p)})
	}
	l.written[p] = content
	return nil
}

// CleanedAbs implements filesys.FileSystem.
func (l *Layer) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	p := clean(name)
	var dir, base string
	switch l.kind(p) {
	case directory:
		dir = p
	case file:
		dir, base = path.Split(p)
		dir = path.Clean(dir)
	default:
		return "", "", fmt.Errorf("evalsymlink failure on '%s' : %w", name, l.lstat(p))
	}
	if !filesys.ConfirmedDir(dir).HasPrefix(Root) {
		return "", "", &Escape{Op: "abs", Path: name}
	}
	return filesys.ConfirmedDir(dir), base, nil
}

// lstat is the error of filepath.EvalSymlinks, which goes from the root and stops at the first name that is not there.
func (l *Layer) lstat(p string) error {
	names := strings.Split(strings.TrimPrefix(p, "/"), "/")
	at := ""
	for _, name := range names {
		if l.kind(at) == file {
			return notDirectory
		}
		at += "/" + name
		if l.kind(at) == nothing {
			break
		}
	}
	return &fs.PathError{Op: "lstat", Path: at, Err: notFound}
}

// Exists implements filesys.FileSystem.
func (l *Layer) Exists(name string) bool {
	return l.secure("stat", name) == nil && l.kind(clean(name)) != nothing
}

// IsDir implements filesys.FileSystem.
func (l *Layer) IsDir(name string) bool {
	return l.secure("stat", name) == nil && l.kind(clean(name)) == directory
}

// Stat returns the error of os.Stat, which is nil for what is there.
func (l *Layer) Stat(name string) error {
	if p := clean(name); l.kind(p) == nothing {
		return &fs.PathError{Op: "stat", Path: name, Err: l.missing(p)}
	}
	return nil
}

// ReadDir implements filesys.FileSystem.
func (l *Layer) ReadDir(name string) ([]string, error) {
	if err := l.secure("open", name); err != nil {
		return nil, err
	}
	p := clean(name)
	switch l.kind(p) {
	case directory:
		return l.names(p), nil
	case file:
		return nil, &fs.PathError{Op: "fdopendir", Path: name, Err: notDirectory}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: l.missing(p)}
}

// names lists a directory with what this build wrote to it.
func (l *Layer) names(dir string) []string {
	names := l.base.dirs[dir]
	for p := range l.written {
		if path.Dir(p) == dir && !slices.Contains(names, path.Base(p)) {
			names = append(slices.Clone(names), path.Base(p))
			slices.Sort(names)
		}
	}
	return names
}

// Walk implements filesys.FileSystem as filepath.Walk does, in lexical order.
func (l *Layer) Walk(name string, walk filepath.WalkFunc) error {
	p := clean(name)
	var err error
	if l.kind(p) == nothing {
		err = walk(name, nil, &fs.PathError{Op: "lstat", Path: name, Err: l.missing(p)})
	} else {
		err = l.walk(p, walk)
	}
	if err == filepath.SkipDir || err == filepath.SkipAll {
		return nil
	}
	return err
}

func (l *Layer) walk(p string, walk filepath.WalkFunc) error {
	if err := l.secure("walk", p); err != nil {
		return err
	}
	dir := l.kind(p) == directory
	if err := walk(p, info{path.Base(p), dir}, nil); err != nil || !dir {
		if dir && err == filepath.SkipDir {
			return nil
		}
		return err
	}
	for _, name := range l.names(p) {
		child := path.Join(p, name)
		if err := l.walk(child, walk); err != nil {
			if err == filepath.SkipDir && l.kind(child) != directory {
				// A file that says so skips the rest of its directory.
				return nil
			}
			return err
		}
	}
	return nil
}

// info is all that a walk tells of a file.
type info struct {
	name string
	dir  bool
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return 0 }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.dir }
func (i info) Sys() any           { return nil }
func (i info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

// Glob implements filesys.FileSystem for the patterns of generators.
func (l *Layer) Glob(pattern string) ([]string, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, err
	}
	var found []string
	err := l.Walk(path.Dir(pattern), func(p string, info os.FileInfo, err error) error {
		if err != nil {
			return filepath.SkipDir
		}
		if ok, _ := path.Match(pattern, p); ok {
			found = append(found, p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if filesys.IsHiddenFilePath(pattern) {
		return found, nil
	}
	return filesys.RemoveHiddenFiles(found), nil
}

var errReadOnly = errors.New("the engine's file system is written by WriteFile only")

// Create implements filesys.FileSystem; a build with built-in plugins alone does not call it.
func (l *Layer) Create(string) (filesys.File, error) { return nil, errReadOnly }

// Open implements filesys.FileSystem; a build with built-in plugins alone does not call it.
func (l *Layer) Open(string) (filesys.File, error) { return nil, errReadOnly }

// Mkdir implements filesys.FileSystem; a build with built-in plugins alone does not call it.
func (l *Layer) Mkdir(string) error { return errReadOnly }

// MkdirAll implements filesys.FileSystem; a build with built-in plugins alone does not call it.
func (l *Layer) MkdirAll(string) error { return errReadOnly }

// RemoveAll implements filesys.FileSystem; a build with built-in plugins alone does not call it.
func (l *Layer) RemoveAll(string) error { return errReadOnly }
