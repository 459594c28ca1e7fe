// Command fluxreconcile does with a directory what kustomize-controller 1.8.0 does in one reconcile, on the packages that
// the controller is made of: it builds, applies in stages as the service account of the Flux Kustomization, and prunes.
//
//	fluxreconcile KUBECONFIG
//
// It reads requests from the standard input, a line of JSON each, and answers each with a line. Fetching, decryption,
// dependencies and health checks are the controller's own and not here.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
)

// Request is a Flux Kustomization with what it is to apply: a directory as source-controller would serve it, or objects that
// are rendered already.
type Request struct {
	Kustomization Kustomization                `json:"kustomization"`
	Directory     string                       `json:"directory"`
	Objects       []*unstructured.Unstructured `json:"objects"`
	// Inventory is what the reconcile before this one answered.
	Inventory []Reference `json:"inventory"`
}

// Reference is an entry of a Flux Kustomization's status.inventory.
type Reference struct {
	ID      string `json:"id"`
	Version string `json:"v"`
}

// Answer is the Ready condition, and what was done. Where an error stopped it the inventory is the one of before.
type Answer struct {
	Ready     bool        `json:"ready"`
	Reason    string      `json:"reason"`
	Message   string      `json:"message"`
	Changes   []Change    `json:"changes"`
	Inventory []Reference `json:"inventory"`
	// Objects are those of both inventories as the API server has them now.
	Objects []*unstructured.Unstructured `json:"objects"`
}

// Change is one object, as the controller's events name it, and what became of it.
type Change struct {
	Object string `json:"object"`
	Action string `json:"action"`
}

// Failure is an error with the reason of the condition that tells of it.
type Failure struct {
	Reason string
	Err    error
}

func (f *Failure) Error() string { return f.Err.Error() }

func (f *Failure) Unwrap() error { return f.Err }

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: fluxreconcile KUBECONFIG < requests")
		os.Exit(2)
	}
	if err := serve(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fluxreconcile:", err)
		os.Exit(1)
	}
}

func serve(kubeconfig string, in io.Reader, out io.Writer) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bufio.NewReader(in))
	encoder := json.NewEncoder(out)
	for {
		var request Request
		if err := decoder.Decode(&request); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading a request: %w", err)
		}
		answer, err := reconcile(context.Background(), config, request)
		if err != nil {
			return err
		}
		if err := encoder.Encode(answer); err != nil {
			return err
		}
	}
}
