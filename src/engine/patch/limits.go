package main

// limits bounds what a hostile repository can make the engine do.
var limits = patch{name: "limits"}
