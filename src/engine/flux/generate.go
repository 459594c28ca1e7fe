package flux

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/trace"
	"sigs.k8s.io/yaml"
)

// A Root is the kustomization at the top of a build as Flux wrote it.
type Root struct {
	// File is its absolute path. Created: it was not there before.
	File    string
	Created bool
	// Dropped are the keys of the user's file that Flux lost on the way, in the order of the file's JSON.
	Dropped []Field
	// own counts what the user's file lists, so that an index into the written file can be taken back to where it came from.
	own   own
	added added
}

// A Field is a way into a document: keys and indexes.
type Field []any

type own struct{ patches, components, strategic, json6902 int }

// added remembers what of the Flux object became which entry.
type added struct {
	namespace, prefix, suffix bool
	components                []int
	images                    map[int]int
}

// Generate writes the kustomization that kustomize is going to build in dir: the user's, decoded leniently and with the Flux
// object's fields merged in, or a new one that lists every manifest below dir.
//
// It is Generator.WriteFile of kustomize_generator.go; the errors keep its odd ends (" <nil>", from a clean-up that works).
func Generate(fs filesys.FileSystem, dir string, k Kustomization) (Root, error) {
	root, kus, err := find(fs, dir)
	if err != nil {
		return root, fmt.Errorf("%w <nil>", err)
	}
	root.own = own{len(kus.Patches), len(kus.Components), len(kus.PatchesStrategicMerge), len(kus.PatchesJson6902)}

	if !root.Created && len(kus.Resources) == 0 {
		// Against kustomize's "kustomization.yaml is empty"; it costs the user's own buildMetadata.
		kus.BuildMetadata = []string{types.OriginAnnotations}
	}
	if k.TargetNamespace != "" {
		kus.Namespace, root.added.namespace = k.TargetNamespace, true
	}
	if k.NamePrefix != "" {
		kus.NamePrefix, root.added.prefix = k.NamePrefix, true
	}
	if k.NameSuffix != "" {
		kus.NameSuffix, root.added.suffix = k.NameSuffix, true
	}
	for _, p := range k.Patches {
		kus.Patches = append(kus.Patches, types.Patch{Patch: p.Patch, Target: p.Target.adapt()})
	}
	for i, component := range k.Components {
		if !isLocalRelativePath(component) {
			return root, &SpecError{Field{"spec", "components", i}, fmt.Errorf("component path '%s' must be local and relative", component)}
		}
		if k.IgnoreMissingComponents && !fs.Exists(filepath.Join(dir, component)) {
			continue
		}
		kus.Components = append(kus.Components, component)
		root.added.components = append(root.added.components, i)
	}
	for _, p := range k.PatchesStrategicMerge {
		kus.PatchesStrategicMerge = append(kus.PatchesStrategicMerge, types.PatchStrategicMerge(p))
	}
	for _, p := range k.PatchesJson6902 {
		text, err := json.Marshal(p.Patch)
		if err != nil {
			return root, fmt.Errorf("%w <nil>", err)
		}
		kus.PatchesJson6902 = append(kus.PatchesJson6902, types.Patch{Patch: string(text), Target: p.Target.adapt()})
	}
	root.added.images = mergeImages(&kus, k.Images)

	text, err := yaml.Marshal(kus)
	if err != nil {
		return root, fmt.Errorf("%w <nil>", err)
	}
	if err := fs.WriteFile(root.File, text); err != nil {
		return root, fmt.Errorf("%w <nil>", err)
	}
	return root, nil
}

// find decodes the user's kustomization, or makes one where there is none.
func find(fs filesys.FileSystem, dir string) (Root, types.Kustomization, error) {
	kus := types.Kustomization{TypeMeta: types.TypeMeta{APIVersion: types.KustomizationVersion, Kind: types.KustomizationKind}}
	if file, ok := kustomizationIn(fs, dir); ok {
		root := Root{File: file}
		text, err := fs.ReadFile(file)
		if err != nil {
			return root, kus, &FileError{file, err}
		}
		// Not strict: what is misspelt is lost without a word.
		if err := yaml.Unmarshal(text, &kus); err != nil {
			return root, kus, &FileError{file, err}
		}
		root.Dropped = droppedKeys(text)
		return root, kus, nil
	}

	root := Root{File: filepath.Join(dir, konfig.DefaultKustomizationFileName()), Created: true}
	manifests, err := scan(fs, dir)
	if err != nil {
		return root, kus, err
	}
	for _, m := range manifests {
		kus.Resources = append(kus.Resources, strings.Replace(m, dir, ".", 1))
	}
	if len(manifests) == 0 {
		kus.Namespace = "_placeholder"
	}
	return root, kus, nil
}

func kustomizationIn(fs filesys.FileSystem, dir string) (string, bool) {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if file := filepath.Join(dir, name); fs.Exists(file) && !fs.IsDir(file) {
			return file, true
		}
	}
	return "", false
}

// scan lists the manifests below a directory; a directory with a kustomization of its own counts as one.
func scan(fs filesys.FileSystem, base string) ([]string, error) {
	var paths []string
	factory := provider.NewDefaultDepProvider().GetResourceFactory()
	err := fs.Walk(base, func(p string, info os.FileInfo, err error) (failed error) {
		if err != nil {
			return err
		}
		if p == base {
			return nil
		}
		if info.IsDir() {
			if _, ok := kustomizationIn(fs, p); ok {
				paths = append(paths, p)
				return filepath.SkipDir
			}
			return nil
		}
		if ext := path.Ext(p); ext != ".yaml" && ext != ".yml" {
			return nil
		}
		text, err := fs.ReadFile(p)
		if err != nil {
			return &FileError{File: p, Err: err}
		}
		trace.Loaded(p, text)
		// kyaml may panic on invalid data.
		defer func() {
			if r := recover(); r != nil {
				failed = &FileError{File: p, Err: fmt.Errorf("recovered from panic while parsing YAML file %s: %v", path.Base(p), r)}
			}
		}()
		if _, err := factory.SliceFromBytes(text); err != nil {
			return &FileError{File: p, Err: fmt.Errorf("failed to decode Kubernetes YAML from %s: %w", p, err)}
		}
		paths = append(paths, p)
		return nil
	})
	return paths, err
}

// A FileError names the file that the directory could not be prepared for.
type FileError struct {
	File string
	Err  error
}

func (e *FileError) Error() string { return e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// A SpecError names the field of the Flux object that is at fault.
type SpecError struct {
	Field Field
	Err   error
}

func (e *SpecError) Error() string { return e.Err.Error() }
func (e *SpecError) Unwrap() error { return e.Err }

// mergeImages replaces an entry of the same name whole and appends the others. It returns the Flux image of each entry.
func mergeImages(kus *types.Kustomization, images []Image) map[int]int {
	from := map[int]int{}
	for n, image := range images {
		at := len(kus.Images)
		for i := range kus.Images {
			if kus.Images[i].Name == image.Name {
				at = i
				break
			}
		}
		if at == len(kus.Images) {
			kus.Images = append(kus.Images, types.Image{})
		}
		kus.Images[at] = types.Image{Name: image.Name, NewName: image.NewName, NewTag: image.NewTag, Digest: image.Digest}
		from[at] = n
	}
	return from
}

// isLocalRelativePath is IsLocalRelativePath of kustomize_generator.go.
func isLocalRelativePath(p string) bool {
	for _, prefix := range []string{"git::", "gh:", "ssh://", "https://", "http://", "git@", "github.com:", "github.com/"} {
		if len(prefix) < len(p) && strings.ToLower(p[:len(prefix)]) == prefix {
			return false
		}
	}
	return !filepath.IsAbs(p) && !filepath.IsAbs(strings.TrimPrefix(strings.ToLower(p), "file://"))
}

// Origin takes an entry of the written file back to the user's file, or to the Flux object.
func (r Root) Origin(field Field) (fromFlux bool, origin Field) {
	if fromFlux, origin = r.origin(field); !fromFlux && r.Created {
		return true, nil
	}
	return fromFlux, origin
}

func (r Root) origin(field Field) (fromFlux bool, origin Field) {
	name, _ := first(field).(string)
	i, indexed := 0, false
	if len(field) > 1 {
		i, indexed = field[1].(int)
	}
	shift := func(own int) (bool, Field) {
		if !indexed || i < own {
			return false, field
		}
		return true, append(Field{"spec", name, i - own}, field[2:]...)
	}
	switch {
	case name == "namespace" && r.added.namespace:
		return true, Field{"spec", "targetNamespace"}
	case name == "namePrefix" && r.added.prefix, name == "nameSuffix" && r.added.suffix:
		return true, Field{"spec", name}
	case name == "patches":
		return shift(r.own.patches)
	case name == "patchesStrategicMerge":
		return shift(r.own.strategic)
	case name == "patchesJson6902":
		return shift(r.own.json6902)
	case name == "components" && indexed && i >= r.own.components:
		return true, append(Field{"spec", name, r.added.components[i-r.own.components]}, field[2:]...)
	case name == "images" && indexed:
		if n, ok := r.added.images[i]; ok {
			return true, append(Field{"spec", name, n}, field[2:]...)
		}
	}
	return false, field
}

func first(field Field) any {
	if len(field) == 0 {
		return nil
	}
	return field[0]
}
