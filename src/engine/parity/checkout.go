package parity

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// checkOut writes the regular files of a commit into a new directory, as they are stored: source-controller's git applies no
// attributes, and it packs neither links nor submodules.
func checkOut(repository, commit string) (string, error) {
	listing, err := exec.Command("git", "-C", repository, "ls-tree", "-r", "-z", "--full-tree", commit).Output()
	if err != nil {
		return "", fmt.Errorf("git ls-tree %s: %w", commit, err)
	}
	var names, blobs []string
	for record := range strings.SplitSeq(string(listing), "\x00") {
		meta, name, _ := strings.Cut(record, "\t")
		if fields := strings.Fields(meta); len(fields) == 3 && strings.HasPrefix(fields[0], "100") && inRepository(name) {
			names = append(names, name)
			blobs = append(blobs, fields[2])
		}
	}
	dir, err := os.MkdirTemp("", "checkout-")
	if err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	return dir, writeBlobs(repository, dir, names, blobs)
}

func writeBlobs(repository, dir string, names, blobs []string) error {
	command := exec.Command("git", "-C", repository, "cat-file", "--batch")
	command.Stdin = strings.NewReader(strings.Join(blobs, "\n") + "\n")
	output, err := command.Output()
	if err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	from := bufio.NewReader(bytes.NewReader(output))
	for _, name := range names {
		var id, kind string
		var size int64
		if _, err := fmt.Fscanf(from, "%s %s %d\n", &id, &kind, &size); err != nil {
			return fmt.Errorf("git cat-file of %q: %w", name, err)
		}
		text := make([]byte, size+1)
		if _, err := io.ReadFull(from, text); err != nil {
			return err
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, text[:size], 0o644); err != nil {
			return err
		}
	}
	return nil
}
