package subset

import (
	"bytes"
	"os"
	"testing"
)

func TestUpToDate(t *testing.T) {
	want, err := JSON()
	if err != nil {
		t.Skip("client-go cannot be had: ", err)
	}
	got, err := os.ReadFile("../../apiserver/builtin.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("apiserver/builtin.json is stale: go run ./builtins")
	}
}
