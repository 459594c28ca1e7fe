package common

// Asked is told of each API version that a template asks for.
var Asked = func(apiVersion string) {}
