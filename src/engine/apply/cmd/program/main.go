//go:build !js

// Command program is the API server without a server as it is shipped for one system (package program).
package main

import (
	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"customizer-lint/apply/session"
	"customizer-lint/program"
)

func main() {
	klog.SetLogger(logr.Discard())
	program.Main(session.New().Call)
}
