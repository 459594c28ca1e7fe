package nameref

import (
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/writers"
)

// refer lets a reference be signed that takes a field of another object's metadata. Who wants it to refer to something else
// edits what was written in its place; without that, the other object.
func refer(referral *resource.Resource, field string) (end func()) {
	if !writers.On() {
		return func() {}
	}
	n := writers.At(referral.YNode(), "metadata", field)
	if n == nil {
		return func() {}
	}
	return writers.With(&writers.Writing{
		By:      writers.Reference,
		Keeps:   true,
		After:   writers.PointsOf(writers.HeadOf(n)),
		Derived: []int32{writers.Mark(n)},
	})
}
