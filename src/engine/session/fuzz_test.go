package session

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"customizer-lint/engine/frame"
)

// Any bytes get an answer that is one JSON document, and none by way of a panic.
func FuzzCall(f *testing.F) {
	load := frame.Append(nil, []byte(`{"op":"load","links":["l"],"submodules":["m"],"refused":{"r":"why"},"ignore":"x"}`))
	f.Add(frame.Append(frame.Append(load, []byte("a.yaml")), []byte("a: b")), []byte(`{"op":"build","path":"."}`))
	f.Add(load, []byte(`{"op":"read","files":["a.yaml","r",".."]}`))
	f.Add(load, []byte(`{"op":"build","path":"../..","output":"objects","kustomization":{"postBuild":{"substitute":{"a":"b"}}}}`))
	f.Add(load, []byte(`{"op":"build","kustomization":{"patches":[{"patch":"- {op: add, path: /a, value: 1}","target":{"kind":".*"}}]}}`))
	f.Fuzz(func(t *testing.T, first, header []byte) {
		if len(first)+len(header) > 1<<16 {
			return
		}
		var s Session
		for _, call := range [][]byte{first, frame.Append(nil, header)} {
			answer := s.Call(call)
			var read struct {
				OK    bool
				Error *struct{ Message string }
			}
			if err := json.Unmarshal(answer, &read); err != nil || read.OK == (read.Error != nil) || !utf8.Valid(answer) {
				t.Fatalf("%v: %s", err, answer)
			}
			if read.Error != nil && strings.Contains(read.Error.Message, "recovered from a panic") {
				t.Fatal(read.Error.Message)
			}
		}
	})
}
