//go:build !linux

package lock

import "errors"

// Enter fails: this system has no lock that a process can put on itself.
func Enter() error { return errors.New("this system has none") }
