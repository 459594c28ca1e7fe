package main

import (
	"strings"
	"testing"
)

const original = `package p

import (
	"fmt"
	other "os"
)

// T is a type.
type T struct {
	a int
}

// M has a comment.
func (t *T) M() string {
	return fmt.Sprint(t.a)
}

func (t T) V() {}

func F(x int) int {
	x++
	return x
}
`

func TestOperations(t *testing.T) {
	for name, c := range map[string]struct {
		do   operation
		want string
	}{
		"rename a method":       {rename("(*T).M", "upstreamM"), "func (t *T) upstreamM() string {"},
		"rename a value method": {rename("(T).V", "w"), "func (t T) w() {}"},
		"replace a body":        {body("F", "return 1"), "func F(x int) int { return 1"},
		"add a field":           {field("T", "b string"), "type T struct { b string;"},
		"swap a text":           {swap("F", "x++", "x--"), "\tx--\n"},
		"put before":            {before("F", "return x", "x *= 2"), "\tx *= 2; return x\n"},
		"put behind":            {after("F", "x++", "x *= 2"), "\tx++; x *= 2\n"},
		"import":                {imports("strings"), `package p; import "strings"`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := apply("p.go", []byte(original), []operation{c.do})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(got), c.want) {
				t.Errorf("%s\nlacks %s", got, c.want)
			}
			if lines := strings.Count(string(got), "\n"); lines != strings.Count(original, "\n") {
				t.Errorf("%d lines", lines)
			}
		})
	}
}

func TestRemovals(t *testing.T) {
	got, err := apply("p.go", []byte(original), []operation{remove("(*T).M"), unimport("os"), unimport("fmt")})
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"has a comment", "Sprint", "other", `"fmt"`} {
		if strings.Contains(string(got), gone) {
			t.Errorf("%s is still there", gone)
		}
	}
}

func TestAnEditThatFindsNoPlaceStops(t *testing.T) {
	for name, do := range map[string][]operation{
		"no such function":  {rename("(*T).X", "y")},
		"no such receiver":  {remove("(T).M")},
		"no such struct":    {field("F", "x int")},
		"no such text":      {swap("F", "y++", "")},
		"the text is twice": {swap("", "return", "")},
		"in another place":  {swap("F", "Sprint", "")},
		"no such import":    {unimport("io")},
		"overlapping edits": {swap("F", "x++", "x--"), body("F", "return 1")},
		"not Go any more":   {swap("F", "x++", "x+=")},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := apply("p.go", []byte(original), do); err == nil {
				t.Errorf("made\n%s", got)
			}
		})
	}
}

// Every edit says why, and no file is edited that is not held against its hash.
func TestSpecsAreComplete(t *testing.T) {
	t.Chdir("..")
	for name, target := range targets {
		t.Run(name, func(t *testing.T) { isComplete(t, target) })
	}
}

func isComplete(t *testing.T, target target) {
	sums, err := target.readOriginals()
	if err != nil {
		t.Fatal(err)
	}
	edited := map[string]bool{}
	for _, p := range target.patches {
		for _, e := range p.edits {
			edited[e.file] = true
			if e.why == "" || len(e.do) == 0 {
				t.Errorf("%s: %s: no reason or no edit", p.name, e.file)
			}
		}
		for _, f := range p.files {
			if f.why == "" {
				t.Errorf("%s: %s: no reason", p.name, f.path)
			}
		}
	}
	for key := range sums {
		_, file, _ := strings.Cut(key[strings.Index(key, "@"):], "/")
		if !edited[file] {
			t.Errorf("%s is in originals.txt, but not edited", key)
		}
	}
}
