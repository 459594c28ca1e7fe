// Package direct reads and writes CBOR nowhere.
package direct

import "errors"

var errNotLinked = errors.New("CBOR is not linked")

// Marshal refuses.
func Marshal(any) ([]byte, error) { return nil, errNotLinked }

// Unmarshal refuses.
func Unmarshal([]byte, any) error { return errNotLinked }

// Diagnose refuses.
func Diagnose([]byte) (string, error) { return "", errNotLinked }
