// Command applied says what Flux applies of a commit, by the packages that Flux is made of: one question a line on standard
// input, one answer a line on standard output, both JSON (parity.Question, parity.Answer).
package main

import (
	"fmt"
	"os"

	"customizer-lint/engine/parity"
)

func main() {
	if err := parity.AnswerQuestions(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
