//go:build !linux && !js

package main

func endWithParent() {}
