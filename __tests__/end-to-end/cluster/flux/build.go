package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fluxcd/pkg/kustomize"
	"github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// build renders the directory, in a copy of it, as a kustomization may be written there.
func build(ctx context.Context, c client.Client, request Request) ([]*unstructured.Unstructured, error) {
	if request.Directory == "" {
		return request.Objects, nil
	}
	root, err := os.MkdirTemp("", "kustomization-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	if err := copyTree(request.Directory, root); err != nil {
		return nil, err
	}
	// Rooted, so that no number of ".." leads out.
	path := filepath.Join(root, filepath.Join("/", request.Kustomization.Spec.Path))
	if _, err := os.Stat(path); err != nil {
		return nil, &Failure{"ArtifactFailed", fmt.Errorf("kustomization path not found: %w", err)}
	}
	text, err := render(ctx, c, request.Kustomization, root, path)
	if err != nil {
		return nil, &Failure{"BuildFailed", err}
	}
	objects, err := utils.ReadObjects(bytes.NewReader(text))
	if err != nil {
		return nil, &Failure{"BuildFailed", err}
	}
	return objects, nil
}

func render(ctx context.Context, c client.Client, k Kustomization, root, path string) ([]byte, error) {
	flux, err := k.unstructured()
	if err != nil {
		return nil, err
	}
	if _, err := kustomize.NewGenerator(root, flux).WriteFile(path); err != nil {
		return nil, err
	}
	const remoteBases = false
	built, err := kustomize.SecureBuild(root, path, remoteBases)
	if err != nil {
		return nil, fmt.Errorf("kustomize build failed: %w", err)
	}
	for _, resource := range built.Resources() {
		if resource.GetName() == "" || resource.GetKind() == "" || resource.GetApiVersion() == "" {
			return nil, fmt.Errorf("failed to decode Kubernetes apiVersion, kind and name from: %v", resource.String())
		}
		if k.Spec.PostBuild == nil {
			continue
		}
		replaced, err := kustomize.SubstituteVariables(ctx, c, flux, resource)
		if err != nil {
			return nil, fmt.Errorf("post build failed for '%s/%s': %w", resource.GetGvk(), resource.GetName(), err)
		}
		if replaced == nil {
			continue
		}
		if _, err := built.Replace(resource); err != nil {
			return nil, err
		}
	}
	text, err := built.AsYaml()
	if err != nil {
		return nil, fmt.Errorf("kustomize build failed: %w", err)
	}
	return text, nil
}

// copyTree copies the files that an artifact would have: no links, and nothing of git's.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		switch {
		case entry.Name() == ".git":
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case entry.IsDir():
			return os.MkdirAll(target, 0o755)
		case !entry.Type().IsRegular():
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o644)
	})
}
