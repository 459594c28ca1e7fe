//go:build js && wasm

// Command js is the API server without a server as a WebAssembly module. The host makes it ready as it does the other one
// (../../../cmd/js), and calls it in the same way.
package main

import (
	"runtime/debug"
	"syscall/js"

	"k8s.io/klog/v2"

	"customizer-lint/apply/session"
)

func main() {
	klog.LogToStderr(false)
	// Collecting costs more than the memory is worth to a process that lives for seconds.
	debug.SetGCPercent(400)
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
