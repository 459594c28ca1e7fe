// Command unpatched builds a directory with kustomize as it is released, with Flux's options, to compare the engine with.
//
//	unpatched -root REPOSITORY [-path DIR] [-output yaml|digest] [-stats]
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	root := flag.String("root", ".", "the repository")
	path := flag.String("path", ".", "the directory to build, relative to it")
	output := flag.String("output", "yaml", "what to print: yaml or digest")
	stats := flag.Bool("stats", false, "print seconds and MiB to standard error")
	flag.Parse()

	started := time.Now()
	text, err := build(filepath.Join(*root, *path))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if *output == "digest" {
		fmt.Printf("%x\n", sha256.Sum256(text))
	} else {
		os.Stdout.Write(text)
	}
	if *stats {
		var usage syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
		fmt.Fprintf(os.Stderr, `{"seconds":%.3f,"mebibytes":%d}`+"\n", time.Since(started).Seconds(), usage.Maxrss>>10)
	}
}

func build(dir string) ([]byte, error) {
	m, err := krusty.MakeKustomizer(&krusty.Options{
		LoadRestrictions: types.LoadRestrictionsNone,
		PluginConfig:     types.DisabledPluginConfig(),
	}).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		return nil, err
	}
	return m.AsYaml()
}
