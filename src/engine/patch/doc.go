// Command patch makes the engine's own copies of the modules that it changes.
//
// Nothing of their source stands in this repository. The command copies each pinned module out of the module cache,
// compares every file it is going to edit with originals.txt, applies the declared edits by syntax tree, adds the files of
// _files/ and writes a go.mod that replaces the modules by the copies. An edit that does not find its place stops it, so a
// new upstream release cannot be patched by accident.
package main
