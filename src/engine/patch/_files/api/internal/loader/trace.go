package loader

import (
	"path/filepath"

	"sigs.k8s.io/kustomize/api/ifc"
	"sigs.k8s.io/kustomize/api/internal/git"
	"sigs.k8s.io/kustomize/kyaml/trace"
)

// Load implements ifc.Loader.
func (fl *FileLoader) Load(path string) ([]byte, error) {
	content, err := fl.upstreamLoad(path)
	trace.Followed(fl.absolute(path), content, err)
	return content, err
}

// New implements ifc.Loader.
func (fl *FileLoader) New(path string) (ifc.Loader, error) {
	loader, err := fl.upstreamNew(path)
	if err != nil {
		trace.Followed(fl.absolute(path), nil, err)
	}
	return loader, err
}

func (fl *FileLoader) absolute(path string) string {
	if IsRemoteFile(path) || filepath.IsAbs(path) || isRepository(path) {
		return path
	}
	return fl.root.Join(path)
}

func isRepository(path string) bool {
	_, err := git.NewRepoSpecFromURL(path)
	return err == nil
}
