package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// upstreamDiff prints what upstream changed, between a version of a module and the one in go.mod, in the files that a patch edits,
// replaces or deletes. That is what to read before a bump.
func (t target) upstreamDiff(other string) error {
	path, version, ok := strings.Cut(other, "@")
	if !ok {
		return fmt.Errorf("%q is not MODULE@VERSION", other)
	}
	files := t.filesOf(path)
	if len(files) == 0 {
		_, err := fmt.Printf("# no patch of the module %s touches %s\n", t.name, path)
		return err
	}
	now, err := t.locate(path, "")
	if err != nil {
		return err
	}
	text, err := t.goTool("mod", "download", "-json", other).Output()
	var downloaded struct{ Dir, Error string }
	if unreadable := json.Unmarshal(text, &downloaded); unreadable != nil || downloaded.Dir == "" {
		return fmt.Errorf("go mod download %s: %w: %s", other, err, downloaded.Error)
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		difference, err := unified(filepath.Join(downloaded.Dir, file), filepath.Join(now.from, file))
		if err != nil {
			return err
		}
		state := "unchanged"
		if difference != "" {
			state = "changed"
		}
		fmt.Printf("# %s: %s from %s to %s\n", file, state, version, now.version)
		for _, why := range files[file] {
			fmt.Printf("#   %s\n", why)
		}
		fmt.Print(difference)
	}
	return nil
}

// filesOf are the files of a module that hang on upstream's text, each with what is done to it.
func (t target) filesOf(module string) map[string][]string {
	files := map[string][]string{}
	for _, p := range t.patches {
		for _, e := range p.edits {
			if e.module == module {
				files[e.file] = append(files[e.file], fmt.Sprintf("%s edits it: %s", p.name, e.why))
			}
		}
		for _, f := range p.files {
			if f.module == module && f.from == "" {
				files[f.path] = append(files[f.path], fmt.Sprintf("%s deletes it: %s", p.name, f.why))
			}
		}
	}
	return files
}

// unified is empty where the two are equal; one that is not there counts as empty.
func unified(before, after string) (string, error) {
	for _, path := range []*string{&before, &after} {
		if _, err := os.Stat(*path); errors.Is(err, os.ErrNotExist) {
			*path = os.DevNull
		}
	}
	text, err := exec.Command("git", "diff", "--no-index", "--no-color", before, after).Output()
	var failed *exec.ExitError
	if err != nil && !(errors.As(err, &failed) && failed.ExitCode() == 1) {
		return "", err
	}
	// The first two lines name places of this machine.
	_, body, _ := strings.Cut(string(text), "\n@@")
	if body == "" {
		return "", nil
	}
	return "@@" + body, nil
}
