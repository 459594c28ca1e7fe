package flux

import (
	"encoding/json"

	"sigs.k8s.io/kustomize/api/types"
)

// A Kustomization is the part of a Flux Kustomization (kustomize.toolkit.fluxcd.io/v1) that changes what is built.
type Kustomization struct {
	Name            string   `json:"name"`
	Namespace       string   `json:"namespace"`
	TargetNamespace string   `json:"targetNamespace"`
	NamePrefix      string   `json:"namePrefix"`
	NameSuffix      string   `json:"nameSuffix"`
	Patches         []Patch  `json:"patches"`
	Components      []string `json:"components"`
	// IgnoreMissingComponents leaves out components that are not there.
	IgnoreMissingComponents bool            `json:"ignoreMissingComponents"`
	Images                  []Image         `json:"images"`
	CommonMetadata          *CommonMetadata `json:"commonMetadata"`
	PostBuild               *PostBuild      `json:"postBuild"`

	// The generator still reads the two lists of v1beta2, which the v1 API does not let pass.
	PatchesStrategicMerge []json.RawMessage `json:"patchesStrategicMerge"`
	PatchesJson6902       []JSON6902Patch   `json:"patchesJson6902"`
}

// A Patch is inline; Flux knows no patch files.
type Patch struct {
	Patch  string    `json:"patch"`
	Target *Selector `json:"target"`
}

// A JSON6902Patch is the legacy form, whose operations are not text.
type JSON6902Patch struct {
	Patch  json.RawMessage `json:"patch"`
	Target Selector        `json:"target"`
}

// A Selector is kustomize's without its inlined fields.
type Selector struct {
	Group              string `json:"group"`
	Version            string `json:"version"`
	Kind               string `json:"kind"`
	Namespace          string `json:"namespace"`
	Name               string `json:"name"`
	AnnotationSelector string `json:"annotationSelector"`
	LabelSelector      string `json:"labelSelector"`
}

// An Image replaces a name, tag or digest.
type Image struct {
	Name    string `json:"name"`
	NewName string `json:"newName"`
	NewTag  string `json:"newTag"`
	Digest  string `json:"digest"`
}

// CommonMetadata is put on every object after the build.
type CommonMetadata struct {
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

// PostBuild asks for variable substitution.
type PostBuild struct {
	Substitute     map[string]string `json:"substitute"`
	SubstituteFrom []struct {
		Kind     string `json:"kind"`
		Name     string `json:"name"`
		Optional bool   `json:"optional"`
	} `json:"substituteFrom"`
	// Unknown are variables that a resolved entry of substituteFrom defines, whose values are not known.
	Unknown []string `json:"unknown"`
}

func (s *Selector) adapt() *types.Selector {
	if s == nil {
		return nil
	}
	out := &types.Selector{LabelSelector: s.LabelSelector, AnnotationSelector: s.AnnotationSelector}
	out.Group, out.Version, out.Kind = s.Group, s.Version, s.Kind
	out.Name, out.Namespace = s.Name, s.Namespace
	return out
}
