package main

// trace records where every object comes from and what each step did to it.
var trace = patch{name: "trace"}
