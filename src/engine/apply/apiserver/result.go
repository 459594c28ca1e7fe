package apiserver

import (
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// A Ref says which object, and in which version it is asked for.
type Ref struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
}

// RefOf is where an object says that it is.
func RefOf(content map[string]any) Ref {
	u := meta(content)
	return Ref{u.GetAPIVersion(), u.GetKind(), u.GetNamespace(), u.GetName()}
}

// A Request says how an object is written.
type Request struct {
	Manager       string
	DryRun, Force bool
	Subresource   string
	// typed is what was asked for as it was read, of a built-in kind: what is written as content does not tell an empty map from
	// none, as some rules do.
	typed runtime.Object
}

// A Result is an object as it is answered, in the version that was asked for. Before is what was there.
type Result struct {
	Code          int
	object        *object
	version       *version
	Before        *Result
	withoutObject bool
}

// AppendJSON writes the object with sorted keys; Has says whether there is one.
func (r *Result) AppendJSON(out []byte) []byte {
	content := r.object.at(r.version)
	if len(r.object.managed.fields) > 0 {
		content = withMetadata(content)
		metadata, ok := content["metadata"].(map[string]any)
		if !ok {
			metadata = map[string]any{}
			content["metadata"] = metadata
		}
		metadata["managedFields"] = raw(r.object.managed.append(nil))
	}
	return appendJSON(out, content)
}

// AppendMetadata writes no more of the object than its labels and annotations, and who has written it, and how.
func (r *Result) AppendMetadata(out []byte) []byte {
	brief := map[string]any{}
	if metadata, ok := r.object.content["metadata"].(map[string]any); ok {
		for _, key := range []string{"labels", "annotations"} {
			if texts, ok := metadata[key]; ok {
				brief[key] = texts
			}
		}
	}
	if lines := r.object.managed.lines(); len(lines) > 0 {
		managers := make([]any, len(lines))
		for i, l := range lines {
			managers[i] = map[string]any{"manager": l.manager, "operation": l.operation}
		}
		brief["managedFields"] = managers
	}
	return appendJSON(out, map[string]any{"metadata": brief})
}

// Has says whether there is an object in the answer.
func (r *Result) Has() bool { return r.object != nil && !r.withoutObject }

// StatusOf is how the server answers a refusal.
func StatusOf(err error) *metav1.Status {
	var status metav1.Status
	if known, ok := err.(apierrors.APIStatus); ok {
		status = known.Status()
	} else {
		status = metav1.Status{Code: http.StatusInternalServerError, Reason: metav1.StatusReasonUnknown, Message: err.Error()}
	}
	if status.Status == "" {
		status.Status = metav1.StatusFailure
	}
	if status.Code == 0 {
		status.Code = http.StatusInternalServerError
	}
	status.Kind, status.APIVersion = "Status", "v1"
	return &status
}
