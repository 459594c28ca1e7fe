//go:build unix && !js

package program

import "syscall"

// What Go maps beyond its heap: its tables, stacks, and what the garbage collector returns late.
const runtimeData = 128 << 20

// limitData ends the process where it has more memory than it may, between two looks of the host.
func limitData(bytes int64) {
	limit := uint64(bytes) + runtimeData
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: limit, Max: limit})
}
