// Command builtins writes apiserver/builtin.json: of the types that client-go's apply configurations hold as data, those of the
// kinds below and what they are made of. `go run ./builtins` in this module; a test sees that it is up to date.
package main

import (
	"fmt"
	"os"

	"customizer-lint/apply/builtins/subset"
)

func main() {
	text, err := subset.JSON()
	if err == nil {
		err = os.WriteFile("apiserver/builtin.json", text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
