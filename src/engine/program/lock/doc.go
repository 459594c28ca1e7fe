// Package lock takes from the process all that it could do to the machine it runs on: files, network, other processes. What is
// left are the pipes it was started with, memory, threads and the clock. There is no way back.
//
// Two walls, as each has holes that the other has not: Landlock (kernel 5.13 or later) refuses every path, seccomp every system
// call that Go's runtime does without.
package lock
