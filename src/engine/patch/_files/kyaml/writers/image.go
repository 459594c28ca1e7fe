package writers

// PartsOfImage are the places that made the name, the tag and the digest of an image. Of a scalar that is made of several
// places nobody knows which part is from where.
func PartsOfImage(h Head) (parts [3][]Point) {
	if t, ok := now.TraceOf(h); ok && t.Image != nil {
		return *t.Image
	}
	if points := PointsOf(h); len(points) == 1 {
		return [3][]Point{points, points, points}
	}
	return parts
}

// StampImage tells what an image is made of, own places first.
func StampImage(n *Node, own []Point, parts [3][]Point, before Head) {
	t := Trace{By: Transformer, From: own, Before: before, Derived: derivedOf(before), Image: &parts}
	for _, points := range parts {
		t.From = union(t.From, points)
	}
	Stamp(n, t)
}

// Rest are the places of a value of which a part was replaced. Of one that is made of several nobody knows which are left.
func Rest(h Head) []Point {
	if points := PointsOf(h); len(points) == 1 {
		return points
	}
	return nil
}
