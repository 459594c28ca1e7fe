package resmap

import "sigs.k8s.io/kustomize/api/resource"

// NamespacesForRoleBinding returns the namespaces of the service accounts that a role binding names.
func NamespacesForRoleBinding(r *resource.Resource) (map[string]bool, error) {
	return getNamespacesForRoleBinding(r)
}
