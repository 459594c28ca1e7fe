package writers

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// An Operation is one of a JSON patch (RFC 6902), as it is written.
type Operation struct{ op, path, from, value *Node }

// Operations reads a list of them; none if it is no such list.
func Operations(list *Node) []Operation {
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	var out []Operation
	for _, n := range list.Content {
		o := Operation{Field(n, "op"), Field(n, "path"), Field(n, "from"), Field(n, "value")}
		if o.op == nil || o.path == nil {
			return nil
		}
		out = append(out, o)
	}
	return out
}

// Patch applies operations to a copy of a tree, so that every node of the copy knows who wrote it. The values are not what
// counts: kustomize applies the same operations to JSON. It is not ok where that is beyond what is done here.
func Patch(root *Node, operations []Operation) (patched *Node, ok bool) {
	if now == nil || root == nil {
		return nil, false
	}
	patched = copyOf(root)
	for _, o := range operations {
		if !o.apply(patched) {
			return nil, false
		}
	}
	return patched, true
}

func (o Operation) apply(root *Node) bool {
	switch o.op.Value {
	case "add":
		return o.add(root, o.newValue())
	case "replace":
		parent, key := find(root, o.path.Value)
		was := child(parent, key)
		if was == nil {
			// A field need not be there to be replaced.
			return parent != nil && parent.Kind == yaml.MappingNode && o.add(root, o.newValue())
		}
		is := o.newValue()
		Replace(is, was, HeadOf(o.op))
		return put(parent, key, is)
	case "remove":
		return o.remove(root, o.path.Value) != nil
	case "move":
		if o.from == nil {
			return false
		}
		n := o.remove(root, o.from.Value)
		return n != nil && o.add(root, o.moved(n))
	case "copy":
		if o.from == nil {
			return false
		}
		parent, key := find(root, o.from.Value)
		n := child(parent, key)
		if n == nil {
			// What is not there is null.
			return parent != nil && parent.Kind == yaml.MappingNode && o.add(root, null())
		}
		n = copyOf(n)
		unmark(n)
		return o.add(root, o.moved(n))
	case "test":
		return true
	}
	return false
}

// add puts a node where the path leads to.
func (o Operation) add(root, n *Node) bool {
	parent, key := find(root, o.path.Value)
	if parent == nil {
		return false
	}
	switch parent.Kind {
	case yaml.MappingNode:
		if was := child(parent, key); was != nil {
			Replace(n, was, HeadOf(o.op))
			return put(parent, key, n)
		}
		name := &Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}
		Stamp(name, Trace{By: JSONPatch, From: PointsOf(HeadOf(o.path))})
		parent.Content = append(parent.Content, name, n)
		return true
	case yaml.SequenceNode:
		if key == "-" {
			parent.Content = append(parent.Content, n)
			return true
		}
		i, ok := index(key, len(parent.Content)+1)
		if ok {
			parent.Content = slices.Insert(parent.Content, i, n)
		}
		return ok
	}
	return false
}

func (o Operation) remove(root *Node, path string) *Node {
	parent, key := find(root, path)
	was := child(parent, key)
	if was == nil {
		return nil
	}
	if parent.Kind == yaml.SequenceNode {
		i, _ := index(key, len(parent.Content))
		parent.Content = slices.Delete(parent.Content, i, i+1)
		Lose(parent, i, HeadOf(o.op), was)
		return was
	}
	for i := 0; i+1 < len(parent.Content); i += 2 {
		if parent.Content[i].Value == key {
			parent.Content = slices.Delete(parent.Content, i, i+2)
			break
		}
	}
	Lose(parent, key, HeadOf(o.op), was)
	return was
}

// newValue is the operation's value, or the null that stands for none.
func (o Operation) newValue() *Node {
	if o.value == nil {
		return null()
	}
	return copyOf(o.value)
}

// null is what an operation puts somewhere that has nothing to put. There is no place where it could be changed.
func null() *Node {
	n := &Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	Stamp(n, Trace{By: JSONPatch})
	return n
}

// moved tells that an operation took a tree from another place. Who wants another value edits what was written there.
func (o Operation) moved(n *Node) *Node {
	if h := HeadOf(n); h.Source != 0 && len(n.Content) == 0 {
		t := Compose(JSONPatch, nil, h, h)
		t.From = append(t.From, PointsOf(HeadOf(o.from))...)
		Stamp(n, t)
	}
	for i, c := range n.Content {
		if n.Kind == yaml.SequenceNode || i%2 == 1 {
			o.moved(c)
		}
	}
	return n
}

func copyOf(n *Node) *Node {
	if n.Kind == yaml.AliasNode {
		return copyOf(n.Alias)
	}
	c := *n
	if len(n.Content) > 0 {
		c.Content = make([]*Node, len(n.Content))
		for i, item := range n.Content {
			c.Content[i] = copyOf(item)
		}
	}
	return &c
}

func unmark(n *Node) {
	n.Mark = 0
	for _, c := range n.Content {
		unmark(c)
	}
}

var pointer = strings.NewReplacer("~1", "/", "~0", "~")

// find follows a JSON pointer up to its last step, as json-patch does.
func find(n *Node, path string) (parent *Node, key string) {
	steps := strings.Split(path, "/")
	if len(steps) < 2 {
		return nil, ""
	}
	for _, step := range steps[1 : len(steps)-1] {
		if n = child(n, pointer.Replace(step)); n == nil {
			return nil, ""
		}
	}
	return n, pointer.Replace(steps[len(steps)-1])
}

func child(n *Node, key string) *Node {
	if n == nil || n.Kind != yaml.SequenceNode {
		return Field(n, key)
	}
	if i, ok := index(key, len(n.Content)); ok {
		return n.Content[i]
	}
	return nil
}

// index reads an index below n; a negative one counts from the end.
func index(key string, n int) (int, bool) {
	i, err := strconv.Atoi(key)
	if i < 0 {
		i += n
	}
	return i, err == nil && i >= 0 && i < n
}

func put(parent *Node, key string, value *Node) bool {
	if parent.Kind == yaml.SequenceNode {
		i, ok := index(key, len(parent.Content))
		if ok {
			parent.Content[i] = value
		}
		return ok
	}
	for i := 0; i+1 < len(parent.Content); i += 2 {
		if parent.Content[i].Value == key {
			parent.Content[i+1] = value
			return true
		}
	}
	return false
}

// Follow tells a tree who wrote the one that it was made from by way of another format, which has the same shape.
func Follow(n, from *Node) {
	if now == nil {
		return
	}
	n, from = content(n), content(from)
	if n == nil || from == nil || n.Kind != from.Kind {
		return
	}
	if n.Kind == yaml.ScalarNode && !sameScalar(n, from) {
		return
	}
	Set(n, HeadOf(from))
	n.Mark, n.Lost = from.Mark, from.Lost
	switch n.Kind {
	case yaml.SequenceNode:
		if len(n.Content) != len(from.Content) {
			return
		}
		for i, c := range n.Content {
			Follow(c, from.Content[i])
		}
	case yaml.MappingNode:
		entries := make(map[string][2]*Node, len(from.Content)/2)
		for i := 0; i+1 < len(from.Content); i += 2 {
			entries[from.Content[i].Value] = [2]*Node{from.Content[i], from.Content[i+1]}
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if e, ok := entries[n.Content[i].Value]; ok {
				Follow(n.Content[i], e[0])
				Follow(n.Content[i+1], e[1])
			}
		}
	}
}

func content(n *Node) *Node {
	for n != nil && (n.Kind == yaml.DocumentNode && len(n.Content) == 1 || n.Kind == yaml.AliasNode) {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		} else {
			n = n.Content[0]
		}
	}
	return n
}

// sameScalar allows for what another format does to a scalar: it writes numbers and nulls differently, and a text that was
// folded has other space in it.
func sameScalar(a, b *Node) bool {
	if a.Value == b.Value {
		return true
	}
	text := func(n *Node) bool { return n.ShortTag() == "!!str" }
	if text(a) != text(b) {
		return false
	}
	return !text(a) || slices.Equal(strings.Fields(a.Value), strings.Fields(b.Value))
}
