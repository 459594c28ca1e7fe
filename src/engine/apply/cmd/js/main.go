//go:build js && wasm

// Command js is the API server without a server as a WebAssembly module. The host makes it ready as it does the other one
// (../../../cmd/js), and calls it in the same way.
package main

import (
	"runtime"
	"syscall/js"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"customizer-lint/apply/session"
)

// ballast is memory that is never touched, and so costs nothing but addresses. The heap counts as that much larger: it is
// collected every 70 MiB, not every 5 as by its few MiB of live objects, and never in a session of some hundred writes.
var ballast []byte

// reserve asks the host for the addresses of all that between two collections at once. Whenever the memory of a module grows,
// be it by a page, V8 takes the whole of it for new, and collects its own heap.
func reserve() {
	room := make([]byte, 80<<20)
	ballast = make([]byte, 64<<20)
	runtime.KeepAlive(room)
	room = nil
	runtime.GC()
}

func main() {
	klog.SetLogger(logr.Discard())
	reserve()
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
