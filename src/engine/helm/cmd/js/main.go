//go:build js && wasm

// Command js is Helm's rendering of charts as a WebAssembly module. The host makes it ready as it does the others (../../../cmd/js), and
// calls it in the same way.
package main

import (
	"io"
	"log"
	"log/slog"
	"runtime/debug"
	"syscall/js"
	"time"

	"customizer-lint/helm/session"
)

// Of what a render makes most is garbage when it ends, and a run lasts for seconds.
const garbagePercent = 400

func main() {
	debug.SetGCPercent(garbagePercent)
	// Helm warns of values that it does not take.
	log.SetOutput(io.Discard)
	// The same on every machine.
	time.Local = time.UTC
	slog.SetDefault(slog.New(slog.DiscardHandler))
	s := session.New()
	call := js.FuncOf(func(_ js.Value, args []js.Value) any {
		in := make([]byte, args[0].Length())
		js.CopyBytesToGo(in, args[0])
		out := s.Call(in)
		answer := js.Global().Get("Uint8Array").New(len(out))
		js.CopyBytesToJS(answer, out)
		return answer
	})
	js.Global().Get("__engineReady").Invoke(call)
	select {}
}
