package version

// K8sIOClientGoModVersion is that of Helm's own go.mod.
func K8sIOClientGoModVersion() (string, error) { return "v0.35.0", nil }
