/** Small charts that fail in many ways, each by the name of its folder. */
const meta = (name: string) => `apiVersion: v2\nname: ${name}\nversion: 0.1.0\n`;
const configMap = (data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: it\ndata:\n${data}\n`;

export const failingCharts: Record<string, Record<string, string>> = {
  schema: {
    'Chart.yaml': meta('schema'),
    'values.yaml': `image: {repository: nginx, tag: "1.27", pullPolicy: IfNotPresent}
service: {port: 80, type: ClusterIP, names: [web, admin]}
replicas: 2
debug: false
hosts: [{name: one, path: /}, {name: two, path: /two}]
`,
    'values.schema.json': JSON.stringify({
      type: 'object',
      additionalProperties: false,
      properties: {
        image: {
          properties: {
            repository: { type: 'string', minLength: 1 },
            tag: { type: 'string' },
            pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
          },
        },
        service: {
          additionalProperties: false,
          properties: {
            port: { type: 'integer', minimum: 1, maximum: 65535 },
            type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
            names: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
          },
        },
        replicas: { type: 'integer', minimum: 1 },
        debug: { type: 'boolean' },
        hosts: {
          type: 'array',
          items: { required: ['name'], properties: { name: { type: 'string' }, path: { type: 'string' } } },
        },
        global: {},
        _cluster: {},
      },
    }),
    'templates/a.yaml': configMap('  all: {{ .Values | toJson | quote }}'),
  },
  required: {
    'Chart.yaml': meta('required'),
    'values.yaml': `host: example.org
issuer: letsencrypt
tls: {enabled: false, secret: tls, issuer: letsencrypt}
database: {kind: postgres, host: db, port: 5432, replicas: 1}
labels: {team: a}
`,
    'templates/_checks.tpl': `{{- define "checks" }}
{{- if and .Values.tls.enabled (not .Values.tls.secret) (not .Values.tls.issuer) }}{{ fail "tls needs a secret or an issuer" }}{{ end }}
{{- if not (has .Values.database.kind (list "postgres" "mysql")) }}{{ fail (printf "no such database: %v" .Values.database.kind) }}{{ end }}
{{- end }}`,
    'templates/a.yaml': `{{- include "checks" . }}
${configMap(`  host: {{ required "host must be set" .Values.host | quote }}
  issuer: {{ required "issuer must be set" .Values.issuer | quote }}
  {{- if eq .Values.database.kind "postgres" }}
  database: {{ required "database.host must be set" .Values.database.host }}:{{ .Values.database.port }}
  {{- end }}
  labels: {{ range $key, $value := .Values.labels }}{{ $key }}={{ $value }} {{ end }}`)}`,
  },
  exclusive: {
    'Chart.yaml': meta('exclusive'),
    'values.yaml': `frr: {enabled: false}
bgp: {enabled: true, mode: native}
l2: {enabled: true}
ha: false
replicas: 3
storage: {size: 10Gi, class: fast}
backup: {enabled: false, schedule: "0 1 * * *"}
`,
    'templates/a.yaml': `{{- if and .Values.frr.enabled .Values.bgp.enabled }}{{ fail "frr.enabled and bgp.enabled are mutually exclusive" }}{{ end }}
{{- if and .Values.ha (lt (int .Values.replicas) 3) }}{{ fail "ha needs three replicas" }}{{ end }}
{{- if not (or .Values.frr.enabled .Values.bgp.enabled .Values.l2.enabled) }}{{ fail "one of frr, bgp and l2 has to be enabled" }}{{ end }}
{{- if and .Values.backup.enabled (not .Values.backup.schedule) }}{{ fail "a backup needs a schedule" }}{{ end }}
${configMap('  mode: {{ .Values.bgp.mode }}\n  size: {{ .Values.storage.size }}')}`,
  },
  typed: {
    'Chart.yaml': meta('typed'),
    'values.yaml': `name: web
annotations: {owner: team}
tolerations: [{key: a, operator: Exists}]
extraPorts: [{name: http, port: 80}]
version: 1.27.0
words: [one, two]
limits: {cpu: 1, memory: {request: 1Gi, limit: 2Gi}}
`,
    'templates/a.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: {{ .Values.name | lower | trunc 63 }}
  annotations:
    {{- toYaml .Values.annotations | nindent 4 }}
    words: {{ join "," .Values.words | quote }}
    {{- if semverCompare ">=1.20" .Values.version }}
    new: "yes"
    {{- end }}
    cpu: {{ .Values.limits.cpu }}
    memory: {{ .Values.limits.memory.limit }}
spec:
  tolerations: {{ toYaml .Values.tolerations | nindent 4 }}
  containers:
  - name: {{ .Values.name }}
    ports:
    {{- range .Values.extraPorts }}
    - name: {{ .name }}
      containerPort: {{ .port | int }}
    {{- end }}
`,
  },
  parent: {
    'Chart.yaml': `${meta('parent')}dependencies:\n- {name: child, version: 0.1.0, condition: child.enabled}\n`,
    'values.yaml': `global: {zone: eu}
child: {enabled: true, port: 80, extra: {a: b}}
title: text
`,
    'charts/child/Chart.yaml': meta('child'),
    'charts/child/values.yaml': 'port: 8080\nextra: {}\nmode: simple\n',
    'charts/child/templates/a.yaml': `${configMap(`  zone: {{ .Values.global.zone | upper }}
  {{- range $key, $value := .Values.extra }}
  {{ $key }}: {{ $value | upper }}
  {{- end }}
  mode: {{ get (dict "simple" "1" "full" "2") .Values.mode | required (printf "child.mode %v is unknown" .Values.mode) }}
  port: {{ .Values.port | quote }}`).replace('name: it', 'name: child')}`,
    'templates/a.yaml': configMap('  title: {{ .Values.title | title }}'),
  },
};
