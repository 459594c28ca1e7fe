package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	var options options
	flag.StringVar(&options.from, "from", "", "checkout of cozystack")
	flag.StringVar(&options.release, "release", "", "name of the release, and of the directory that is written")
	flag.StringVar(&options.to, "to", "schemas", "directory to write to")
	flag.StringVar(&options.kubernetes, "kubernetes", "v1.35.4", "version of the module k8s.io/kubernetes; empty: leave the built-in kinds alone")
	flag.Parse()
	if options.from == "" || options.release == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := generate(options); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

type options struct{ from, release, to, kubernetes string }

func generate(options options) error {
	sources, err := readSources(options.from)
	if err != nil {
		return err
	}
	platform, err := renderPlatform(options.from, sources)
	if err != nil {
		return err
	}
	index, schemas, err := readCRDs(options.from, sources, platform)
	if err != nil {
		return err
	}
	release := filepath.Join(options.to, "cozystack", options.release)
	if err := writeJSON(filepath.Join(release, "catalog.json"), catalog(options.release, sources, platform)); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(release, "crds.json"), index); err != nil {
		return err
	}
	if err := writeSchemas(filepath.Join(options.to, "cozystack"), schemas); err != nil {
		return err
	}
	report(options.release, sources, platform, index, schemas)
	if options.kubernetes == "" {
		return nil
	}
	return writeKubernetes(options.to, options.kubernetes)
}

// writeSchemas writes the schemas and removes those that no release names any more.
func writeSchemas(directory string, schemas map[string]any) error {
	for name, schema := range schemas {
		if err := writeLine(filepath.Join(directory, "crds", name), schema); err != nil {
			return err
		}
	}
	named, err := namedSchemas(directory)
	if err != nil {
		return err
	}
	return removeExcept(filepath.Join(directory, "crds"), named)
}

// namedSchemas collects the schema files that the indexes of all releases name.
func namedSchemas(directory string) (map[string]bool, error) {
	indexes, err := fs.Glob(os.DirFS(directory), "*/crds.json")
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, index := range indexes {
		value, err := readJSON(filepath.Join(directory, index))
		if err != nil {
			return nil, err
		}
		for _, kind := range object(value, "kinds") {
			for _, version := range object(kind, "versions") {
				named[text(version, "schema")] = true
			}
		}
	}
	return named, nil
}

func removeExcept(directory string, keep map[string]bool) error {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if keep[entry.Name()] {
			continue
		}
		if err := os.Remove(filepath.Join(directory, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

func report(release string, sources sources, platform platform, index map[string]any, schemas map[string]any) {
	variants, components, installs := sources.count()
	fmt.Printf("%s: %d sources, %d variants, %d components, %d with install\n", release, len(sources), variants, components, installs)
	for _, variant := range sortedKeys(platform.variants) {
		emitted := platform.variants[variant]
		fmt.Printf("  %-17s %3d packages, %2d optional\n", variant, len(emitted.packages), len(emitted.optional))
	}
	fmt.Printf("  never emitted: %v\n", platform.never)
	fmt.Printf("  %d kinds, %d with several files, %d schemas\n", len(object(index, "kinds")), len(object(index, "duplicates")), len(schemas))
}
