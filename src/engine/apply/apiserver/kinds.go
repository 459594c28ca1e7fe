package apiserver

import (
	"sync"
	_ "time/tzdata" // as the API server, which knows the time zones of a CronJob by itself

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	appsv1 "k8s.io/kubernetes/pkg/apis/apps/v1"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	autoscalingv1 "k8s.io/kubernetes/pkg/apis/autoscaling/v1"
	autoscalingv2 "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
	"k8s.io/kubernetes/pkg/apis/batch"
	batchv1 "k8s.io/kubernetes/pkg/apis/batch/v1"
	"k8s.io/kubernetes/pkg/apis/coordination"
	coordinationv1 "k8s.io/kubernetes/pkg/apis/coordination/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/discovery"
	discoveryv1 "k8s.io/kubernetes/pkg/apis/discovery/v1"
	"k8s.io/kubernetes/pkg/apis/networking"
	networkingv1 "k8s.io/kubernetes/pkg/apis/networking/v1"
	"k8s.io/kubernetes/pkg/apis/node"
	nodev1 "k8s.io/kubernetes/pkg/apis/node/v1"
	"k8s.io/kubernetes/pkg/apis/policy"
	policyv1 "k8s.io/kubernetes/pkg/apis/policy/v1"
	"k8s.io/kubernetes/pkg/apis/rbac"
	rbacv1 "k8s.io/kubernetes/pkg/apis/rbac/v1"
	"k8s.io/kubernetes/pkg/apis/scheduling"
	schedulingv1 "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	"k8s.io/kubernetes/pkg/apis/storage"
	storagev1 "k8s.io/kubernetes/pkg/apis/storage/v1"
	"k8s.io/kubernetes/pkg/capabilities"

	"customizer-lint/apply/registry/apps/controllerrevision"
	"customizer-lint/apply/registry/apps/daemonset"
	"customizer-lint/apply/registry/apps/deployment"
	"customizer-lint/apply/registry/apps/replicaset"
	"customizer-lint/apply/registry/apps/statefulset"
	"customizer-lint/apply/registry/autoscaling/horizontalpodautoscaler"
	"customizer-lint/apply/registry/batch/cronjob"
	"customizer-lint/apply/registry/batch/job"
	"customizer-lint/apply/registry/coordination/lease"
	"customizer-lint/apply/registry/core/configmap"
	endpoints "customizer-lint/apply/registry/core/endpoint"
	"customizer-lint/apply/registry/core/limitrange"
	"customizer-lint/apply/registry/core/namespace"
	"customizer-lint/apply/registry/core/persistentvolume"
	"customizer-lint/apply/registry/core/persistentvolumeclaim"
	"customizer-lint/apply/registry/core/pod"
	"customizer-lint/apply/registry/core/podtemplate"
	"customizer-lint/apply/registry/core/replicationcontroller"
	"customizer-lint/apply/registry/core/resourcequota"
	"customizer-lint/apply/registry/core/secret"
	"customizer-lint/apply/registry/core/service"
	"customizer-lint/apply/registry/core/serviceaccount"
	"customizer-lint/apply/registry/discovery/endpointslice"
	"customizer-lint/apply/registry/networking/ingress"
	"customizer-lint/apply/registry/networking/ingressclass"
	"customizer-lint/apply/registry/networking/networkpolicy"
	"customizer-lint/apply/registry/node/runtimeclass"
	"customizer-lint/apply/registry/policy/poddisruptionbudget"
	"customizer-lint/apply/registry/rbac/clusterrole"
	"customizer-lint/apply/registry/rbac/clusterrolebinding"
	"customizer-lint/apply/registry/rbac/role"
	"customizer-lint/apply/registry/rbac/rolebinding"
	"customizer-lint/apply/registry/scheduling/priorityclass"
	"customizer-lint/apply/registry/storage/csidriver"
	"customizer-lint/apply/registry/storage/storageclass"
	"customizer-lint/apply/registry/storage/volumeattributesclass"
)

// A strategy is what an API server does with an object of a kind before it stores it.
type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// strategies are those of the built-in kinds that are judged, by group and kind; builtin.json has the same.
var strategies = map[schema.GroupKind]strategy{
	{Kind: "ConfigMap"}:                                              configmap.Strategy,
	{Kind: "Endpoints"}:                                              endpoints.Strategy,
	{Kind: "LimitRange"}:                                             limitrange.Strategy,
	{Kind: "Namespace"}:                                              namespace.Strategy,
	{Kind: "PersistentVolume"}:                                       persistentvolume.Strategy,
	{Kind: "PersistentVolumeClaim"}:                                  persistentvolumeclaim.Strategy,
	{Kind: "Pod"}:                                                    pod.Strategy,
	{Kind: "PodTemplate"}:                                            podtemplate.Strategy,
	{Kind: "ReplicationController"}:                                  replicationcontroller.Strategy,
	{Kind: "ResourceQuota"}:                                          resourcequota.Strategy,
	{Kind: "Secret"}:                                                 secret.Strategy,
	{Kind: "Service"}:                                                service.Strategy,
	{Kind: "ServiceAccount"}:                                         serviceaccount.Strategy,
	{Group: "apps", Kind: "ControllerRevision"}:                      controllerrevision.Strategy,
	{Group: "apps", Kind: "DaemonSet"}:                               daemonset.Strategy,
	{Group: "apps", Kind: "Deployment"}:                              deployment.Strategy,
	{Group: "apps", Kind: "ReplicaSet"}:                              replicaset.Strategy,
	{Group: "apps", Kind: "StatefulSet"}:                             statefulset.Strategy,
	{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}:          horizontalpodautoscaler.Strategy,
	{Group: "batch", Kind: "CronJob"}:                                cronjob.Strategy,
	{Group: "batch", Kind: "Job"}:                                    job.Strategy,
	{Group: "coordination.k8s.io", Kind: "Lease"}:                    lease.Strategy,
	{Group: "discovery.k8s.io", Kind: "EndpointSlice"}:               endpointslice.Strategy,
	{Group: "networking.k8s.io", Kind: "Ingress"}:                    ingress.Strategy,
	{Group: "networking.k8s.io", Kind: "IngressClass"}:               ingressclass.Strategy,
	{Group: "networking.k8s.io", Kind: "NetworkPolicy"}:              networkpolicy.Strategy,
	{Group: "node.k8s.io", Kind: "RuntimeClass"}:                     runtimeclass.Strategy,
	{Group: "policy", Kind: "PodDisruptionBudget"}:                   poddisruptionbudget.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"}:        clusterrole.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding"}: clusterrolebinding.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "Role"}:               role.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "RoleBinding"}:        rolebinding.Strategy,
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}:              priorityclass.Strategy,
	{Group: "storage.k8s.io", Kind: "CSIDriver"}:                     csidriver.Strategy,
	{Group: "storage.k8s.io", Kind: "StorageClass"}:                  storageclass.Strategy,
	{Group: "storage.k8s.io", Kind: "VolumeAttributesClass"}:         volumeattributesclass.Strategy,
}

// register makes the scheme know the versions that an API server serves unless it is told otherwise; the others, which `install` adds
// as well, cost a megabyte. It takes its time, so that it waits for the first object of such a kind.
var register = sync.OnceFunc(func() {
	for _, add := range []func(*runtime.Scheme) error{
		apps.AddToScheme, appsv1.AddToScheme, autoscaling.AddToScheme, autoscalingv1.AddToScheme, autoscalingv2.AddToScheme,
		batch.AddToScheme, batchv1.AddToScheme, coordination.AddToScheme, coordinationv1.AddToScheme, core.AddToScheme,
		corev1.AddToScheme, discovery.AddToScheme, discoveryv1.AddToScheme, networking.AddToScheme,
		networkingv1.AddToScheme, node.AddToScheme, nodev1.AddToScheme, policy.AddToScheme, policyv1.AddToScheme,
		rbac.AddToScheme, rbacv1.AddToScheme, scheduling.AddToScheme, schedulingv1.AddToScheme, storage.AddToScheme,
		storagev1.AddToScheme,
	} {
		utilruntime.Must(add(legacyscheme.Scheme))
	}
	// As every installer starts the API server (--allow-privileged); who may run what is for admission to say.
	capabilities.Initialize(capabilities.Capabilities{AllowPrivileged: true})
})
