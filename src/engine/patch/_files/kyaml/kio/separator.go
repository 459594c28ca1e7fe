package kio

import "regexp"

// separator is compiled once rather than for every file.
var separator = regexp.MustCompile(`\n---.*\n`)
