package apiserver

import (
	"strconv"
	"strings"
	"testing"
)

func serviceText(spec string) []byte {
	return []byte(`{"apiVersion":"v1","kind":"Service","metadata":{"name":"a","namespace":"b"},"spec":` + spec + `}`)
}

func TestServiceHasAnAddressWhileItsChangeIsJudged(t *testing.T) {
	for _, c := range []struct{ name, before, after, refused string }{
		{"another port", `{"ports":[{"port":80}]}`, `{"ports":[{"port":81}]}`, ""},
		{"an address of one's own", `{"ports":[{"port":80}]}`, `{"ports":[{"port":80}],"clusterIP":"10.0.0.7"}`, "may not change once set"},
		{"headless", `{"clusterIP":"None"}`, `{"clusterIP":"None","ports":[{"port":80}]}`, ""},
		{"no address any more", `{"ports":[{"port":80}]}`, `{"type":"ExternalName","externalName":"example.org"}`, ""},
		{"health checks", `{"type":"LoadBalancer","externalTrafficPolicy":"Local","ports":[{"port":80}]}`, `{"type":"LoadBalancer","externalTrafficPolicy":"Local","ports":[{"port":81}]}`, ""},
		{"health checks from now on", `{"type":"LoadBalancer","ports":[{"port":80}]}`, `{"type":"LoadBalancer","externalTrafficPolicy":"Local","ports":[{"port":80}]}`, ""},
		{"no health checks any more", `{"type":"LoadBalancer","externalTrafficPolicy":"Local","ports":[{"port":80}]}`, `{"ports":[{"port":80}]}`, ""},
		{"another port of health checks", `{"type":"LoadBalancer","externalTrafficPolicy":"Local","ports":[{"port":80}]}`, `{"type":"LoadBalancer","externalTrafficPolicy":"Local","healthCheckNodePort":30000,"ports":[{"port":80}]}`, "field is immutable"},
		{"both families", `{"ports":[{"port":80}]}`, `{"ports":[{"port":80}],"ipFamilyPolicy":"RequireDualStack"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New()
			how := Request{Manager: "m", Force: true}
			made, err := s.Apply(Ref{}, serviceText(c.before), how)
			if err != nil {
				t.Fatal(err)
			}
			if text := string(made.AppendJSON(nil)); isAllocated(text) {
				t.Errorf("it keeps what was allocated: %s", text)
			}
			changed, err := s.Apply(Ref{}, serviceText(c.after), how)
			if c.refused == "" && err != nil || c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)) {
				t.Errorf("refused: %v", err)
			}
			if err == nil && isAllocated(string(changed.AppendJSON(nil))) {
				t.Errorf("it keeps what was allocated: %s", changed.AppendJSON(nil))
			}
		})
	}
}

func isAllocated(text string) bool {
	return strings.Contains(text, allocated) || strings.Contains(text, strconv.Itoa(allocatedPort))
}
