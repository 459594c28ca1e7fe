//go:build !js

package frame

import (
	"bufio"
	"encoding/binary"
	"io"
)

// Serve answers each chunk of in with a chunk of out, one after the other, until in ends.
func Serve(in io.Reader, out io.Writer, answer func(call []byte) []byte) error {
	r := bufio.NewReader(in)
	for {
		var length uint32
		if err := binary.Read(r, binary.LittleEndian, &length); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		call := make([]byte, length)
		if _, err := io.ReadFull(r, call); err != nil {
			return err
		}
		if _, err := out.Write(Append(nil, answer(call))); err != nil {
			return err
		}
	}
}
