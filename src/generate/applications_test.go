package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const tenantDefinition = `apiVersion: cozystack.io/v1alpha1
kind: ApplicationDefinition
metadata: {name: tenant}
spec:
  application:
    kind: Tenant
    plural: tenants
    openAPISchema: '{"title":"Chart Values","type":"object","properties":{"host":{"description":"prose","type":"string"}}}'
  release:
    prefix: tenant-
    chartRef: {name: cozystack-tenant-application-default-tenant}
`

func tenantSources() sources {
	return sources{"cozystack.tenant-application": map[string]any{"variants": map[string]any{"default": map[string]any{"components": map[string]any{
		"tenant":    map[string]any{"path": "apps/tenant"},
		"tenant-rd": map[string]any{"path": "system/tenant-rd", "install": map[string]any{"namespace": "cozy-system"}},
	}}}}}
}

func TestApplications(t *testing.T) {
	from := plant(t, map[string]string{
		"packages/system/tenant-rd/cozyrds/tenant.yaml": tenantDefinition,
		"packages/apps/tenant/Chart.yaml":               aChart + "tenant\n",
		"packages/apps/tenant/values.yaml":              "host: ''\n",
		"packages/apps/tenant/values.schema.json":       `{"title":"Chart Values","type":"object","properties":{"host":{"description":"prose","type":"string"}}}`,
	})
	index, schemas, shapes, err := applications(from, tenantSources())
	if err != nil {
		t.Fatal(err)
	}
	kind := object(index, "kinds", "apps.cozystack.io/Tenant")
	version := object(kind, "versions", "v1alpha1")
	if schemas[text(version, "schema")] == nil || len(schemas) != 1 {
		t.Errorf("the version names %q, and there are %v", text(version, "schema"), sortedKeys(schemas))
	}
	shape := object(shapes[text(kind, "chart")])
	if line, _ := compact(shape); len(shapes) != 1 || strings.Contains(string(line), "prose") || object(shape, "values")["host"] == nil {
		t.Errorf("the kind names %q, and there are %s", text(kind, "chart"), line)
	}
	delete(kind, "versions")
	delete(kind, "chart")
	want := map[string]any{"plural": "tenants", "scope": "Namespaced", "prefix": "tenant-", "by": []any{"cozystack.tenant-application/tenant-rd"}}
	if !reflect.DeepEqual(kind, want) {
		t.Errorf("got %v", kind)
	}
}

func TestApplicationsWithoutThem(t *testing.T) {
	index, _, _, err := applications(t.TempDir(), tenantSources())
	if index != nil || err != nil {
		t.Errorf("got %v, %v", index, err)
	}
}

func TestApplicationsWithAnotherSchemaOrChart(t *testing.T) {
	files := map[string]string{
		"packages/system/tenant-rd/cozyrds/tenant.yaml": tenantDefinition,
		"packages/apps/tenant/Chart.yaml":               aChart + "tenant\n",
		"packages/apps/tenant/values.schema.json":       `{"type":"object","properties":{"host":{"type":"integer"}}}`,
	}
	if _, _, _, err := applications(plant(t, files), tenantSources()); err == nil || !strings.Contains(err.Error(), "not that of the chart") {
		t.Errorf("got %v", err)
	}
	files["packages/system/tenant-rd/cozyrds/tenant.yaml"] = strings.ReplaceAll(tenantDefinition, "default-tenant}", "other-tenant}")
	if _, _, _, err := applications(plant(t, files), tenantSources()); err == nil || !strings.Contains(err.Error(), "no component has the chart") {
		t.Errorf("got %v", err)
	}
}

// TestApplicationsOfReleases generates those of every release again. It needs the charts in full: packages-<release>.tar.xz beside
// the checkouts. The short run takes the newest.
func TestApplicationsOfReleases(t *testing.T) {
	committed, _ := filepath.Glob("../../schemas/cozystack/*/applications.json")
	if len(committed) == 0 {
		t.Fatal("no release has applications")
	}
	if testing.Short() {
		released := slices.DeleteFunc(committed, func(file string) bool { return !strings.Contains(file, "/v") })
		committed = released[len(released)-1:]
	}
	for _, file := range committed {
		release := filepath.Base(filepath.Dir(file))
		t.Run(release, func(t *testing.T) {
			archive := filepath.Join(filepath.Dir(checkout(t, release)), "packages-"+release+".tar.xz")
			if _, err := os.Stat(archive); err != nil {
				t.Skipf("no archive %s", archive)
			}
			from := t.TempDir()
			if output, err := exec.Command("tar", "-xJf", archive, "-C", from).CombinedOutput(); err != nil {
				t.Skipf("unpack %s: %s", archive, output)
			}
			if err := os.Rename(filepath.Join(from, "packages-"+release), filepath.Join(from, "packages")); err != nil {
				t.Fatal(err)
			}
			if err := checkCommitted(options{from: from, release: release, to: "../../schemas", applications: true}); err != nil {
				t.Error(err)
			}
		})
	}
}
