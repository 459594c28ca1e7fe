// Kubernetes' API server and its etcd in one program, which is the one it is called by the name of: one link, which needs
// 2 GB of memory, rather than two. Each takes its own flags, as the programs of those names in envtest's assets do.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	if os.Getenv("EXIT_WITH_STDIN") != "" {
		go exitWithStdin()
	}
	switch name := filepath.Base(os.Args[0]); name {
	case "kube-apiserver":
		os.Exit(cli.Run(app.NewAPIServerCommand()))
	case "etcd":
		etcdmain.Main(os.Args)
	default:
		fmt.Fprintf(os.Stderr, "%s: call me kube-apiserver or etcd\n", name)
		os.Exit(2)
	}
}

// exitWithStdin ends the program when whoever started it is gone, however that came about.
func exitWithStdin() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}
