//go:build !js

// Package program is what makes of a session a program for one system, beside the WebAssembly module that runs anywhere.
//
// It answers frames on standard input with frames on standard output until the input ends: each chunk is a call as the module takes
// it. Before the first it locks itself in (package lock) and says so, in a frame: {"locked":true}, or {"locked":false,"why":"…"}
// where that cannot be; then the host decides whether it goes on. It has no files, no network and no environment in any case, as it
// never asks for one.
package program

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"customizer-lint/program/lock"
)

// Main is the program, with what answers a call; `-memory BYTES` is the most that it may use.
func Main(answer func(call []byte) []byte) {
	memory := flag.Int64("memory", 0, "the most it may use, in bytes; 0 for no limit")
	flag.Parse()
	endWithParent()
	limitMemory(*memory)
	if err := run(os.Stdin, os.Stdout, answer); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A run lasts for seconds: collecting garbage is a fifth of a build, and pays only once there is much of it, as for the modules. A
// small limit leaves room for what is not yet collected.
const (
	garbagePercent = 400
	softLimit      = 256 << 20
	softShare      = 0.6
)

func limitMemory(bytes int64) {
	debug.SetGCPercent(garbagePercent)
	debug.SetMemoryLimit(softLimit)
	if bytes <= 0 {
		return
	}
	debug.SetMemoryLimit(min(softLimit, int64(float64(bytes)*softShare)))
	limitData(bytes)
}

func run(in io.Reader, out io.Writer, answer func(call []byte) []byte) error {
	state := map[string]any{"locked": true}
	if err := lock.Enter(); err != nil {
		state = map[string]any{"locked": false, "why": err.Error()}
	}
	said, err := json.Marshal(state)
	if err != nil {
		return err
	}
	if err := write(out, said); err != nil {
		return err
	}
	return Serve(in, out, answer)
}
