/** Small charts, each with something that Helm or Flux does in a way of its own, and what comes of them. */
import type { ChartFile, ChartSource } from '../../../src/engine/host/helm-engine.js';

/** A chart, values, and the texts that must be in the objects, or in the failure. */
export type ChartCase = {
  name: string;
  files: Record<string, string>;
  libraries?: Record<string, Record<string, string>>;
  valuesFiles?: string[];
  values?: Record<string, unknown>;
  /** The `data` of the ConfigMap `it`, or why it fails. */
  data?: Record<string, string>;
  fails?: { stage: string; own?: string; line?: number; template?: string; message?: string };
  /** Kinds of all objects, in the order of Helm. */
  kinds?: string[];
  consulted?: object;
  /** Why the Helm command has another answer. */
  unlike?: string;
};

const meta = (more = '', name = 'it') => `apiVersion: v2\nname: ${name}\nversion: 1.2.3\nappVersion: "4.5"\n${more}`;
const configMap = (data: string, name = 'it') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n${data}\n`;

export const chartCases: ChartCase[] = [
  {
    name: 'defaults, values over them, and null, which takes a default away',
    files: {
      'Chart.yaml': meta(),
      'values.yaml': 'a: {b: 1, c: 2}\nlist: [1, 2]\ngone: here\n',
      'templates/a.yaml': configMap(
        '  all: {{ .Values | toJson | quote }}\n  gone: {{ .Values.gone | default "none" }}',
      ),
    },
    values: { a: { b: 5 }, list: [3], gone: null },
    data: { all: '{"a":{"b":5,"c":2},"list":[3]}', gone: 'none' },
  },
  {
    name: 'a library of the variant, which is no dependency in Chart.yaml',
    files: { 'Chart.yaml': meta(), 'templates/a.yaml': configMap('  from: {{ include "lib.words" . }}') },
    libraries: {
      lib: {
        'Chart.yaml': meta('type: library\n', 'lib'),
        'templates/_w.tpl': '{{ define "lib.words" }}the library{{ end }}',
      },
    },
    data: { from: 'the library' },
  },
  {
    name: 'values files: the first takes the place of values.yaml, the second is merged',
    files: {
      'Chart.yaml': meta(),
      'values.yaml': 'never: seen\n',
      'values-one.yaml': 'a: {b: 1, c: 2}\n',
      'values-two.yaml': 'a: {c: 3}\n---\nd: 4\n',
      'templates/a.yaml': configMap('  all: {{ .Values | toJson | quote }}'),
    },
    valuesFiles: ['values-one.yaml', 'values-two.yaml'],
    data: { all: '{"a":{"b":1,"c":3},"d":4}' },
  },
  {
    name: 'a dependency that a condition switches off, and one by its alias',
    files: {
      'Chart.yaml': meta(
        'dependencies:\n- {name: kept, version: 1.2.3, condition: kept.enabled}\n- {name: dropped, version: 1.2.3, condition: dropped.enabled}\n- {name: kept, version: 1.2.3, alias: twin}\n',
      ),
      'values.yaml': 'kept: {enabled: true}\ndropped: {enabled: false}\ntwin: {word: two}\n',
      'charts/kept/Chart.yaml': meta('', 'kept'),
      'charts/kept/values.yaml': 'word: one\n',
      'charts/kept/templates/a.yaml': configMap('  word: {{ .Values.word }}', '{{ .Chart.Name }}-{{ .Values.word }}'),
      'charts/dropped/Chart.yaml': meta('', 'dropped'),
      'charts/dropped/templates/a.yaml': '{{ fail "never" }}',
    },
    kinds: ['ConfigMap', 'ConfigMap'],
  },
  {
    name: 'tags, import-values and global values',
    files: {
      'Chart.yaml': meta(
        'dependencies:\n- name: sub\n  version: 1.2.3\n  tags: [extra]\n  import-values:\n  - child: exported\n    parent: imported\n',
      ),
      'values.yaml': 'tags: {extra: true}\nglobal: {who: all}\n',
      'charts/sub/Chart.yaml': meta('', 'sub'),
      'charts/sub/values.yaml': 'exported: {a: 1}\n',
      'charts/sub/templates/a.yaml': configMap('  who: {{ .Values.global.who }}', 'sub'),
      'templates/a.yaml': configMap('  imported: {{ .Values.imported.a | quote }}'),
    },
    data: { imported: '1' },
    kinds: ['ConfigMap', 'ConfigMap'],
  },
  {
    name: 'required, with its message and place',
    files: {
      'Chart.yaml': meta(),
      'templates/a.yaml': `${configMap('  ok: "1"')}  host: {{ required "host must be set" .Values.host }}`,
    },
    fails: { stage: 'render', own: 'host must be set', template: 'it/templates/a.yaml', line: 6 },
  },
  {
    name: 'fail in a named template of another file',
    files: {
      'Chart.yaml': meta(),
      'templates/_check.tpl':
        '{{- define "check" }}\n{{- if .Values.a }}\n{{- fail "a and b exclude each other" }}\n{{- end }}{{ end }}',
      'templates/a.yaml': configMap('  a: {{ include "check" . }}'),
    },
    values: { a: true },
    fails: { stage: 'render', own: 'a and b exclude each other' },
  },
  {
    name: 'a value of the wrong type, in a template',
    files: { 'Chart.yaml': meta(), 'templates/a.yaml': configMap('  a: {{ .Values.a.b }}') },
    values: { a: 'text' },
    fails: { stage: 'render', template: 'it/templates/a.yaml', line: 5, message: "can't evaluate field b" },
  },
  {
    name: 'a schema, of the chart and of a dependency',
    files: {
      'Chart.yaml': meta(),
      'values.schema.json': '{"type":"object","properties":{"port":{"type":"integer"}}}',
      'charts/sub/Chart.yaml': meta('', 'sub'),
      'charts/sub/values.schema.json': '{"type":"object","properties":{"a":{"enum":["x"]}}}',
    },
    values: { port: 'http', sub: { a: 'y' } },
    fails: { stage: 'schema', message: 'got string, want integer' },
  },
  {
    name: 'what a schema refers to elsewhere is not read',
    files: { 'Chart.yaml': meta(), 'values.schema.json': '{"$ref":"https://example.org/schema.json"}' },
    fails: { stage: 'schema', message: 'is not read' },
    unlike: 'it asks the network',
  },
  {
    name: 'hooks, NOTES.txt, and definitions in crds/',
    files: {
      'Chart.yaml': meta(),
      'crds/c.yaml':
        'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.example.org}\n',
      'templates/NOTES.txt': 'Thank you for {{ .Chart.Name }}',
      'templates/job.yaml':
        'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: migrate\n  annotations: {helm.sh/hook: "pre-upgrade,post-install", helm.sh/hook-weight: "-5"}\n',
      'templates/z.yaml': configMap('  a: "1"'),
      'templates/a.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: it}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: it}\n',
    },
    kinds: ['CustomResourceDefinition', 'Namespace', 'ConfigMap', 'Service', 'Job'],
  },
  {
    name: 'NOTES.txt that fails is a failure',
    files: { 'Chart.yaml': meta(), 'templates/NOTES.txt': '{{ fail "read the notes" }}' },
    fails: { stage: 'render', own: 'read the notes' },
  },
  {
    name: 'documents that are empty, comments only, or a list',
    files: {
      'Chart.yaml': meta(),
      'templates/a.yaml': `# nothing\n---\n{{- if false }}\nx: y\n{{- end }}\n---\n${configMap('  a: "1"')}---\n`,
      'templates/l.yaml':
        'apiVersion: v1\nkind: ConfigMapList\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: two}}\n',
    },
    kinds: ['ConfigMap', 'ConfigMap', 'ConfigMap'],
  },
  {
    name: 'output that is no YAML',
    files: { 'Chart.yaml': meta(), 'templates/a.yaml': 'apiVersion: v1\nkind: [\n' },
    fails: { stage: 'parse', message: 'it/templates/a.yaml' },
  },
  {
    name: 'a template that does not parse',
    files: { 'Chart.yaml': meta(), 'templates/a.yaml': 'a: 1\n{{ if }}\n' },
    fails: { stage: 'render', template: 'it/templates/a.yaml', line: 2 },
  },
  {
    name: 'the version of Kubernetes that the chart wants',
    files: { 'Chart.yaml': meta('kubeVersion: "<1.20"\n'), 'templates/a.yaml': configMap('  a: "1"') },
    fails: { stage: 'kubeVersion', message: 'chart requires kubeVersion: <1.20' },
  },
  {
    name: 'capabilities, the release, files, and what is in .helmignore',
    files: {
      'Chart.yaml': meta(),
      '.helmignore': 'notes.md\n',
      'notes.md': 'kept',
      'templates/a.yaml': configMap(
        '  k: {{ .Capabilities.KubeVersion.Version }}\n  apps: {{ .Capabilities.APIVersions.Has "apps/v1" | quote }}\n  none: {{ .Capabilities.APIVersions.Has "none/v1" | quote }}\n  r: {{ .Release.Name }}-{{ .Release.Namespace }}-{{ .Release.IsUpgrade }}-{{ .Release.Service }}\n  f: {{ .Files.Get "notes.md" | quote }}',
      ),
    },
    data: { k: 'v1.35.0', apps: 'true', none: 'false', r: 'name-space-true-Helm', f: 'kept' },
    consulted: { apiVersions: ['apps/v1', 'none/v1'] },
  },
  {
    name: 'tpl, with templates that it defines itself',
    files: {
      'Chart.yaml': meta(),
      'templates/a.yaml': configMap('  a: {{ tpl .Values.text . }}'),
    },
    values: { text: '{{ define "own" }}{{ .Release.Name }}{{ end }}{{ include "own" . | upper }}' },
    data: { a: 'NAME' },
  },
  {
    name: 'numbers as YAML and JSON have them',
    files: {
      'Chart.yaml': meta(),
      'values.yaml': 'octal: 0777\nlarge: 10000000\nfloat: 1.50\nexponent: 1e3\nword: yes\n',
      'templates/a.yaml': configMap(
        '  all: "{{ .Values.octal }} {{ .Values.large }} {{ .Values.float }} {{ .Values.exponent }} {{ .Values.word }}"',
      ),
    },
    data: { all: '511 1e+07 1.5 1000 true' },
  },
  {
    name: 'chance is the same each time, and told',
    files: {
      'Chart.yaml': meta(),
      'templates/a.yaml': configMap(
        '  a: {{ randAlphaNum 8 | quote }}\n  u: {{ uuidv4 | quote }}\n  c: {{ (genSignedCert "a" (list "10.0.0.1") (list "a.b") 365 (genCA "ca" 365)).Cert | b64enc }}\n  n: {{ now | date "2006-01-02" | quote }}',
      ),
    },
    consulted: { random: ['genCA', 'genSignedCert', 'now', 'randAlphaNum', 'uuidv4'] },
    unlike: 'it is random',
  },
  {
    name: 'dates do not depend on the day',
    files: {
      'Chart.yaml': meta(),
      'templates/a.yaml': configMap(
        '  text: {{ date "2006-01-02" "no date" | quote }}\n  html: {{ htmlDate "no date" | quote }}\n  zone: {{ dateInZone "15:04" "no date" "UTC" | quote }}\n  ago: {{ ago 0 | quote }}\n  round: {{ durationRound (now) | quote }}\n  fixed: {{ date "2006" 0 | quote }}',
      ),
    },
    data: { text: '2026-01-01', html: '2026-01-01', zone: '00:00', ago: '490896h0m0s', round: '0s', fixed: '1970' },
    consulted: { random: ['ago', 'date', 'dateInZone', 'durationRound', 'htmlDate', 'now'] },
    unlike: 'it takes the day of the run',
  },
  {
    name: 'what is enciphered can be read, and a certificate of it can be built',
    files: {
      'Chart.yaml': meta(),
      'templates/a.yaml': configMap(
        '  aes: {{ encryptAES "key" "the text" | decryptAES "key" }}\n  {{- $ca := genCA "ca" 1 }}\n  {{- $own := buildCustomCert ($ca.Cert | b64enc) ($ca.Key | b64enc) }}\n  same: {{ eq $own.Cert $ca.Cert | quote }}\n  signed: {{ (genSignedCert "a" nil (list "a.b") 1 $ca).Cert | trim | splitList "\\n" | first | quote }}\n  key: {{ genPrivateKey "ecdsa" | trim | splitList "\\n" | first | quote }}\n  none: {{ genPrivateKey "other" }}',
      ),
    },
    data: {
      aes: 'the text',
      same: 'true',
      signed: '-----BEGIN CERTIFICATE-----',
      key: '-----BEGIN EC PRIVATE KEY-----',
      none: 'Unknown type other',
    },
    unlike: 'it is random',
  },
  {
    name: 'an address of a certificate that is none',
    files: { 'Chart.yaml': meta(), 'templates/a.yaml': '{{ genSelfSignedCert "a" (list "here") nil 1 }}' },
    fails: { stage: 'render', message: 'error parsing ip: here' },
  },
  {
    name: 'keys and values of a map, of which Helm leaves the order to chance',
    files: {
      'Chart.yaml': meta(),
      'values.yaml': 'map: {b: 2, a: 1, c: 3}\none: {a: 1}\n',
      'templates/a.yaml': configMap(
        '  keys: {{ keys .Values.map | join "," }}\n  values: {{ values .Values.map | join "," | quote }}\n  one: {{ keys .Values.one | join "," }}',
      ),
    },
    data: { keys: 'a,b,c', values: '1,2,3', one: 'a' },
    consulted: { random: ['keys', 'values'] },
    unlike: 'it is random',
  },
  {
    name: 'a text that is repeated less than never',
    files: { 'Chart.yaml': meta(), 'templates/a.yaml': '{{ repeat -1 "a" }}' },
    fails: { stage: 'render', message: 'negative Repeat count' },
  },
  {
    name: 'functions that are bounded here do what those of Helm do',
    files: {
      'Chart.yaml': meta(),
      'templates/a.yaml': configMap(
        [
          '  a: {{ repeat 3 "ab" }}',
          '  b: {{ replace "a" "bb" "banana" }}',
          '  c: {{ print 1 "a" 2 3 nil | quote }}{{ println }}',
          '  d: {{ cat "a" 1 nil "b" | quote }}',
          '  e: {{ join "-" (list 1 "b" nil 3) | quote }}',
          '  f: {{ concat (list 1 2) (list 3) | join "," | quote }}',
          '  g: {{ untilStep 3 10 2 | join "," | quote }} # {{ untilStep 10 3 -2 }}{{ untilStep 3 10 -1 }}{{ untilStep 1 5 0 }}',
          '  h: {{ until 3 | join "," | quote }} # {{ until -3 }}{{ until 0 }}',
          '  i: "{{ seq 3 }};{{ seq -2 }};{{ seq 2 5 }};{{ seq 5 2 }};{{ seq 1 3 9 }};{{ seq 9 -3 1 }};{{ seq 9 3 1 }};{{ seq }};{{ seq 1 }}"',
          '  j: |{{ "a\\nb" | nindent 4 }}',
          '  k: {{ printf "%05.1f|%-4s|%q" 3.14159 "a" "b" | quote }}',
        ].join('\n'),
      ),
    },
    data: {
      a: 'ababab',
      b: 'bbbnbbnbb',
      c: '1a2 3 <nil>',
      d: 'a 1 b',
      e: '1-b-3',
      f: '1,2,3',
      g: '3,5,7,9',
      h: '0,1,2',
      i: '1 2 3;1 0 -1 -2;2 3 4 5;5 4 3 2;1 4 7;9 6 3;;;1',
      j: 'a\nb\n',
      k: '003.1|a   |"b"',
    },
  },
  {
    name: 'lookup finds nothing, and is told',
    files: {
      'Chart.yaml': meta(),
      'templates/a.yaml': configMap(
        '  a: {{ (lookup "v1" "Secret" "here" "there").data | default "none" }}\n  l: {{ len (lookup "v1" "Secret" "here" "") | quote }}',
      ),
    },
    data: { a: 'none', l: '0' },
    consulted: {
      lookups: [
        { apiVersion: 'v1', kind: 'Secret', namespace: 'here' },
        { apiVersion: 'v1', kind: 'Secret', namespace: 'here', name: 'there' },
      ],
    },
  },
];

const bytes = (files: Record<string, string>): ChartFile[] =>
  Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));

export function sourceOf({
  files,
  libraries = {},
  valuesFiles = [],
}: ChartCase): Extract<ChartSource, { files: unknown }> {
  return {
    files: bytes(files),
    libraries: Object.entries(libraries).map(([name, of]) => ({ name, files: bytes(of) })),
    valuesFiles,
  };
}
