package main

// limits bounds what a hostile repository can make the engine do. What counts is in kyaml/trace/limits.go.
var limits = patch{
	name: "limits",
	edits: []edit{
		{yaml3, "scannerc.go", "10,000 levels overflow the stack of a WebAssembly host", []operation{
			swap("", "const max_flow_level = 10000", "const max_flow_level = 500"),
			swap("", "const max_indents = 10000", "const max_indents = 500"),
		}},
		{yaml2, "scannerc.go", "10,000 levels overflow the stack of a WebAssembly host", []operation{
			swap("", "const max_flow_level = 10000", "const max_flow_level = 500"),
			swap("", "const max_indents = 10000", "const max_indents = 500"),
		}},
		{kyaml, "kio/byteio_reader.go", "a file of nothing but separators, an anchor of anchors", []operation{
			before("(*ByteReader).Read", "index := 0", "if err := trace.CheckDocuments(len(values)); err != nil { return nil, errors.Wrap(err) }"),
			before("(*ByteReader).decode", "if yaml.IsYNodeEmptyDoc(node) {", "if err := trace.CheckAliases(node); err != nil { return nil, err }"),
		}},
	},
}
