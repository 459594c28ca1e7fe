//go:build !js

// Command program is the engine as it is shipped for one system (package program).
package main

import (
	"customizer-lint/engine/session"
	"customizer-lint/program"
)

func main() {
	var s session.Session
	program.Main(s.Call)
}
