/** Objects of the kinds that repositories hold. `w` gives a word and `n` a number that no other place holds. */
const meta = (name, w, more = {}) => ({ name, labels: { app: w(), tier: w() }, annotations: { note: w() }, ...more });

export const makers = {
  Deployment(name, w, n, { configMap, secret } = {}) {
    const app = w();
    const env = [
      { name: `A_${w()}`, value: w() },
      { name: `B_${w()}`, value: `${w()} ${w()}` },
    ];
    if (secret) env.push({ name: `S_${w()}`, valueFrom: { secretKeyRef: { name: secret, key: w() } } });
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: meta(name, w),
      spec: {
        replicas: n(),
        selector: { matchLabels: { app } },
        template: {
          metadata: { labels: { app } },
          spec: {
            containers: [
              {
                name: 'main',
                image: `${w()}:${w()}`,
                args: [w(), w()],
                env,
                ...(configMap && { envFrom: [{ configMapRef: { name: configMap } }] }),
                ports: [
                  { containerPort: n(), name: w() },
                  { containerPort: n(), name: w() },
                ],
                resources: { limits: { cpu: `${n()}m`, memory: `${n()}Mi` } },
              },
              { name: 'side', image: `registry.example.org/${w()}:${w()}`, tty: true },
            ],
            ...(configMap && { volumes: [{ name: w(), configMap: { name: configMap } }] }),
          },
        },
      },
    };
  },

  Service: (name, w, n) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta(name, w),
    spec: {
      selector: { app: w() },
      ports: [
        { name: w(), port: n(), targetPort: n() },
        { name: w(), port: n(), targetPort: w() },
      ],
      publishNotReadyAddresses: false,
    },
  }),

  ConfigMap: (name, w) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: meta(name, w),
    data: { mode: w(), level: w(), host: `${w()}.${w()}.example.org`, text: `${w()}\n${w()}\n` },
  }),

  Secret: (name, w) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: meta(name, w),
    type: 'Opaque',
    stringData: { user: w(), password: w() },
  }),

  Ingress: (name, w, n, { service, secret } = {}) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: meta(name, w),
    spec: {
      ingressClassName: w(),
      rules: [
        {
          host: `${w()}.example.org`,
          http: {
            paths: [
              {
                path: `/${w()}`,
                pathType: 'Prefix',
                backend: { service: { name: service ?? w(), port: { number: n() } } },
              },
            ],
          },
        },
      ],
      tls: [{ hosts: [`${w()}.example.org`], secretName: secret ?? w() }],
    },
  }),

  CronJob: (name, w, n, { configMap } = {}) => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: meta(name, w),
    spec: {
      schedule: `${n()} * * * *`,
      suspend: false,
      successfulJobsHistoryLimit: n(),
      jobTemplate: {
        spec: {
          template: {
            spec: {
              restartPolicy: 'Never',
              containers: [
                {
                  name: 'main',
                  image: `${w()}:${w()}`,
                  command: [w(), w()],
                  ...(configMap && { envFrom: [{ configMapRef: { name: configMap } }] }),
                },
              ],
            },
          },
        },
      },
    },
  }),

  Role: (name, w) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: meta(name, w),
    rules: [{ apiGroups: [w()], resources: [w(), w()], verbs: ['get', w()] }],
  }),

  RoleBinding: (name, w, _n, { role } = {}) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: meta(name, w),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role ?? w() },
    subjects: [{ kind: 'User', name: w(), apiGroup: 'rbac.authorization.k8s.io' }],
  }),

  Package: (name, w, n) => ({
    apiVersion: 'cozystack.io/v1alpha1',
    kind: 'Package',
    metadata: meta(`cozystack.${name}`, w),
    spec: {
      variant: w(),
      ignoreDependencies: [w(), w()],
      components: {
        [w()]: {
          enabled: true,
          values: {
            replicas: n(),
            image: `${w()}:${w()}`,
            hosts: [{ name: w(), port: n() }, { name: w() }],
            deep: { er: { key: w() } },
          },
        },
      },
    },
  }),

  PackageSource: (name, w) => ({
    apiVersion: 'cozystack.io/v1alpha1',
    kind: 'PackageSource',
    metadata: meta(`cozystack.${name}`, w),
    spec: {
      sourceRef: { kind: 'OCIRepository', name: w(), namespace: w(), path: `/${w()}` },
      variants: [
        {
          name: w(),
          dependsOn: [w(), w()],
          components: [{ name: w(), path: `system/${w()}`, install: { privileged: true, releaseName: w() } }],
        },
        { name: w(), libraries: [{ name: w(), path: w() }] },
      ],
    },
  }),

  HelmRelease: (name, w, n) => ({
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: meta(name, w),
    spec: {
      interval: `${n()}m`,
      chart: { spec: { chart: w(), version: `>=${n()}.${n()}`, sourceRef: { kind: 'HelmRepository', name: w() } } },
      values: { replicas: n(), enabled: false, list: [w(), w()], nested: { a: { b: w() }, c: n() } },
      valuesFrom: [{ kind: 'ConfigMap', name: w() }],
    },
  }),
};

export const kinds = Object.keys(makers);

/** Every path to a scalar. */
export function leavesOf(value, path = []) {
  if (value === null || typeof value !== 'object') return [{ path, value }];
  return Object.entries(value).flatMap(([key, child]) =>
    leavesOf(child, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

export function setAt(target, path, value) {
  let node = target;
  for (const step of path.slice(0, -1)) node = node[step] ??= {};
  node[path.at(-1)] = value;
  return target;
}
