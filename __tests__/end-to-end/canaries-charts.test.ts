/**
 * Secrets that reach a chart are shown nowhere: canaries stand in values of Packages, in Secrets of the repository that are copied to
 * them, in what the platform tells every chart, and in the Secrets of a chart itself. A chart writes each of them to wherever an
 * object may have a text, and fails with them in every way that Helm has.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { inFormats } from '../support/formats.js';
import { runHere } from '../support/here.js';
import { isLong, someOf } from '../support/sample.js';
import { createRepo, kustomization, removeRepo } from '../support/trees.js';
import { Canaries } from './canaries/canary.js';

const canaries = new Canaries();
const folders: string[] = [];
afterAll(() => folders.forEach(removeRepo));

const keys = [
  ...['password', 'adminPassword', 'DB_PASSWORD', 'root_passwd', 'passphrase', 'token', 'accessToken', 'apiKey'],
  ...[
    'clientSecret',
    'privateKey',
    'secretAccessKey',
    'credentials',
    'connectionString',
    'dsn',
    'signingKey',
    'PGPASS',
  ],
];

/** The ways in which a value is secret by its key. */
const shapes: ((key: string) => object)[] = [
  (key) => ({ [key]: '§' }),
  (key) => ({ auth: { [key]: 'x-§' } }),
  (key) => ({ [key]: ['§', '§ in a list'] }),
  (key) => ({ [key]: { admin: '§', other: { nested: '§' } } }),
  (key) => ({ users: [{ name: 'me', [key]: '§' }] }),
  (key) => ({ [key]: '§\nsecond line §\n' }),
];

const values = shapes.flatMap((shape, at) => keys.map((key, index) => [`v${at}x${index}`, shape(key)] as const));

/** In every place of an object that may have a text; `texts` makes a list of all scalars of a value. */
const spread = `{{- define "texts" -}}
{{- if kindIs "map" . }}{{ range $_, $v := . }}{{ include "texts" $v }}{{ end }}
{{- else if kindIs "slice" . }}{{ range . }}{{ include "texts" . }}{{ end }}
{{- else }}{{ . | toString | b64enc }},{{ end }}
{{- end }}
{{- $texts := splitList "," (include "texts" .Values.texts | trimSuffix ",") }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: spread
  annotations:
    {{- range $index, $encoded := $texts }}
    note-{{ $index }}: {{ b64dec $encoded | quote }}
    {{- end }}
data:
  {{- range $index, $encoded := $texts }}
  {{- $text := b64dec $encoded }}
  plain-{{ $index }}: {{ $text | quote }}
  encoded-{{ $index }}: {{ $text | b64enc }}
  within-{{ $index }}: {{ printf "url: postgres://me:%s@db/x" $text | quote }}
  json-{{ $index }}: {{ dict "a" $text | toJson | quote }}
  yaml-{{ $index }}: |
    {{- dict "a" (list $text) | toYaml | nindent 4 }}
  {{- end }}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: pods}
spec:
  selector: {matchLabels: {app: a}}
  template:
    metadata:
      labels: {app: a}
      annotations: {checksum/config: {{ toJson $texts | sha256sum }}}
    spec:
      containers:
        - name: a
          image: a:1
          args:
            {{- range $texts }}
            - {{ b64dec . | quote }}
            - {{ printf "--password=%s" (b64dec .) | quote }}
            {{- end }}
          env:
            {{- range $index, $encoded := $texts }}
            - {name: PLAIN_{{ $index }}, value: {{ b64dec $encoded | quote }}}
            {{- end }}
---
apiVersion: v1
kind: Secret
metadata: {name: spread}
stringData:
  {{- range $index, $encoded := $texts }}
  plain-{{ $index }}: {{ b64dec $encoded | quote }}
  pair-{{ $index }}: {{ printf "me:%s" (b64dec $encoded) | b64enc }}
  {{- end }}
data:
  {{- range $index, $encoded := $texts }}
  encoded-{{ $index }}: {{ b64dec $encoded | b64enc | b64enc }}
  {{- end }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: all}
data:
  json: {{ .Values.texts | toJson | quote }}
  yaml: {{ .Values.texts | toYaml | quote }}
  cluster: {{ .Values._cluster | toJson | quote }}
  {{- range $key, $value := .Values._cluster }}
  cluster-{{ $key }}: {{ $value | toString | quote }}
  {{- end }}
---
# Values with harmless names, which only the Secret tells.
apiVersion: v1
kind: Secret
metadata: {name: held}
stringData:
  {{- range $key, $value := .Values.held }}
  {{ $key }}: {{ $value | quote }}
  {{- end }}
  own: OWN{{ .Values.round }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: copied}
data:
  {{- range $key, $value := .Values.held }}
  {{ $key }}: {{ $value | quote }}
  {{- end }}
  own: OWN{{ .Values.round }}
`;

/** Each puts the password into the words of a failure; what stands before ":" is the name of the case. */
const failures: Record<string, string> = {
  'words that are cut within it': `{{ fail (printf "%s %s" (repeat 147 "x") .Values.password) }}`,
  fail: `{{ fail (printf "%s is not allowed" .Values.password) }}`,
  required: `{{ required (printf "need more than %s" .Values.password) nil }}`,
  'a number that is none': `{{ mustToDate "2006-01-02" .Values.password }}`,
  'a version that is none': `{{ semver .Values.password }}`,
  'a template that does not parse': `{{ tpl (printf "{{ %s }}" .Values.password) . }}`,
  'a template that is not there': `{{ include .Values.password . }}`,
  'a JSON that is none': `{{ mustFromJson .Values.password }}`,
  'an expression that is none': `{{ mustRegexMatch (printf "(%s" .Values.password) "a" }}`,
  'an index into a text': `{{ index .Values.password "a" "b" }}`,
  'a field of a text': `{{ .Values.password.name.more }}`,
  'a text where a number belongs': `{{ range $i := until .Values.password }}{{ end }}`,
  'no YAML': `a: {{ .Values.password }}: {{ .Values.password }}\n  b`,
  'a text for an object': `"{{ .Values.password }}"`,
  'a list for an object': `- {{ .Values.password }}`,
  'no kind': `apiVersion: v1\nmetadata: {name: {{ .Values.password }}}`,
  'an object without a name': `apiVersion: v1\nkind: {{ .Values.password }}\nmetadata: {labels: {a: {{ .Values.password }}}}`,
  'the same object twice': `{{- range list 1 2 }}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ $.Values.password }}}\n{{- end }}`,
  'the same key twice': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {"{{ .Values.password }}": a, "{{ .Values.password }}": b}`,
  'labels that are no map': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {{ .Values.password }}}`,
  'a list of kind List': `apiVersion: v1\nkind: List\nitems: {{ .Values.password }}`,
};

const schema = {
  properties: {
    password: { type: 'string', maxLength: 3, pattern: '^a+$', enum: ['a'], not: { type: 'string' } },
    port: { type: 'integer' },
  },
};

/** The charts of a release, of which one component is ours. */
function release(templates: Record<string, string>): string {
  const home = createRepo({});
  folders.push(home);
  cpSync(join(root, '__tests__/charts/packages'), home, { recursive: true });
  const own = join(home, 'system/redis-operator');
  rmSync(join(own, 'templates'), { recursive: true });
  for (const [file, text] of Object.entries(templates)) {
    mkdirSync(dirname(join(own, file)), { recursive: true });
    writeFileSync(join(own, file), text);
  }
  writeFileSync(join(own, 'values.yaml'), '{}\n');
  const platform = join(home, 'core/platform/templates/platform.yaml');
  writeFileSync(platform, platformChart);
  return home;
}

const platformChart = `apiVersion: v1
kind: Secret
metadata: {name: cozystack-values, namespace: cozy-system}
stringData:
  values.yaml: |
    _cluster:
      {{- .Values.told | toYaml | nindent 6 }}
---
apiVersion: cozystack.io/v1alpha1
kind: Package
metadata: {name: cozystack.redis-operator}
spec: {variant: default}
---
{{ .Files.Get "sources/redis-operator.yaml" }}
`;

/** A revision of the repository: `round` is in every canary, so that both sides differ. */
function repository(componentValues: object, round: string): string {
  const text = (value: object) => canaries.seeded(JSON.stringify(value, null, 2), `round ${round}`);
  const names = Array.from({ length: 12 }, (_, index) => `copied${index}`);
  const folder = createRepo({
    '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full}\n',
    'kustomization.yaml': kustomization({
      resources: ['redis.yaml', 'platform.yaml', 'secret.yaml'],
      replacements: names.map((name) => ({
        source: { kind: 'Secret', name: 'own', fieldPath: `stringData.${name}` },
        targets: [
          {
            select: { kind: 'Package', name: 'cozystack.redis-operator' },
            fieldPaths: [`spec.components.redis-operator.values.texts.${name}`],
            options: { create: true },
          },
        ],
      })),
    }),
    'redis.yaml': text({
      ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package' },
      metadata: { name: 'cozystack.redis-operator', annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } },
      spec: {
        variant: 'default',
        components: { 'redis-operator': { values: { texts: {}, round, ...componentValues } } },
      },
    }),
    'platform.yaml': text({
      ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package' },
      metadata: { name: 'cozystack.cozystack-platform' },
      spec: {
        variant: 'isp-full',
        components: {
          platform: { values: { told: { host: 'a.example', token: '§', oidc: { clientSecret: '§', users: 'x' } } } },
        },
      },
    }),
    'secret.yaml': text({
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'own', namespace: 'cozy-customizer' } },
      stringData: Object.fromEntries(names.map((name) => [name, '§ of a Secret'])),
    }),
  });
  folders.push(folder);
  return folder;
}

const formats = ['text', 'json', 'sarif', 'markdown', 'gitlab', 'junit', 'concise', 'github'];
const check = (folder: string, charts: string, ...more: string[]) =>
  inFormats(runHere, formats, ['check', folder, '--charts', charts, ...more]);

describe('a chart that writes all that it is told everywhere', () => {
  const charts = () => release({ 'templates/all.yaml': spread });
  const held = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`note${index}`, '§']));
  const written = (round: string) => repository({ texts: Object.fromEntries(values), held }, round);

  (isLong() ? test : test.skip)('shows none of it', async () => {
    const [home, base, head] = [charts(), written('1'), written('2')];
    expect(canaries.size).toBeGreaterThanOrEqual(200);
    const checked = await check(head, home, '--base', base, '--verbose');
    const shown = [checked];
    for (const [one, other] of [
      [head, base],
      [base, head],
    ] as const)
      for (const format of someOf(['text', 'json', 'markdown'], 4))
        shown.push(await runHere(['diff', one, '--base', other, '--charts', home, '--format', format]));
    for (const { stdout } of shown.slice(1)) expect(stdout).toContain('spread');
    for (const { stdout, stderr } of shown) {
      expect(canaries.found(stdout)).toEqual([]);
      expect(canaries.found(stderr)).toEqual([]);
      // What a chart holds in a Secret of its own is none to show either.
      expect(`${stdout}${stderr}`).not.toMatch(/OWN[12]/);
    }
  });
});

describe('what tries out each value of such a chart', () => {
  const few = Object.fromEntries(values.filter((_, index) => index % 8 === 0));

  test('shows none of it', async () => {
    const folder = repository({ texts: few, held: { a: '§', b: '§' } }, '1');
    const component = ['Package/cozystack.redis-operator', 'spec.components.redis-operator', '-C', folder];
    for (const args of [
      ['render', folder],
      ['render', folder, '--format', 'json'],
      ['explain', ...component],
      ['explain', ...component, '--format', 'json'],
    ]) {
      const { stdout, stderr } = await runHere([...args, '--charts', release({ 'templates/all.yaml': spread })]);
      expect(stdout).toContain('spread');
      // Nor one that was tried in the place of another, and is most of it.
      expect(`${stdout}${stderr}`).not.toMatch(/Cnr[\da-f]{5}|OWN1/);
    }
  });
});

describe('a chart that fails with a secret in its words', () => {
  test.each(someOf(Object.entries(failures), 1, ([name]) => name))('%s', async (_, template) => {
    const home = release({ 'templates/fails.yaml': `${template}\n` });
    const [base, head] = [repository({ round: '0' }, '0'), repository({ password: '§' }, '1')];
    const checked = await check(head, home, '--verbose');
    expect(checked.stdout).toContain('redis-operator');
    const others = [
      ['diff', head, '--base', base],
      ['render', head],
      ['explain', 'Package/cozystack.redis-operator', 'spec.components.redis-operator', '-C', head],
    ];
    const shown = [checked];
    for (const args of others) shown.push(await runHere([...args, '--charts', home]));
    for (const { stdout, stderr } of shown) expect(canaries.found(`${stdout}${stderr}`)).toEqual([]);
  });

  test('a schema', async () => {
    const home = release({ 'values.schema.json': JSON.stringify(schema), 'templates/a.yaml': '' });
    const checked = await check(repository({ password: '§', port: 'eight' }, '1'), home, '--verbose');
    expect(checked.stdout).toContain('chart-fails');
    expect(canaries.found(checked.stdout)).toEqual([]);
  });
});
