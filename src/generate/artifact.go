package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// writeArtifact writes where the charts of a release are, as the installer tells the operator (packages/core/installer/values.yaml);
// nothing where that is no artifact with a digest. The coming release has none: its installer names the build before it.
func writeArtifact(options options) error {
	path := filepath.Join(options.to, "cozystack", options.release, "artifact.json")
	artifact, err := artifact(options.from)
	if err != nil {
		return err
	}
	if artifact == nil || options.release == "next" {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return writeJSON(path, artifact)
}

var isDigest = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

func artifact(from string) (map[string]any, error) {
	content, err := os.ReadFile(filepath.Join(from, "packages/core/installer/values.yaml"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	values, err := parseYAML(content)
	if err != nil {
		return nil, fmt.Errorf("values of the installer: %w", err)
	}
	url := text(values, "cozystackOperator", "platformSourceUrl")
	digest, found := strings.CutPrefix(text(values, "cozystackOperator", "platformSourceRef"), "digest=")
	if !found || !isDigest.MatchString(digest) || !strings.HasPrefix(url, "oci://") {
		return nil, nil
	}
	return map[string]any{"url": url, "digest": digest}, nil
}
