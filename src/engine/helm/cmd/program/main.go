//go:build !js

// Command program is the rendering of charts as it is shipped for one system (package program).
package main

import (
	"io"
	"log"
	"log/slog"
	"time"

	"customizer-lint/helm/session"
	"customizer-lint/program"
)

func main() {
	log.SetOutput(io.Discard)
	// The same on every machine.
	time.Local = time.UTC
	slog.SetDefault(slog.New(slog.DiscardHandler))
	program.Main(session.New().Call)
}
