package openapi

// Changes counts how often the schema was changed, for those who remember what follows from it.
var Changes int
