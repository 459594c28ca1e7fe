//go:build !js

package program

import (
	"bufio"
	"encoding/binary"
	"io"
)

// Serve answers each text of in with a text of out, one after the other, until in ends. Each stands behind its length, a
// little-endian uint32.
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
		if err := write(out, answer(call)); err != nil {
			return err
		}
	}
}

// write does it at once, as the host waits for the whole.
func write(out io.Writer, text []byte) error {
	_, err := out.Write(append(binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(text)), uint32(len(text))), text...))
	return err
}
