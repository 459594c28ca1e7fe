package flux

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/envsubst"
	"github.com/fluxcd/pkg/envsubst/parse"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/yaml"
)

const (
	substituteKey = "kustomize.toolkit.fluxcd.io/substitute"
	disabled      = "disabled"
	variableName  = "^[_[:alpha:]][_[:alpha:][:digit:]]*$"
)

const (
	// ExpandsTooFar begins the error of an object whose variables are worth more than maxExpanded bytes.
	ExpandsTooFar = "the variables expand to more than"
	maxExpanded   = 8 << 20

	// TooManyVariables begins the error of an object that uses more than maxUses, or nests them deeper than maxNested: envsubst
	// parses them by recursion, and the stack of WebAssembly, unlike Go's own, does not grow.
	TooManyVariables = "the object uses variables more than"
	maxUses          = 3000
	maxNested        = 100
)

// Variables are what postBuild substitutes.
type Variables struct {
	values map[string]string
	// unknown has the names that an object defines whose values are not known, such as a Secret.
	unknown map[string]bool
	// open: an object of the cluster may define more variables, so each undefined one is unknown.
	open bool
}

// VariablesOf collects the variables of a Flux object; false means that Flux would substitute nothing.
func VariablesOf(k Kustomization) (Variables, bool) {
	if k.PostBuild == nil {
		return Variables{}, false
	}
	v := Variables{values: map[string]string{}, unknown: map[string]bool{}, open: len(k.PostBuild.SubstituteFrom) > 0}
	for _, name := range k.PostBuild.Unknown {
		v.unknown[name] = true
	}
	for name, value := range k.PostBuild.Substitute {
		v.values[name] = strings.ReplaceAll(value, "\n", "")
	}
	return v, len(v.values) > 0 || len(v.unknown) > 0 || v.open
}

// isUnknown is true for a variable that has a value, or may have one, which only the cluster knows.
func (v Variables) isUnknown(name string) bool {
	_, isKnown := v.values[name]
	return !isKnown && (v.open || v.unknown[name])
}

// Substitute replaces variables in an object, whose values are guessed anew from the text as YAML 1.1. It returns the names
// that are not defined. It is SubstituteVariables of kustomize_varsub.go, not strict, as is the controller's default.
func (v Variables) Substitute(res *resource.Resource) (undefined []string, err error) {
	text, err := res.AsYAML()
	if err != nil {
		return nil, err
	}
	if res.GetLabels()[substituteKey] == disabled || res.GetAnnotations()[substituteKey] == disabled {
		return nil, nil
	}
	output, undefined, err := v.eval(string(text))
	if err != nil {
		return nil, fmt.Errorf("envsubst error: %w", err)
	}
	json, err := yaml.YAMLToJSON([]byte(output))
	if err != nil {
		return nil, fmt.Errorf("envsubst error: %w", fmt.Errorf("YAMLToJSON: %w", err))
	}
	was := res.YNode()
	if err := res.UnmarshalJSON(json); err != nil {
		return nil, fmt.Errorf("UnmarshalJSON: %w", err)
	}
	v.tell(res.YNode(), was)
	return undefined, nil
}

func (v Variables) eval(text string) (output string, undefined []string, err error) {
	valid := regexp.MustCompile(variableName)
	for _, name := range slices.Sorted(maps.Keys(v.values)) {
		if !valid.MatchString(name) {
			err := fmt.Errorf("'%s' var name is invalid, must match '%s'", name, variableName)
			return "", nil, &SpecError{Field{"spec", "postBuild", "substitute", name}, err}
		}
	}
	if err := checkUses(text); err != nil {
		return "", nil, err
	}
	text = v.escapeUnknown(text)
	tree, err := parse.Parse(text)
	if err != nil {
		return "", nil, fmt.Errorf("variable substitution failed: %w", err)
	}
	uses := usesIn(tree.Root, nil)
	if i := slices.IndexFunc(uses, v.isLost); i >= 0 {
		return "", nil, fmt.Errorf("variable substitution failed: the value of %q is unknown here", uses[i].Param)
	}
	expanded := 0
	output, err = envsubst.Eval(text, func(name string) (string, bool) {
		use := uses[0]
		uses = uses[1:]
		if expanded > maxExpanded {
			return "", true
		}
		if value, ok := v.values[name]; ok {
			expanded += len(value)
			return value, true
		}
		if !hasDefault(use) && !v.unknown[name] {
			undefined = append(undefined, name)
		}
		if v.isUnknown(name) {
			return sourceOf(use), true
		}
		return "", true
	})
	if err != nil {
		return "", nil, fmt.Errorf("variable substitution failed: %w", err)
	}
	if expanded > maxExpanded {
		return "", nil, fmt.Errorf("%s %d bytes", ExpandsTooFar, maxExpanded)
	}
	return output, undefined, nil
}

// checkUses counts what may begin a use, and how many are open at once: never less than there are.
func checkUses(text string) error {
	uses, open := 0, 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '}' && open > 0:
			open--
		case text[i] == '$' && i+1 < len(text) && (text[i+1] == '{' || text[i+1] == '$'):
			uses++
			if text[i+1] == '{' {
				open++
			}
			i++
		}
		if uses > maxUses {
			return fmt.Errorf("%s %d times", TooManyVariables, maxUses)
		}
		if open > maxNested {
			return fmt.Errorf("%s %d deep in each other", TooManyVariables, maxNested)
		}
	}
	return nil
}

// usesIn lists the uses of variables in the order in which envsubst asks for their values: arguments first.
func usesIn(node parse.Node, uses []*parse.FuncNode) []*parse.FuncNode {
	switch n := node.(type) {
	case *parse.ListNode:
		for _, child := range n.Nodes {
			uses = usesIn(child, uses)
		}
	case *parse.FuncNode:
		for _, arg := range n.Args {
			uses = usesIn(arg, uses)
		}
		uses = append(uses, n)
	}
	return uses
}

// hasDefault is true for the operators that give an undefined variable a value (envsubst/template.go lookupFunc).
func hasDefault(use *parse.FuncNode) bool {
	return slices.Contains([]string{"=", ":=", ":-", "-"}, use.Name)
}

// isLost is true for a use of an unknown variable whose operator would change the text that is left in its place.
func (v Variables) isLost(use *parse.FuncNode) bool {
	keeps := hasDefault(use) || slices.Contains([]string{"", ":?", ":+", "+"}, use.Name)
	return !keeps && v.isUnknown(use.Param)
}

// escapeUnknown escapes the uses that isLost, and those around them, so that envsubst leaves them as written. A use that is never
// closed, or that is not found by its braces, stays as it is.
func (v Variables) escapeUnknown(text string) string {
	if !v.open && len(v.unknown) == 0 {
		return text
	}
	var out strings.Builder
	for at := 0; at < len(text); {
		dollar := strings.IndexByte(text[at:], '$')
		if dollar < 0 {
			out.WriteString(text[at:])
			break
		}
		out.WriteString(text[at : at+dollar])
		at += dollar
		switch rest := text[at:]; {
		case strings.HasPrefix(rest, "$$"):
			out.WriteString("$$")
			at += 2
		case strings.HasPrefix(rest, "${"):
			use := rest[:endOfUse(rest)]
			if tree, err := parse.Parse(use); err == nil && slices.ContainsFunc(usesIn(tree.Root, nil), v.isLost) {
				out.WriteString("$${")
				at += 2
				continue
			}
			out.WriteString(use)
			at += len(use)
		default:
			out.WriteByte('$')
			at++
		}
	}
	return out.String()
}

// endOfUse returns the offset after the brace that closes the use at the start of the text; its length if none does.
func endOfUse(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "${"):
			depth++
			i++
		case text[i] == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// sourceOf returns a use of a variable as it is written.
func sourceOf(node parse.Node) string {
	switch n := node.(type) {
	case *parse.TextNode:
		return n.Value
	case *parse.FuncNode:
		args := make([]string, len(n.Args))
		for i, arg := range n.Args {
			args[i] = sourceOf(arg)
		}
		return "${" + n.Param + n.Name + strings.Join(args, "") + "}"
	}
	return ""
}
