package charts

import (
	"fmt"
	"math"
	"strings"
	"text/template"

	"helm.sh/helm/v4/pkg/engine"
)

// What a list or a text may have that one function makes.
const (
	mostItems  = 1 << 20
	mostIndent = 1 << 16
	mostText   = MaxBytes / 4
)

// most is the error of a number that is too large.
func most(count, bound int, name string) error {
	if count > bound {
		return engine.Exceed("%s of more than %d is not rendered", name, bound)
	}
	return nil
}

// text bounds what a function gives.
func text(name, made string) (string, error) {
	if len(made) > mostText {
		return "", engine.Exceed("%s makes more than %d bytes", name, mostText)
	}
	return made, nil
}

// bounded are the functions that make much out of little, or of themselves, each time twice as much; no other can do harm so fast.
func bounded() template.FuncMap {
	cat, concat := sprigs["cat"].(func(...any) string), sprigs["concat"].(func(...any) any)
	join := sprigs["join"].(func(string, any) string)
	return template.FuncMap{
		"repeat": func(count int, of string) (string, error) {
			if count > 0 && len(of) > 0 && count > mostText/len(of) {
				return "", engine.Exceed("repeat makes more than %d bytes", mostText)
			}
			return strings.Repeat(of, count), nil // panics as sprig's does for less than nothing
		},
		"replace": func(old, by, in string) (string, error) {
			if count := strings.Count(in, old); len(by) > len(old) && count > mostText/(len(by)-len(old)) {
				return "", engine.Exceed("replace makes more than %d bytes", mostText)
			}
			return text("replace", strings.ReplaceAll(in, old, by))
		},
		"printf": func(format string, values ...any) (string, error) {
			return text("printf", fmt.Sprintf(format, values...))
		},
		"print":   func(values ...any) (string, error) { return text("print", fmt.Sprint(values...)) },
		"println": func(values ...any) (string, error) { return text("println", fmt.Sprintln(values...)) },
		"cat":     func(values ...any) (string, error) { return text("cat", cat(values...)) },
		"join":    func(separator string, of any) (string, error) { return text("join", join(separator, of)) },
		"concat": func(lists ...any) (any, error) {
			count := 0
			for _, list := range lists {
				if items, ok := list.([]any); ok {
					count += len(items)
				}
			}
			if err := most(count, mostItems, "concat"); err != nil {
				return nil, err
			}
			return concat(lists...), nil
		},
		"until": func(count int) ([]int, error) { return steps(0, count, sign(count)) },
		// The names of sprig.
		"untilStep": steps,
		"seq":       sequence,
		"indent":    indented,
		"nindent": func(spaces int, of string) (string, error) {
			made, err := indented(spaces, of)
			return "\n" + made, err
		},
	}
}

func sign(count int) int {
	if count < 0 {
		return -1
	}
	return 1
}

// steps are those of sprig's untilStep, which gives none for a step that goes nowhere.
func steps(start, stop, step int) ([]int, error) {
	out := []int{}
	if step == 0 || (stop < start) != (step < 0) {
		return out, nil
	}
	if count := math.Abs(float64(stop)-float64(start)) / math.Abs(float64(step)); count > mostItems {
		return nil, engine.Exceed("a list of more than %d numbers is not rendered", mostItems)
	}
	// With a large step the sum of both may be no number any more.
	for i := start; ((step > 0 && i < stop) || (step < 0 && i > stop)) && len(out) <= mostItems; i += step {
		out = append(out, i)
	}
	return out, nil
}

// sequence writes the numbers of a range that has both ends, as sprig's seq does.
func sequence(of ...int) (string, error) {
	start, step, end := 1, 1, 0
	switch len(of) {
	case 1:
		end = of[0]
	case 2:
		start, end = of[0], of[1]
	case 3:
		start, step, end = of[0], of[1], of[2]
	default:
		return "", nil
	}
	last := 1
	if end < start {
		if last = -1; len(of) == 3 && step > 0 {
			return "", nil
		}
		if len(of) < 3 {
			step = -1
		}
	}
	numbers, err := steps(start, end+last, step)
	if err != nil {
		return "", err
	}
	return strings.Trim(fmt.Sprint(numbers), "[]"), nil
}

func indented(spaces int, of string) (string, error) {
	if err := most(spaces, mostIndent, "indent"); err != nil {
		return "", err
	}
	pad := strings.Repeat(" ", spaces)
	if lines := strings.Count(of, "\n") + 1; lines*len(pad) > mostText {
		return "", engine.Exceed("indent makes more than %d bytes", mostText)
	}
	return pad + strings.ReplaceAll(of, "\n", "\n"+pad), nil
}
