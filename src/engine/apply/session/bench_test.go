package session

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func frame(text string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...)
}

// packages is a session with Cozystack's Package defined.
func packages(t testing.TB) *Session {
	t.Helper()
	found, err := filepath.Glob("../../../../schemas/cozystack/crds/cozystack.io_packages_v1alpha1_*.json")
	if err != nil || len(found) == 0 {
		t.Fatalf("no schema of a Package: %v", err)
	}
	schema, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	s := New()
	answer := s.Call(frame(fmt.Sprintf(`{"op":"define","definitions":[{"metadata":{"name":"packages.cozystack.io"},"spec":{
		"group":"cozystack.io","scope":"Cluster","names":{"plural":"packages","kind":"Package"},
		"versions":[{"name":"v1alpha1","served":true,"storage":true,"subresources":{"status":{}},"schema":{"openAPIV3Schema":%s}}]}}]}`, schema)))
	if string(answer) != `{"ok":true}` {
		t.Fatalf("define: %s", answer)
	}
	return s
}

func ask(operations ...string) []byte {
	return frame(`{"op":"ask","operations":[` + strings.Join(operations, ",") + `]}`)
}

// BenchmarkUnchanged is an apply of what was applied before.
func BenchmarkUnchanged(b *testing.B) {
	s := packages(b)
	call := ask(`{"op":"apply","manager":"kustomize-controller","force":true,"object":{"apiVersion":"cozystack.io/v1alpha1",
		"kind":"Package","metadata":{"name":"p","labels":{"kustomize.toolkit.fluxcd.io/name":"x"}},"spec":{"components":{"platform":{
		"values":{"publishing":{"host":"mine.example.org","proxyProtocol":true},"networking":{"podCIDR":"10.244.0.0/16"}}}}}}}`)
	s.Call(call)
	for b.Loop() {
		if answer := s.Call(call); !strings.HasSuffix(string(answer), `"drifted":false}]}`) {
			b.Fatalf("%s", answer)
		}
	}
}

// BenchmarkApply is what Flux asks of a platform's Package: an override applied over what Helm has created.
func BenchmarkApply(b *testing.B) {
	s := packages(b)
	s.Call(ask(`{"op":"create","manager":"helm-controller","object":{"apiVersion":"cozystack.io/v1alpha1","kind":"Package",
		"metadata":{"name":"p","labels":{"app.kubernetes.io/managed-by":"Helm"}},"spec":{"variant":"default","components":{"platform":{
		"enabled":true,"values":{"publishing":{"host":"example.org","exposedServices":["api","dashboard"],"externalIPs":["10.0.0.1"]},
		"networking":{"podCIDR":"10.244.0.0/16","podGateway":"10.244.0.1"},"bundles":{"system":{"enabled":true},"iaas":{"enabled":true}}}}}}}}`))
	call := ask(`{"op":"apply","manager":"kustomize-controller","force":true,"dryRun":true,"object":{"apiVersion":"cozystack.io/v1alpha1",
		"kind":"Package","metadata":{"name":"p","labels":{"kustomize.toolkit.fluxcd.io/name":"x"}},"spec":{"components":{"platform":{
		"values":{"publishing":{"host":"mine.example.org","proxyProtocol":true}}}}}}}`)
	for b.Loop() {
		if answer := s.Call(call); !strings.HasPrefix(string(answer), `{"ok":true,"answers":[{"status":200`) {
			b.Fatalf("%s", answer)
		}
	}
}
