// Command strategies copies from Kubernetes what its API server does with an object of a built-in kind before it stores it: the
// strategies of k8s.io/kubernetes/pkg/registry. A whole package of these brings storage, etcd and clients with it; of each the
// strategy is kept, and what that needs. It is told a folder, in which each package gets the folder that it has below pkg/registry.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const module = "k8s.io/kubernetes"

// A part is what is kept of a package below pkg/registry, with all that it needs.
type part struct {
	roots []string
	// instead are declarations in the place of the package's own of the same name.
	instead string
}

// parts are those that are more than a strategy.
var parts = map[string]part{
	// What is done to a Service before its strategy is asked. Which addresses are taken is nobody's to say here, only which families
	// there are.
	"core/service/storage": {
		roots: []string{"NormalizeClusterIPs", "PatchAllocatedValues", "NeedsClusterIP", "InitIPFamilyFields"},
		instead: `type Allocators struct {
	serviceIPAllocatorsByFamily map[api.IPFamily]bool
	defaultServiceIPFamily      api.IPFamily
}

func InitIPFamilyFields(after After, before Before, families map[api.IPFamily]bool) error {
	return (&Allocators{families, api.IPv4Protocol}).initIPFamilyFields(after, before)
}

func NormalizeClusterIPs(after After, before Before) { normalizeClusterIPs(after, before) }

func PatchAllocatedValues(after After, before Before) { patchAllocatedValues(after, before) }

func NeedsClusterIP(service *api.Service) bool { return needsClusterIP(service) }
`,
	},
}

// packages are those of the kinds that are judged, below pkg/registry.
var packages = []string{
	"apps/controllerrevision", "apps/daemonset", "apps/deployment", "apps/replicaset", "apps/statefulset",
	"autoscaling/horizontalpodautoscaler",
	"batch/cronjob", "batch/job",
	"coordination/lease",
	"core/configmap", "core/endpoint", "core/limitrange", "core/namespace", "core/persistentvolume",
	"core/persistentvolumeclaim", "core/pod", "core/podtemplate", "core/replicationcontroller", "core/resourcequota",
	"core/secret", "core/service", "core/service/storage", "core/serviceaccount",
	"discovery/endpointslice",
	"networking/ingress", "networking/ingressclass", "networking/networkpolicy",
	"node/runtimeclass",
	"policy/poddisruptionbudget",
	"rbac/clusterrole", "rbac/clusterrolebinding", "rbac/role", "rbac/rolebinding",
	"scheduling/priorityclass",
	"storage/csidriver", "storage/storageclass", "storage/volumeattributesclass",
}

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: strategies FOLDER"))
	}
	from, err := moduleFolder()
	if err != nil {
		fail(err)
	}
	if err := os.RemoveAll(os.Args[1]); err != nil {
		fail(err)
	}
	for _, name := range packages {
		kept, ok := parts[name]
		if !ok {
			kept.roots = []string{"Strategy"}
		}
		files, err := cut(from, filepath.Join("pkg", "registry", name), kept)
		if err != nil {
			fail(fmt.Errorf("%s: %w", name, err))
		}
		folder := filepath.Join(os.Args[1], name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			fail(err)
		}
		for file, text := range files {
			if err := os.WriteFile(filepath.Join(folder, file), text, 0o644); err != nil {
				fail(err)
			}
		}
	}
}

// moduleFolder is where the module lies, in the version of go.mod.
func moduleFolder() (string, error) {
	listed, err := exec.Command("go", "mod", "download", "-json", module).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", module, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(listed, &found); err != nil {
		return "", err
	}
	return found.Dir, nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, strings.TrimSpace(err.Error()))
	os.Exit(1)
}
