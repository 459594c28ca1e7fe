package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	var options options
	var out string
	var check bool
	flag.StringVar(&options.from, "from", "", "checkout of cozystack, or of a fork")
	flag.StringVar(&options.release, "release", "", "name of the release, and of the directory that is written")
	flag.StringVar(&options.to, "to", "schemas", "directory of the linter's own data")
	flag.StringVar(&out, "out", "", "directory to write to instead, complete in itself, with the built-in kinds of --to")
	flag.BoolVar(&options.applications, "applications", false, "write only applications.json and what it names; the checkout has to have the charts in full")
	flag.BoolVar(&check, "check", false, "write nothing; fail if what would be written differs from what is there")
	kubernetes := flag.String("kubernetes", kubernetesVersions, "versions of the module k8s.io/kubernetes, one a minor; empty: leave the built-in kinds alone")
	flag.Parse()
	options.kubernetes = strings.FieldsFunc(*kubernetes, func(r rune) bool { return r == ',' })
	if options.from == "" || options.release == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(options, out, check); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// kubernetesVersions are of the minors that a cluster may have: from the oldest that the Flux of the releases supports to the newest.
const kubernetesVersions = "v1.33.13,v1.34.4,v1.35.4,v1.36.3,v1.37.2"

type options struct {
	from, release, to string
	kubernetes        []string
	// applications: these alone are written.
	applications bool
}

func run(options options, out string, check bool) error {
	if !isName.MatchString(options.release) || options.release == "crds" || options.release == "charts" {
		return fmt.Errorf("release %q: expected a name such as v1.6.2 or of-our-own", options.release)
	}
	builtIn := options.to
	if out != "" {
		options.to, options.kubernetes = out, nil
	}
	if check {
		return checkCommitted(options)
	}
	if err := generate(options); err != nil || out == "" {
		return err
	}
	return copyBuiltIn(builtIn, out)
}

var isName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*$`)

func generate(options options) error {
	sources, err := readSources(options.from)
	if err != nil {
		return err
	}
	if err := writeApplications(options, sources); err != nil || options.applications {
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
	shapes, files, err := chartShapes(options.from, sources)
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
	if err := writeJSON(filepath.Join(release, "values.json"), shapes); err != nil {
		return err
	}
	if err := writeShapes(filepath.Join(options.to, "cozystack"), files); err != nil {
		return err
	}
	if err := writeArtifact(options); err != nil {
		return err
	}
	report(options.release, sources, platform, index, schemas)
	fmt.Printf("  %d charts with values\n", len(files))
	if len(options.kubernetes) == 0 {
		return nil
	}
	return writeKubernetes(options.to, options.kubernetes)
}

// writeApplications leaves what is there where the checkout has no definitions of applications.
func writeApplications(options options, sources sources) error {
	index, schemas, shapes, err := applications(options.from, sources)
	if err != nil {
		return err
	}
	if index == nil {
		fmt.Printf("  no applications: the checkout has none of their definitions\n")
		return nil
	}
	shared := filepath.Join(options.to, "cozystack")
	if err := writeJSON(filepath.Join(shared, options.release, "applications.json"), index); err != nil {
		return err
	}
	if err := writeSchemas(shared, schemas); err != nil {
		return err
	}
	if err := writeShapes(shared, shapes); err != nil {
		return err
	}
	fmt.Printf("  %d applications, %d charts of theirs\n", len(object(index, "kinds")), len(shapes))
	return nil
}

// copyBuiltIn puts the built-in kinds beside the data of a fork, so that the linter finds everything in one directory.
func copyBuiltIn(from, to string) error {
	target := filepath.Join(to, "kubernetes")
	if _, err := os.Stat(target); err == nil {
		return nil
	}
	if err := os.CopyFS(target, os.DirFS(filepath.Join(from, "kubernetes"))); err != nil {
		return fmt.Errorf("copy the built-in kinds: %w", err)
	}
	return nil
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
	definitions, err := fs.Glob(os.DirFS(directory), "*/crds.json")
	if err != nil {
		return nil, err
	}
	applications, err := fs.Glob(os.DirFS(directory), "*/applications.json")
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, index := range append(definitions, applications...) {
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
