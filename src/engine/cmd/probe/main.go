//go:build js && wasm

// Command probe is a module in the engine's place that tries what the engine must not be able to do, to test the walls around
// it: it answers any call with what it could reach of the environment, the file system and the network.
//
// The host makes it ready as it does the engine (cmd/js). The answer is JSON, e.g.
//
//	{"ok":true,"reached":{"process.env":["PATH"],"fs":["/etc/hostname"],"fetch":["a function"],"go.env":["HOME"]}}
//
// with an empty object for reached if there is nothing.
package main

import (
	"encoding/json"
	"os"
	"syscall/js"
)

func main() {
	call := js.FuncOf(func(js.Value, []js.Value) any {
		out, err := json.Marshal(map[string]any{"ok": true, "reached": probe()})
		if err != nil {
			panic(err)
		}
		answer := js.Global().Get("Uint8Array").New(len(out))
		js.CopyBytesToJS(answer, out)
		return answer
	})
	js.Global().Get("__engineReady").Invoke(call)
	select {}
}

// probe lists what could be reached, by the way that led there.
func probe() map[string][]string {
	reached := map[string][]string{}
	try := func(way string, find func() []string) {
		defer func() { recover() }()
		if found := find(); len(found) > 0 {
			reached[way] = found
		}
	}
	global := js.Global()
	try("go.env", func() []string { return os.Environ() })
	try("process.env", func() []string { return keys(global.Get("process").Get("env")) })
	try("process.argv", func() []string { return strings(global.Get("process").Get("argv")) })
	for _, name := range []string{"fetch", "WebSocket", "XMLHttpRequest", "require", "EventSource"} {
		try(name, func() []string {
			if global.Get(name).Type() == js.TypeFunction {
				return []string{"a function"}
			}
			return nil
		})
	}
	try("process.binding", func() []string {
		for _, name := range []string{"binding", "dlopen", "getBuiltinModule", "kill"} {
			if global.Get("process").Get(name).Type() == js.TypeFunction {
				return []string{name}
			}
		}
		return nil
	})
	try("fs", func() []string {
		text := global.Get("fs").Call("readFileSync", "/etc/hostname", "utf8")
		return []string{"/etc/hostname: " + text.String()}
	})
	try("os.ReadFile", func() []string {
		// The shim's own callbacks: this one works synchronously only if the host answers at once.
		done := make(chan []string, 1)
		callback := js.FuncOf(func(_ js.Value, args []js.Value) any {
			if len(args) > 1 && args[0].IsNull() {
				done <- []string{"opened /etc/hostname"}
			} else {
				done <- nil
			}
			return nil
		})
		global.Get("fs").Call("open", "/etc/hostname", 0, 0, callback)
		select {
		case found := <-done:
			return found
		default:
			return nil
		}
	})
	for _, maker := range makers {
		for what, expression := range loot {
			try(what+" by evaluation", func() []string { return []string{evaluate(global, maker, expression)} })
		}
	}
	return reached
}

// makers lead to functions that make code of text: an object of the host would give away the host's own.
var makers = [][]string{{"Function"}, {"Array", "constructor"}, {"console", "log", "constructor"}, {"__engineReady", "constructor"},
	{"performance", "now", "constructor"}, {"crypto", "getRandomValues", "constructor"}, {"TextEncoder", "constructor"}, {"setTimeout", "constructor"}}

// loot is what such code would fetch.
var loot = map[string]string{
	"environment":     "process.env.PATH",
	"built-in module": "process.getBuiltinModule('fs')",
	"dynamic import":  "import('node:fs')",
	"network":         "fetch",
}

// evaluate panics where there is no such maker, or it may not make code.
func evaluate(global js.Value, maker []string, expression string) string {
	for _, name := range maker {
		global = global.Get(name)
	}
	found := global.Invoke("return " + expression).Invoke()
	if found.IsUndefined() || found.IsNull() {
		panic("nothing")
	}
	return found.String()
}

func keys(object js.Value) []string {
	return strings(js.Global().Get("Object").Call("keys", object))
}

func strings(list js.Value) []string {
	var out []string
	for i := range list.Length() {
		out = append(out, list.Index(i).String())
	}
	return out
}
