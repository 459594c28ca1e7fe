package util

import (
	"errors"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// ordered sorts what does not fit a schema, which comes in the random order of maps, so that the same values fail with the same words.
func ordered(err error) error {
	if invalid := (*jsonschema.ValidationError)(nil); errors.As(err, &invalid) {
		sortCauses(invalid)
	}
	return err
}

func sortCauses(e *jsonschema.ValidationError) {
	if unknown, ok := e.ErrorKind.(*kind.AdditionalProperties); ok {
		slices.Sort(unknown.Properties)
	}
	for _, cause := range e.Causes {
		sortCauses(cause)
	}
	slices.SortStableFunc(e.Causes, func(a, b *jsonschema.ValidationError) int { return strings.Compare(a.Error(), b.Error()) })
}
