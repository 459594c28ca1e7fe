// Command helm-controller renders charts as helm-controller 1.5.0 does, for tests: with the action of Helm 4.1.1, and the post-renderer that
// it always has (internal/postrender, origin labels), which is kustomize's. It reads requests from standard input, a JSON document each, and
// writes an answer for each.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log"
	"log/slog"
	"os"

	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	release "helm.sh/helm/v4/pkg/release/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/kustomize/api/builtins"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
)

type request struct {
	Archive     string         `json:"archive"`
	Name        string         `json:"name"`
	Namespace   string         `json:"namespace"`
	Values      map[string]any `json:"values"`
	KubeVersion string         `json:"kubeVersion"`
}

type answer struct {
	// Objects and hooks are in the order of Helm.
	Objects []map[string]any `json:"objects"`
	Hooks   []map[string]any `json:"hooks"`
	Failed  string           `json:"failed,omitempty"`
}

func main() {
	log.SetOutput(io.Discard)
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
		if err := out.Encode(answerOf(r)); err != nil {
			panic(err)
		}
	}
}

func answerOf(r request) answer {
	rendered, err := render(r)
	if err != nil {
		return answer{Failed: err.Error()}
	}
	out := answer{Objects: objectsIn(rendered.Manifest)}
	for _, hook := range rendered.Hooks {
		out.Hooks = append(out.Hooks, objectsIn(hook.Manifest)...)
	}
	return out
}

// objectsIn reads a text as Helm's client does.
func objectsIn(text string) []map[string]any {
	out := []map[string]any{}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewBufferString(text), 4096)
	for {
		var object map[string]any
		err := decoder.Decode(&object)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			object = map[string]any{"unreadable": err.Error()}
		}
		if object != nil {
			out = append(out, object)
		}
		if err != nil {
			return out
		}
	}
}

func render(r request) (*release.Release, error) {
	packed, err := os.ReadFile(r.Archive)
	if err != nil {
		return nil, err
	}
	chart, err := loader.LoadArchive(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	version, err := common.ParseKubeVersion(r.KubeVersion)
	if err != nil {
		return nil, err
	}
	install := action.NewInstall(action.NewConfiguration())
	install.DryRunStrategy = action.DryRunClient
	install.IsUpgrade = true
	install.Replace = true
	install.SkipCRDs = true
	install.ReleaseName, install.Namespace = r.Name, r.Namespace
	install.KubeVersion = version
	install.PostRenderer = originLabels{r.Name, r.Namespace}
	made, err := install.Run(chart, r.Values)
	if err != nil {
		return nil, err
	}
	return made.(*release.Release), nil
}

type originLabels struct{ name, namespace string }

func (l originLabels) Run(in *bytes.Buffer) (*bytes.Buffer, error) {
	factory := resmap.NewFactory(provider.NewDefaultDepProvider().GetResourceFactory())
	objects, err := factory.NewResMapFromBytes(in.Bytes())
	if err != nil {
		return nil, err
	}
	labels := builtins.LabelTransformerPlugin{
		Labels:     map[string]string{"helm.toolkit.fluxcd.io/name": l.name, "helm.toolkit.fluxcd.io/namespace": l.namespace},
		FieldSpecs: []types.FieldSpec{{Path: "metadata/labels", CreateIfNotPresent: true}},
	}
	if err := labels.Transform(objects); err != nil {
		return nil, err
	}
	text, err := objects.AsYaml()
	return bytes.NewBuffer(text), err
}
