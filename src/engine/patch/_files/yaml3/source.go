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

// A Loss is a field that a node had and has no more, and what took it.
type Loss struct {
	Key  interface{}
	By   Head
	Next *Loss
}
