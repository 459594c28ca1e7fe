package parity

import (
	"context"
	"encoding/base64"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// variables gives ConfigMaps and Secrets that the repository itself applies, all that substituteFrom asks a cluster for.
type variables struct {
	client.Client
	c *cluster
}

func (v variables) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	kind := "ConfigMap"
	if _, isSecret := into.(*corev1.Secret); isSecret {
		kind = "Secret"
	}
	for _, o := range v.c.Objects {
		if idOf(o.Value) != kind+"/"+key.Namespace+"/"+key.Name {
			continue
		}
		data, _, err := unstructured.NestedStringMap(o.Value, "data")
		if err != nil {
			return err
		}
		switch to := into.(type) {
		case *corev1.ConfigMap:
			to.Data = data
		case *corev1.Secret:
			if to.Data, err = secretData(o.Value, data); err != nil {
				return err
			}
		}
		return nil
	}
	return apierrors.NewNotFound(schema.GroupResource{Resource: kind}, key.Name)
}

func secretData(secret map[string]any, encoded map[string]string) (map[string][]byte, error) {
	data := map[string][]byte{}
	for key, text := range encoded {
		plain, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, err
		}
		data[key] = plain
	}
	plain, _, err := unstructured.NestedStringMap(secret, "stringData")
	for key, text := range plain {
		data[key] = []byte(text)
	}
	return data, err
}
