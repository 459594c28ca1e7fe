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
	parts := writers.PartsOfImage(before)
	own := u.own(&parts)
	if was.Value == image && (len(own) == 0 || writers.IsBy(before, own)) {
		writers.Set(n, before)
		n.Mark = was.Mark
		return nil
	}
	writers.StampImage(n, own, parts, before)
	return nil
}

// own are the arguments that the image takes anything from, first the one that changes most. They take the places of what was
// there, a tag that of a digest too and the other way round.
func (u imageTagUpdater) own(parts *[3][]writers.Point) (own []writers.Point) {
	i := u.ImageTag
	at := func(name, value string) []writers.Point {
		if value == "" {
			return nil
		}
		points := trace.Argument(trace.Plugin(), []any{name}, []any{"imageTag", name})
		own = append(own, points...)
		return points
	}
	if tag, digest := at("newTag", i.NewTag), at("digest", i.Digest); i.NewTag != "" || i.Digest != "" {
		parts[1], parts[2] = tag, digest
	} else if i.TagSuffix != "" {
		parts[1], parts[2] = append(parts[1][:len(parts[1]):len(parts[1])], at("tagSuffix", i.TagSuffix)...), nil
	}
	if i.NewName != "" {
		parts[0] = at("newName", i.NewName)
	}
	return own
}
