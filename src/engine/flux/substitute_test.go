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
			_, _, err := Variables{values: map[string]string{}}.eval(test.text)
			if refused := err != nil && strings.Contains(err.Error(), TooManyVariables); refused != test.refused {
				t.Errorf("refused: %v, wanted: %v (%v)", refused, test.refused, err)
			}
		})
	}
}
