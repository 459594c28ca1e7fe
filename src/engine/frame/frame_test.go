package frame

import (
	"bytes"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	want := [][]byte{[]byte("header"), {}, []byte("a: 1\n")}
	var frame []byte
	for _, chunk := range want {
		frame = Append(frame, chunk)
	}
	for _, chunk := range want {
		got, rest, err := Next(frame)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, chunk) {
			t.Errorf("got %q, want %q", got, chunk)
		}
		frame = rest
	}
	if len(frame) != 0 {
		t.Errorf("%d bytes are left", len(frame))
	}
}

func TestNextRefuses(t *testing.T) {
	for name, frame := range map[string][]byte{
		"nothing":         {},
		"half a length":   {1, 0},
		"too few bytes":   {2, 0, 0, 0, 'a'},
		"an absurd claim": {255, 255, 255, 255, 'a'},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := Next(frame); err == nil {
				t.Error("want an error")
			}
		})
	}
}
