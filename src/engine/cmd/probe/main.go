//go:build js && wasm

// Command probe is an engine gone bad: it reaches through JavaScript's global object for the environment, the disk, the
// network and the host's own functions, and answers with all that it got hold of. The sandbox must leave it nothing.
package main

import (
	"encoding/json"
	"os"
	"syscall/js"
)

// attempts are JavaScript expressions, by what they would give away.
var attempts = map[string]string{
	"environment":       `process.env.PATH`,
	"file":              `require('fs').readFileSync('/etc/hostname', 'utf8')`,
	"built-in module":   `process.getBuiltinModule('fs')`,
	"network":           `fetch`,
	"socket":            `WebSocket`,
	"module":            `module`,
	"dynamic import":    `import('node:fs')`,
	"timers":            `setImmediate`,
	"message port":      `MessageChannel`,
	"web worker":        `Worker`,
	"broadcast channel": `BroadcastChannel`,
}

// global gets what can be had without evaluating text: properties of the global object, and what hangs on them.
func global(path ...string) (found string) {
	defer func() {
		if recover() != nil {
			found = ""
		}
	}()
	value := js.Global()
	for _, name := range path {
		value = value.Get(name)
		if value.IsUndefined() || value.IsNull() {
			return ""
		}
	}
	return value.String()
}

// evaluate runs an expression through every constructor that makes functions of text.
func evaluate(expression string) (found string) {
	makers := [][]string{{"Function"}, {"eval"}, {"Array", "constructor"}, {"console", "log", "constructor"}, {"__engineReady", "constructor"},
		{"performance", "now", "constructor"}, {"crypto", "getRandomValues", "constructor"}, {"TextEncoder", "constructor"}}
	for _, maker := range makers {
		func() {
			defer func() { _ = recover() }()
			make := js.Global()
			for _, name := range maker {
				make = make.Get(name)
			}
			result := make.Invoke("return " + expression)
			if maker[0] != "eval" {
				result = result.Invoke()
			}
			if !result.IsUndefined() && !result.IsNull() {
				found = result.String()
			}
		}()
	}
	return found
}

func probe() map[string]string {
	found := map[string]string{}
	note := func(what, got string) {
		if got != "" {
			found[what] = got
		}
	}
	for what, expression := range attempts {
		note(what+" by evaluation", evaluate(expression))
	}
	note("process.env", global("process", "env"))
	note("process.version", global("process", "version"))
	note("require", global("require"))
	note("fetch", global("fetch"))
	note("XMLHttpRequest", global("XMLHttpRequest"))
	if _, err := os.ReadFile("/etc/hostname"); err == nil {
		found["os.ReadFile"] = "worked"
	}
	if len(os.Environ()) > 0 {
		found["os.Environ"] = "not empty"
	}
	return found
}

func main() {
	js.Global().Get("__engineReady").Invoke(js.FuncOf(func(js.Value, []js.Value) any {
		out, _ := json.Marshal(map[string]any{"ok": true, "found": probe()})
		answer := js.Global().Get("Uint8Array").New(len(out))
		js.CopyBytesToJS(answer, out)
		return answer
	}))
	select {}
}
