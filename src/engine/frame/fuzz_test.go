package frame

import (
	"bytes"
	"testing"
)

// Any bytes are cut into chunks or refused, and what was cut makes the same bytes again.
func FuzzNext(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 0, 0, 0, 'a', 0, 0, 0, 0})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 'a'})
	f.Add([]byte{0, 0, 0, 0x80})
	f.Fuzz(func(t *testing.T, frame []byte) {
		var again []byte
		for rest := frame; len(rest) > 0; {
			chunk, after, err := Next(rest)
			if err != nil {
				if chunk != nil || after != nil {
					t.Fatalf("a refusal with %d and %d bytes", len(chunk), len(after))
				}
				again = append(again, rest...)
				break
			}
			if len(after) >= len(rest) {
				t.Fatal("nothing was cut off")
			}
			if cap(chunk) != len(chunk) {
				t.Fatal("an append to the chunk would write over the next one")
			}
			again, rest = Append(again, chunk), after
		}
		if !bytes.Equal(again, frame) {
			t.Fatalf("%x became %x", frame, again)
		}
	})
}
