package yaml

// CurrentSource is what the nodes that are parsed now are marked with; 0: they are not.
var CurrentSource int32

// Aliases counts the aliases met by all parsers.
var Aliases int

// A Head is where a node is from: with a positive Source the document and the place in it where it was parsed, with a
// negative one the operation that wrote it, with none nobody knows.
type Head struct {
	Source       int32
	Line, Column int
}

// A Loss is a field that a node had and has no more, and what took it. Within are the losses of the field itself: what it had
// lost before, and what went with it. They count if another step sets the field again.
type Loss struct {
	Key          interface{}
	By           Head
	Within, Next *Loss
}
