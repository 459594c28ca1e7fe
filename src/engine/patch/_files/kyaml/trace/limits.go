package trace

import (
	"fmt"

	yaml3 "go.yaml.in/yaml/v3"
)

// The bounds of a build. Each is far above what a repository that a person keeps can need.
const (
	// MaxObjects is the number of objects in one list.
	MaxObjects = 100_000
	// MaxNodes is the number of nodes of one document, with its aliases expanded.
	MaxNodes = 250_000
	// MaxDocuments is the number of documents of one file.
	MaxDocuments = 20_000
	// MaxKustomizations is the number of directories built, counting one as often as it is a base.
	MaxKustomizations = 50_000
	// MaxBases is how deep one may lie below another.
	MaxBases = 200
)

// A Limit is a bound that a build hit.
type Limit struct{ Text string }

func (l *Limit) Error() string { return l.Text }

func hit(format string, args ...any) *Limit {
	l := &Limit{fmt.Sprintf(format, args...)}
	if now != nil {
		now.Limit = l
	}
	return l
}

// CheckDocuments bounds the documents of a file.
func CheckDocuments(n int) error {
	if now != nil && n > MaxDocuments {
		return hit("the file has %d documents, the limit is %d", n, MaxDocuments)
	}
	return nil
}

// CheckObjects bounds a list of objects that is about to grow.
func CheckObjects(n int) error {
	if now != nil && n >= MaxObjects {
		return hit("the build has more than %d objects", MaxObjects)
	}
	return nil
}

// CheckBase bounds the kustomizations below the root; depth counts those above.
func CheckBase(depth int) error {
	if now == nil {
		return nil
	}
	if now.kustomizations++; now.kustomizations > MaxKustomizations {
		return hit("the build has more than %d kustomizations", MaxKustomizations)
	}
	if depth > MaxBases {
		return hit("the kustomizations refer to each other %d levels deep", MaxBases)
	}
	return nil
}

// CheckAliases bounds what the aliases of a document expand to, before they are expanded.
func CheckAliases(n *yaml3.Node) error {
	if now == nil || yaml3.Aliases == 0 {
		return nil
	}
	yaml3.Aliases = 0
	total, closed := expanded(n, map[*yaml3.Node]int{})
	if closed {
		// Upstream would expand it until the stack overflows.
		return hit("an anchor of the document contains itself")
	}
	if total > MaxNodes {
		return hit("the document has more than %d nodes with its aliases expanded", MaxNodes)
	}
	return nil
}

// open marks an anchor whose worth is being counted.
const open = -1

// expanded counts nodes with a memory of what each anchor is worth, and does not go on above the limit. A closed anchor is
// one that contains itself.
func expanded(n *yaml3.Node, worth map[*yaml3.Node]int) (total int, closed bool) {
	if n.Kind == yaml3.AliasNode {
		return expanded(n.Alias, worth)
	}
	if n.Anchor != "" {
		switch w := worth[n]; {
		case w == open:
			return 0, true
		case w > 0:
			return w, false
		}
		worth[n] = open
	}
	total = 1
	for _, c := range n.Content {
		more, closed := expanded(c, worth)
		if total += more; closed || total > MaxNodes {
			return total, closed
		}
	}
	if n.Anchor != "" {
		worth[n] = total
	}
	return total, false
}
