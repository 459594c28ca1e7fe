// Command helm-unittest runs unit tests of charts with the packages of helm-unittest, one at a time, for tests: on the chart itself, telling
// what the test gives it and what Helm makes of it, or on templates that somebody else has rendered. It reads requests from standard input,
// a JSON document each, and writes an answer for each.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/helm-unittest/helm-unittest/pkg/unittest"
	"github.com/helm-unittest/helm-unittest/pkg/unittest/results"
	"github.com/helm-unittest/helm-unittest/pkg/unittest/snapshot"
	"github.com/helm-unittest/helm-unittest/pkg/unittest/valueutils"
	"github.com/sirupsen/logrus"
	"go.yaml.in/yaml/v3"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	sigsyaml "sigs.k8s.io/yaml"
)

// A request names a suite file and the chart that it is of; with test, one test of it.
type request struct {
	Chart string `json:"chart"`
	File  string `json:"file"`
	Suite int    `json:"suite"`
	Test  *int   `json:"test"`
	// Templates are rendered ones, by their full names, that take the place of those of the chart.
	Templates map[string]string `json:"templates"`
}

// A case is a test: what it gives the chart, and what comes of it.
type testCase struct {
	Suite        int              `json:"suite"`
	Test         int              `json:"test"`
	Name         string           `json:"name"`
	Skipped      bool             `json:"skipped"`
	Passed       bool             `json:"passed"`
	Why          string           `json:"why,omitempty"`
	Failed       string           `json:"failed,omitempty"`
	ChartName    string           `json:"chartName"`
	Values       map[string]any   `json:"values"`
	Release      release          `json:"release"`
	KubeVersion  string           `json:"kubeVersion"`
	APIVersions  []string         `json:"apiVersions"`
	Objects      []map[string]any `json:"objects"`
	ChartVersion string           `json:"chartVersion,omitempty"`
	// Kept are the full names of the templates that the test looks at, and of partials.
	Kept []string `json:"kept"`
	// Files are those that Helm loads of the chart.
	Files []string `json:"files"`
	// Documents are the ids of what Helm renders, by template, in their order there.
	Documents map[string][]string `json:"documents"`
}

type release struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	IsUpgrade bool   `json:"isUpgrade"`
	Revision  int    `json:"revision"`
}

type answer struct {
	Cases []testCase `json:"cases"`
	Error string     `json:"error,omitempty"`
}

// A run of the tests of a suite leaves its version of Kubernetes behind.
var capabilities = *chartutil.DefaultCapabilities

func main() {
	log.SetOutput(io.Discard)
	logrus.SetOutput(io.Discard)
	slog.SetDefault(slog.New(slog.DiscardHandler))
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var r request
		err := in.Decode(&r)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			panic(err)
		}
		cases, err := casesOf(r)
		a := answer{Cases: cases}
		if err != nil {
			a.Error = err.Error()
		}
		if err := out.Encode(a); err != nil {
			panic(err)
		}
	}
}

func casesOf(r request) ([]testCase, error) {
	c, err := loader.Load(r.Chart)
	if err != nil {
		return nil, err
	}
	suites, err := unittest.ParseTestSuiteFile(r.File, c.Name(), false, nil)
	if err != nil {
		return nil, err
	}
	cases := []testCase{}
	for i, suite := range suites {
		for j := range suite.Tests {
			if r.Test != nil && (r.Suite != i || *r.Test != j) {
				continue
			}
			one, err := run(r, c, i, j)
			if err != nil {
				return nil, err
			}
			cases = append(cases, one)
		}
	}
	return cases, nil
}

func run(r request, c *chart.Chart, i, j int) (testCase, error) {
	// Anew, as a run changes them.
	suites, err := unittest.ParseTestSuiteFile(r.File, c.Name(), false, nil)
	if err != nil {
		return testCase{}, err
	}
	suite, test := suites[i], suites[i].Tests[j]
	suite.Tests = []*unittest.TestJob{test}
	set := suite.Set
	target := c
	if r.Templates != nil {
		target = rendered(c, r.Templates)
		suite.Values, suite.Set, test.Values, test.Set = nil, nil, nil, nil
	}
	folder, err := os.MkdirTemp("", "rendered-")
	if err != nil {
		return testCase{}, err
	}
	defer os.RemoveAll(folder)
	cache, err := snapshot.CreateSnapshotOfSuite(suite.SnapshotFileUrl(), false)
	if err != nil {
		return testCase{}, err
	}
	*chartutil.DefaultCapabilities = capabilities
	result := suite.RunV3(target, cache, false, folder, &results.TestSuiteResult{})
	job := result.TestsResult[0]
	one := testCase{Suite: i, Test: j, Name: test.Name, Skipped: job.Skipped, Passed: job.Passed}
	if !job.Passed {
		one.Why = job.Stringify()
	}
	if job.ExecError != nil {
		one.Failed = job.ExecError.Error()
	}
	if r.Templates != nil {
		return one, nil
	}
	if one.Values, err = valuesOf(r.File, test, set); err != nil {
		return one, err
	}
	one.Documents, err = documentsIn(folder)
	describe(&one, c, suite, test)
	return one, err
}

// Rendered is a chart of the same name with nothing but templates that say what they say.
func rendered(c *chart.Chart, templates map[string]string) *chart.Chart {
	other := &chart.Chart{Metadata: &chart.Metadata{Name: c.Name(), Version: "0.0.0", APIVersion: "v2"}, Values: map[string]any{}}
	for name, text := range templates {
		file := &chart.File{Name: strings.TrimPrefix(name, c.Name()+"/"), Data: []byte(text)}
		other.Templates = append(other.Templates, file)
	}
	return other
}

// describe tells what the runner has put together of suite and test.
func describe(one *testCase, c *chart.Chart, suite *unittest.TestSuite, test *unittest.TestJob) {
	name, namespace := test.Release.Name, test.Release.Namespace
	if name == "" {
		name = "RELEASE-NAME"
	}
	if namespace == "" {
		namespace = "NAMESPACE"
	}
	one.ChartName = c.Name()
	one.Release = release{name, namespace, test.Release.IsUpgrade, test.Release.Revision}
	one.KubeVersion = chartutil.DefaultCapabilities.KubeVersion.Version
	one.APIVersions = test.Capabilities.APIVersions
	one.Objects = test.KubernetesProvider.Objects
	one.ChartVersion = test.Chart.Version
	templates := suite.Templates
	if len(templates) == 0 {
		templates = []string{"**"}
	}
	one.Kept = namesIn(unittest.CopyV3Chart(c.Name(), c.Name(), templates, suite.ExcludeTemplates, c), c.Name())
	for _, file := range c.Raw {
		one.Files = append(one.Files, file.Name)
	}
}

func namesIn(c *chart.Chart, route string) []string {
	names := []string{}
	for _, template := range c.Templates {
		names = append(names, path.Join(route, template.Name))
	}
	for _, dependency := range c.Dependencies() {
		names = append(names, namesIn(dependency, path.Join(route, "charts", dependency.Name()))...)
	}
	return names
}

// valuesOf puts them together as the runner does (getUserValues).
func valuesOf(file string, test *unittest.TestJob, set map[string]any) (map[string]any, error) {
	base := map[string]any{}
	for _, one := range test.Values {
		name := one
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(file), name)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		values := map[string]any{}
		if err := yaml.Unmarshal(text, &values); err != nil {
			return nil, err
		}
		base = chartutil.MergeTables(values, base)
	}
	for _, one := range []map[string]any{set, test.Set} {
		for key, value := range one {
			values, err := valueutils.BuildValueOfSetPath(value, key)
			if err != nil {
				return nil, err
			}
			base = chartutil.MergeTables(values, base)
		}
	}
	text, err := sigsyaml.Marshal(base)
	if err != nil {
		return nil, err
	}
	return chartutil.ReadValues(text)
}

var separator = regexp.MustCompile(`(?:^|\s*\n)---\s*`)

// documentsIn reads what the runner has written, as it reads it itself.
func documentsIn(folder string) (map[string][]string, error) {
	found := map[string][]string{}
	err := filepath.WalkDir(folder, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		template, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		found[template] = idsIn(string(text))
		return nil
	})
	return found, err
}

func idsIn(text string) []string {
	ids := []string{}
	decoder := yaml.NewDecoder(strings.NewReader(separator.ReplaceAllString(text, "\n---\n")))
	for {
		document := map[string]any{}
		if err := decoder.Decode(document); err != nil {
			return ids
		}
		if len(document) == 0 {
			continue
		}
		metadata, _ := document["metadata"].(map[string]any)
		ids = append(ids, fmt.Sprint(document["apiVersion"], " ", document["kind"], " ", metadata["namespace"], " ", metadata["name"]))
	}
}
