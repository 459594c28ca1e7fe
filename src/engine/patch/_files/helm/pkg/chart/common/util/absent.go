package util

import "fmt"

// absent reads nothing: a chart's schema is compiled without what it refers to elsewhere.
type absent struct{}

func (absent) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not read", url) }
