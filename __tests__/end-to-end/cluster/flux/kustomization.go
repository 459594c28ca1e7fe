package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Kustomization is Flux's own kind. The whole of it goes to the build; the fields here are those that the rest reads.
type Kustomization struct {
	Metadata struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
	Spec struct {
		Path               string          `json:"path"`
		Prune              bool            `json:"prune"`
		Force              bool            `json:"force"`
		ServiceAccountName string          `json:"serviceAccountName"`
		PostBuild          json.RawMessage `json:"postBuild"`
		CommonMetadata     *struct {
			Labels      map[string]string `json:"labels"`
			Annotations map[string]string `json:"annotations"`
		} `json:"commonMetadata"`
	} `json:"spec"`
	whole []byte
}

// UnmarshalJSON keeps the text too.
func (k *Kustomization) UnmarshalJSON(text []byte) error {
	type fields Kustomization
	if err := json.Unmarshal(text, (*fields)(k)); err != nil {
		return err
	}
	k.whole = append([]byte(nil), text...)
	return nil
}

func (k Kustomization) unstructured() (unstructured.Unstructured, error) {
	var u unstructured.Unstructured
	if err := json.Unmarshal(k.whole, &u.Object); err != nil {
		return u, err
	}
	u.SetAPIVersion(group + "/v1")
	u.SetKind("Kustomization")
	return u, nil
}

// user is whom the controller impersonates: nobody where no service account is named.
func (k Kustomization) user() string {
	if k.Spec.ServiceAccountName == "" {
		return ""
	}
	return "system:serviceaccount:" + k.Metadata.Namespace + ":" + k.Spec.ServiceAccountName
}
