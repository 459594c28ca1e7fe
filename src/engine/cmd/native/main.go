//go:build !js

// Command native is the engine as a program, for tests and measurements.
//
//	native -root REPOSITORY [-path DIR] [-output yaml|objects|digest|none] [-kustomization JSON] [-origins=false] [-cpuprofile FILE] [-stats]
//	native -serve
//
// With -serve it answers frames on standard input with frames on standard output until the input ends: each chunk is a call
// as the WebAssembly module takes it.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/pprof"
	"syscall"
	"time"

	"customizer-lint/engine/frame"
	"customizer-lint/engine/session"
	"customizer-lint/program"
)

func main() {
	root := flag.String("root", ".", "the repository")
	path := flag.String("path", ".", "the directory to build, relative to it")
	output := flag.String("output", "yaml", "what to print: yaml, objects, digest or none")
	kustomization := flag.String("kustomization", "{}", "the Flux Kustomization's fields as JSON")
	origins := flag.Bool("origins", true, "say who wrote what, with objects")
	profile := flag.String("cpuprofile", "", "write a CPU profile of the build")
	stats := flag.Bool("stats", false, "print seconds and MiB to standard error")
	serve := flag.Bool("serve", false, "answer frames on standard input")
	flag.Parse()
	run := func() error { return build(*root, *path, *output, *kustomization, *profile, *origins) }
	if *serve {
		var s session.Session
		run = func() error { return program.Serve(os.Stdin, os.Stdout, s.Call) }
	}
	started := time.Now()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if *stats {
		var usage syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
		fmt.Fprintf(os.Stderr, `{"seconds":%.3f,"mebibytes":%d}`+"\n", time.Since(started).Seconds(), usage.Maxrss>>10)
	}
}

func build(root, path, output, kustomization, profile string, origins bool) error {
	var s session.Session
	load, err := loadFrame(root)
	if err != nil {
		return err
	}
	s.Call(load)
	asked := output
	if output == "none" {
		asked = "objects"
	}
	header, err := json.Marshal(map[string]any{
		"op": "build", "path": path, "kustomization": json.RawMessage(kustomization), "output": asked, "origins": origins,
	})
	if err != nil {
		return err
	}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	text := s.Call(frame.Append(nil, header))
	var answer struct {
		OK     bool
		YAML   string
		SHA256 string
		Error  struct{ Message string }
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	switch {
	case !answer.OK:
		return errors.New(answer.Error.Message)
	case output == "yaml":
		fmt.Print(answer.YAML)
	case output == "objects":
		fmt.Println(string(text))
	case output == "digest":
		fmt.Println(answer.SHA256)
	}
	return nil
}

// loadFrame reads a directory; what is no regular file counts as a link.
func loadFrame(root string) ([]byte, error) {
	var links []string
	var files []byte
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, p)
		switch {
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			links = append(links, filepath.ToSlash(name))
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		files = frame.Append(frame.Append(files, []byte(filepath.ToSlash(name))), text)
		return nil
	})
	if err != nil {
		return nil, err
	}
	header, err := json.Marshal(map[string]any{"op": "load", "links": links})
	if err != nil {
		return nil, err
	}
	return append(frame.Append(nil, header), files...), nil
}
