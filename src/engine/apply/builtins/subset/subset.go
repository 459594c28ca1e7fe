// Package subset reads what client-go's apply configurations know of the types of the built-in kinds.
package subset

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// module is the version of client-go that kube-apiserver 1.35.4 is linked with.
const module = "k8s.io/client-go@v0.35.4"

// A Kind is a built-in kind in a version that is served; its first is the one that is stored. Generation says that its strategy counts
// changes, Status that the status is a subresource.
type Kind struct {
	Group      string `json:"group"`
	Version    string `json:"version"`
	Kind       string `json:"kind"`
	Plural     string `json:"plural"`
	Namespaced bool   `json:"namespaced,omitempty"`
	Type       string `json:"type"`
	Generation bool   `json:"generation,omitempty"`
	Status     bool   `json:"status,omitempty"`
}

var kinds = []Kind{
	{"", "v1", "ConfigMap", "configmaps", true, "core", false, false},
	{"", "v1", "Endpoints", "endpoints", true, "core", false, false},
	{"", "v1", "LimitRange", "limitranges", true, "core", false, false},
	{"", "v1", "Namespace", "namespaces", false, "core", false, true},
	{"", "v1", "PersistentVolume", "persistentvolumes", false, "core", false, true},
	{"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", true, "core", false, true},
	{"", "v1", "Pod", "pods", true, "core", true, true},
	{"", "v1", "PodTemplate", "podtemplates", true, "core", true, false},
	{"", "v1", "ReplicationController", "replicationcontrollers", true, "core", true, true},
	{"", "v1", "ResourceQuota", "resourcequotas", true, "core", false, true},
	{"", "v1", "Secret", "secrets", true, "core", false, false},
	{"", "v1", "Service", "services", true, "core", false, true},
	{"", "v1", "ServiceAccount", "serviceaccounts", true, "core", false, false},
	{"apps", "v1", "ControllerRevision", "controllerrevisions", true, "apps", false, false},
	{"apps", "v1", "DaemonSet", "daemonsets", true, "apps", true, true},
	{"apps", "v1", "Deployment", "deployments", true, "apps", true, true},
	{"apps", "v1", "ReplicaSet", "replicasets", true, "apps", true, true},
	{"apps", "v1", "StatefulSet", "statefulsets", true, "apps", true, true},
	{"batch", "v1", "CronJob", "cronjobs", true, "batch", true, true},
	{"batch", "v1", "Job", "jobs", true, "batch", true, true},
	{"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", true, "autoscaling", false, true},
	{"autoscaling", "v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers", true, "autoscaling", false, true},
	{"coordination.k8s.io", "v1", "Lease", "leases", true, "coordination", false, false},
	{"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", true, "discovery", true, false},
	{"networking.k8s.io", "v1", "Ingress", "ingresses", true, "networking", true, true},
	{"networking.k8s.io", "v1", "IngressClass", "ingressclasses", false, "networking", true, false},
	{"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", true, "networking", true, false},
	{"node.k8s.io", "v1", "RuntimeClass", "runtimeclasses", false, "node", false, false},
	{"policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", true, "policy", true, true},
	{"rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false, "rbac", false, false},
	{"rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", "clusterrolebindings", false, "rbac", false, false},
	{"rbac.authorization.k8s.io", "v1", "Role", "roles", true, "rbac", false, false},
	{"rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings", true, "rbac", false, false},
	{"scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", false, "scheduling", false, false},
	{"storage.k8s.io", "v1", "CSIDriver", "csidrivers", false, "storage", false, false},
	{"storage.k8s.io", "v1", "StorageClass", "storageclasses", false, "storage", false, false},
	{"storage.k8s.io", "v1", "VolumeAttributesClass", "volumeattributesclasses", false, "storage", false, false},
}

// JSON is the text of builtin.json.
func JSON() ([]byte, error) {
	types, err := read()
	if err != nil {
		return nil, err
	}
	out := struct {
		Kinds []Kind         `json:"kinds"`
		Types map[string]any `json:"types"`
	}{kinds, map[string]any{}}
	for i := range out.Kinds {
		kind := &out.Kinds[i]
		kind.Type = fmt.Sprintf("io.k8s.api.%s.%s.%s", kind.Type, kind.Version, kind.Kind)
		if types[kind.Type] == nil {
			return nil, fmt.Errorf("%s has no type %s", module, kind.Type)
		}
		collect(kind.Type, types, out.Types)
	}
	text, err := json.Marshal(out)
	return append(text, '\n'), err
}

// collect takes a type and those that it names.
func collect(name string, from, into map[string]any) {
	if into[name] != nil {
		return
	}
	into[name] = from[name]
	var names func(any)
	names = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if name, ok := v["namedType"].(string); ok {
				collect(name, from, into)
			}
			for _, item := range v {
				names(item)
			}
		case []any:
			for _, item := range v {
				names(item)
			}
		}
	}
	names(from[name])
}

func read() (map[string]any, error) {
	listed, err := exec.Command("go", "mod", "download", "-json", module).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", module, err)
	}
	var where struct{ Dir string }
	if err := json.Unmarshal(listed, &where); err != nil {
		return nil, err
	}
	file := filepath.Join(where.Dir, "applyconfigurations", "internal", "internal.go")
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	text, err := literal(parsed)
	if err != nil {
		return nil, err
	}
	var document struct{ Types []map[string]any }
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return nil, err
	}
	types := map[string]any{}
	for _, one := range document.Types {
		name, _ := one["name"].(string)
		delete(one, "name")
		types[name] = one
	}
	// The schema that an API server goes by says "one of" for this, which fits anything.
	types["io.k8s.apimachinery.pkg.util.intstr.IntOrString"] = types["__untyped_deduced_"]
	return types, nil
}

// literal is the longest string of a file.
func literal(file *ast.File) (string, error) {
	var all []string
	ast.Inspect(file, func(node ast.Node) bool {
		if basic, ok := node.(*ast.BasicLit); ok && basic.Kind == token.STRING && strings.HasPrefix(basic.Value, "`") {
			if text, err := strconv.Unquote(basic.Value); err == nil {
				all = append(all, text)
			}
		}
		return true
	})
	if len(all) == 0 {
		return "", errors.New("there is no schema in it")
	}
	sort.Slice(all, func(i, j int) bool { return len(all[i]) > len(all[j]) })
	return all[0], nil
}
