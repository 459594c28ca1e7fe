package flux

import (
	"strings"
	"testing"
)

func TestVariablesAreCountedBeforeTheyAreParsed(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("${a:=", n) + "z" + strings.Repeat("}", n) }
	tests := map[string]struct {
		text    string
		refused bool
	}{
		"as deep as can be":            {nested(maxNested), false},
		"one deeper":                   {nested(maxNested + 1), true},
		"10,000 deep":                  {nested(10_000), true},
		"never closed":                 {strings.Repeat("${a:=", 10_000), true},
		"as many as can be":            {strings.Repeat("${a}-", maxUses), false},
		"one more":                     {strings.Repeat("${a}-", maxUses+1), true},
		"escapes, which count as well": {strings.Repeat("$${a}", maxUses+1), true},
		"dollars that are none":        {strings.Repeat("$ ", 100_000), false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, err := Variables{}.eval(test.text)
			if refused := err != nil && strings.Contains(err.Error(), TooManyVariables); refused != test.refused {
				t.Errorf("refused: %v, wanted: %v (%v)", refused, test.refused, err)
			}
		})
	}
}

func TestUnknownVariablesStayAsWritten(t *testing.T) {
	variables := Variables{
		values:  map[string]string{"KNOWN": "k"},
		unknown: map[string]bool{"U": true},
	}
	for text, want := range map[string]string{
		"${U}":                  "${U}",
		"a-${U:=calm}-b":        "a-${U:=calm}-b",
		"${U:-calm}":            "${U:-calm}",
		"${U=${KNOWN}}":         "${U=${KNOWN}}",
		"${KNOWN:=${U}}":        "k",
		"${NONE:=${U}}":         "${U}",
		"${U^^}":                "${U^^}",
		"${U,}":                 "${U,}",
		"${U:0:3}":              "${U:0:3}",
		"${#U}":                 "${#U}",
		"${U##*/}":              "${U##*/}",
		"${U%.*}":               "${U%.*}",
		"${U/a/${KNOWN}}":       "${U/a/k}",
		"${NONE:=${U^^}}":       "${NONE:=${U^^}}",
		"$${U^^} ${KNOWN^^} $$": "${U^^} K $",
		"${KNOWN} ${NONE} ${U}": "k  ${U}",
		"${KNOWN/k/${U}} $5 $":  "${U} $5 $",
	} {
		t.Run(text, func(t *testing.T) {
			if got, _, err := variables.eval(text); err != nil || got != want {
				t.Errorf("got %q (%v), want %q", got, err, want)
			}
		})
	}
}

func TestUseOfUnknownVariableThatCannotBeKeptIsAnError(t *testing.T) {
	if got, _, err := (Variables{open: true}).eval("${U/}/x}"); err == nil {
		t.Errorf("got %q, want an error", got)
	}
}

func TestUnknownVariablesAreNotUndefined(t *testing.T) {
	variables := Variables{unknown: map[string]bool{"U": true}}
	_, undefined, err := variables.eval("${U} ${U:=x} ${NONE} ${NONE2:=x}")
	if got := strings.Join(undefined, " "); err != nil || got != "NONE" {
		t.Errorf("got %q (%v), want NONE", got, err)
	}
}
