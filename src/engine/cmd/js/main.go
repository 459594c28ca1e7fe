//go:build js && wasm

// Command js is the engine as a WebAssembly module.
//
// The host makes it ready in four steps: run wasm_exec.js of the same Go version, which defines globalThis.Go; make a
// `new Go()` and empty its environment (`go.env = {}`); set `globalThis.__engineReady` to a function; instantiate the
// module with `go.importObject` and call `go.run(instance)` without waiting for it, as it never ends. The module then calls
// `__engineReady(call)` once.
//
// `call` takes a frame (protocol.ts) as a Uint8Array and returns the answer as a Uint8Array of JSON in UTF-8. It is
// synchronous and never throws; only one call runs at a time, and the end of its worker is the only way to stop one.
package main

import (
	"io"
	"log"
	"runtime"
	"runtime/debug"
	"syscall/js"

	"customizer-lint/engine/session"
)

// A run lasts for seconds: collecting garbage is a fifth of a build, and pays only once there is much of it.
const (
	garbagePercent = 400
	softLimit      = 256 << 20
)

// A build makes about so many bytes of each that it reads.
const (
	bytesMade = 24
	worthIt   = 1 << 20
)

// reserve asks the host once for the addresses of all that a large call will need. Whenever the memory of a module grows, be it by a
// page, V8 takes the whole of it for new, and collects its own heap.
func reserve(bytes int) {
	if bytes < worthIt {
		return
	}
	room := make([]byte, min(bytes*bytesMade, softLimit*3/4))
	runtime.KeepAlive(room)
	room = nil
	runtime.GC()
}

func main() {
	debug.SetGCPercent(garbagePercent)
	debug.SetMemoryLimit(softLimit)
	// Kustomize warns of what it does not mind.
	log.SetOutput(io.Discard)
	var s session.Session
	call := js.FuncOf(func(_ js.Value, args []js.Value) any {
		in := make([]byte, args[0].Length())
		js.CopyBytesToGo(in, args[0])
		reserve(len(in))
		out := s.Call(in)
		answer := js.Global().Get("Uint8Array").New(len(out))
		js.CopyBytesToJS(answer, out)
		return answer
	})
	js.Global().Get("__engineReady").Invoke(call)
	select {}
}
