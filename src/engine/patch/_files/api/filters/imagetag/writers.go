package imagetag

import (
	"sigs.k8s.io/kustomize/kyaml/trace"
	"sigs.k8s.io/kustomize/kyaml/writers"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// set writes an image and tells what it is made of; the same field may be found twice.
func (u imageTagUpdater) set(rn *yaml.RNode, image string) error {
	was := *rn.YNode()
	if err := u.trackableSetter.SetScalar(image)(rn); err != nil || !writers.On() {
		return err
	}
	n, before := rn.YNode(), writers.HeadOf(&was)
	own := u.own()
	if was.Value == image && (len(own) == 0 || writers.IsBy(before, own)) {
		writers.Set(n, before)
		n.Mark = was.Mark
		return nil
	}
	t := writers.Compose(writers.Transformer, own, before)
	if i := u.ImageTag; i.NewName == "" || i.NewTag == "" && i.Digest == "" {
		t = writers.Compose(writers.Transformer, own, before, before)
	}
	writers.Stamp(n, t)
	return nil
}

// own are the arguments that the image takes anything from, first the one that changes most.
func (u imageTagUpdater) own() (points []writers.Point) {
	for _, a := range []struct{ name, value string }{
		{"newTag", u.ImageTag.NewTag},
		{"digest", u.ImageTag.Digest},
		{"newName", u.ImageTag.NewName},
		{"tagSuffix", u.ImageTag.TagSuffix},
	} {
		if a.value != "" {
			points = append(points, trace.Argument(trace.Plugin(), []any{a.name}, []any{"imageTag", a.name})...)
		}
	}
	return points
}
