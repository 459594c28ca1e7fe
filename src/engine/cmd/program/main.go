//go:build !js

// Command program is the engine as a program for one system, beside the WebAssembly module that runs anywhere.
//
// It answers frames on standard input with frames on standard output until the input ends: each chunk is a call as the module takes
// it. Before the first it locks itself in (package lock) and says so, in a frame: {"locked":true}, or {"locked":false,"why":"…"}
// where that cannot be; then the host decides whether it goes on. It has no files, no network and no environment in any case, as it
// never asks for one.
//
//	program [-memory BYTES]
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"customizer-lint/engine/frame"
	"customizer-lint/engine/lock"
	"customizer-lint/engine/session"
)

func main() {
	memory := flag.Int64("memory", 0, "the most it may use, in bytes; 0 for no limit")
	flag.Parse()
	endWithParent()
	limitMemory(*memory)
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A run lasts for seconds: collecting garbage as seldom as the limit allows is cheapest.
const (
	garbagePercent = 400
	softShare      = 0.6
)

func limitMemory(bytes int64) {
	debug.SetGCPercent(garbagePercent)
	if bytes <= 0 {
		return
	}
	debug.SetMemoryLimit(int64(float64(bytes) * softShare))
	limitData(bytes)
}

func serve(in io.Reader, out io.Writer) error {
	state := map[string]any{"locked": true}
	if err := lock.Enter(); err != nil {
		state = map[string]any{"locked": false, "why": err.Error()}
	}
	said, err := json.Marshal(state)
	if err != nil {
		return err
	}
	if _, err := out.Write(frame.Append(nil, said)); err != nil {
		return err
	}
	var s session.Session
	return frame.Serve(in, out, s.Call)
}
