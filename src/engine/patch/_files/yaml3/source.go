package yaml

// CurrentSource is what the nodes that are parsed now are marked with; 0: they are not.
var CurrentSource int32

// Aliases counts the aliases met by all parsers.
var Aliases int
