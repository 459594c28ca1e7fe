package apiserver

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	apiservice "k8s.io/kubernetes/pkg/api/service"
	api "k8s.io/kubernetes/pkg/apis/core"

	"customizer-lint/apply/registry/core/service/storage"
)

// allocated stands for the address that a cluster gives a Service, while its change is judged.
const allocated = "192.0.2.1"

// allocatedPort stands for the port of health checks that a cluster gives a Service, while its change is judged: one that no
// cluster has in its range of node ports.
const allocatedPort = 65535

// beforeService does what the server does to a Service before its strategy is asked; old is nil for a new one. What it returns puts
// the object back to what it is without an address and a port.
func beforeService(object, old runtime.Object) (after func(), err error) {
	service, ok := object.(*api.Service)
	if !ok {
		return func() {}, nil
	}
	before, _ := old.(*api.Service)
	if before != nil {
		if storage.NeedsClusterIP(before) && before.Spec.ClusterIP == "" {
			before.Spec.ClusterIP, before.Spec.ClusterIPs = allocated, []string{allocated}
		}
		allocatePort(before)
		storage.PatchAllocatedValues(storage.After{Service: service}, storage.Before{Service: before})
	}
	storage.NormalizeClusterIPs(storage.After{Service: service}, storage.Before{Service: before})
	if err := storage.InitIPFamilyFields(storage.After{Service: service}, storage.Before{Service: before}, families(service)); err != nil {
		return nil, err
	}
	allocatePort(service)
	return func() {
		if service.Spec.ClusterIP == allocated {
			service.Spec.ClusterIP, service.Spec.ClusterIPs = "", nil
		}
		if service.Spec.HealthCheckNodePort == allocatedPort {
			service.Spec.HealthCheckNodePort = 0
		}
	}, nil
}

// allocatePort gives a Service the port of health checks that it needs: validation requires one, as a server allocates it first.
func allocatePort(service *api.Service) {
	if apiservice.NeedsHealthCheck(service) && service.Spec.HealthCheckNodePort == 0 {
		service.Spec.HealthCheckNodePort = allocatedPort
	}
}

// families are those of IPv4, and of IPv6 where that is asked for: whether a cluster has both, nobody knows.
func families(service *api.Service) map[api.IPFamily]bool {
	out := map[api.IPFamily]bool{api.IPv4Protocol: true}
	policy := service.Spec.IPFamilyPolicy
	if slices.Contains(service.Spec.IPFamilies, api.IPv6Protocol) || policy != nil && *policy == api.IPFamilyPolicyRequireDualStack {
		out[api.IPv6Protocol] = true
	}
	for _, ip := range service.Spec.ClusterIPs {
		if slices.Contains([]byte(ip), ':') {
			out[api.IPv6Protocol] = true
		}
	}
	return out
}
