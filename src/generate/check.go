package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// checkCommitted generates into a directory that is thrown away and compares with what is there.
func checkCommitted(options options) error {
	committed := options.to
	scratch, err := os.MkdirTemp("", "generate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	options.to = scratch
	if err := generate(options); err != nil {
		return err
	}
	different, err := differing(scratch, committed)
	if err != nil {
		return err
	}
	unnamed, err := unnamedFiles(filepath.Join(committed, "cozystack"))
	if err != nil {
		return err
	}
	if different = append(different, unnamed...); len(different) > 0 {
		return fmt.Errorf("%s is not what %s gives:\n  %s", options.release, options.from, strings.Join(different, "\n  "))
	}
	fmt.Printf("  every file is as it was generated\n")
	return nil
}

// differing lists the files of one directory that another does not have, or has with other content.
func differing(from, with string) ([]string, error) {
	var different []string
	err := fs.WalkDir(os.DirFS(from), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		ours, err := os.ReadFile(filepath.Join(from, path))
		if err != nil {
			return err
		}
		theirs, err := os.ReadFile(filepath.Join(with, path))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			different = append(different, path+" is missing")
		case err != nil:
			return err
		case !bytes.Equal(ours, theirs):
			different = append(different, path+" differs")
		}
		return nil
	})
	return different, err
}

// unnamedFiles lists the files that releases share and that none of them names.
func unnamedFiles(directory string) ([]string, error) {
	var unnamed []string
	for folder, collect := range map[string]func(string) (map[string]bool, error){"crds": namedSchemas, "charts": namedShapes} {
		named, err := collect(directory)
		if err != nil {
			return nil, err
		}
		entries, err := os.ReadDir(filepath.Join(directory, folder))
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if !named[entry.Name()] {
				unnamed = append(unnamed, "cozystack/"+folder+"/"+entry.Name()+" belongs to no release")
			}
		}
	}
	slices.Sort(unnamed)
	return unnamed, nil
}
