// Package descfmt prints descriptors.
package descfmt

import (
	"fmt"
	"io"

	"google.golang.org/protobuf/internal/pragma"
	"google.golang.org/protobuf/reflect/protoreflect"
)

type list interface {
	Len() int
	pragma.DoNotImplement
}

// FormatList prints how many there are.
func FormatList(s fmt.State, _ rune, vs list) { fmt.Fprintf(s, "[%d]", vs.Len()) }

// FormatDesc prints the name.
func FormatDesc(s fmt.State, _ rune, t protoreflect.Descriptor) {
	_, _ = io.WriteString(s, string(t.FullName()))
}
