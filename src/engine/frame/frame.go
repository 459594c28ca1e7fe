package frame

import (
	"encoding/binary"
	"fmt"
)

// Next cuts the first chunk off a frame. The chunk shares the frame's memory.
func Next(frame []byte) (chunk, rest []byte, err error) {
	if len(frame) < 4 {
		return nil, nil, fmt.Errorf("frame: %d bytes are no length", len(frame))
	}
	n := uint64(binary.LittleEndian.Uint32(frame))
	if n > uint64(len(frame)-4) {
		return nil, nil, fmt.Errorf("frame: a chunk of %d bytes in %d", n, len(frame)-4)
	}
	end := 4 + int(n)
	return frame[4:end:end], frame[end:], nil
}

// Append adds a chunk to a frame.
func Append(frame, chunk []byte) []byte {
	frame = binary.LittleEndian.AppendUint32(frame, uint32(len(chunk)))
	return append(frame, chunk...)
}
