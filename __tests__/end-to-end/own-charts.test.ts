/** Charts that the repository itself has: of its own PackageSources, rendered from the very revision that is judged. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { isLong } from '../support/sample.js';
import { createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const charts = join(root, '__tests__/charts/packages');
const folders: string[] = [];
afterAll(() => folders.forEach(removeRepo));

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: {{ required "replicas are needed" .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:{{ .Values.tag }}"}]}
`;

const chart: Files = {
  'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\n',
  'charts/web/values.yaml': 'replicas: 1\ntag: "1.27"\n',
  'charts/web/templates/web.yaml': deployment,
};

const here = { kind: 'GitRepository', name: 'cozystack-customizer', namespace: 'cozy-system', path: '/' };

function source(sourceRef: object, component: object = { path: 'charts/web' }, more: object = {}): string {
  const install = { namespace: 'acme-web', releaseName: 'web' };
  const variant = { name: 'default', components: [{ name: 'web', install, ...component }], ...more };
  return `apiVersion: cozystack.io/v1alpha1
kind: PackageSource
metadata:
  name: acme.web
  annotations: {kustomize.toolkit.fluxcd.io/prune: disabled}
spec: ${JSON.stringify({ sourceRef, variants: [variant] })}
`;
}

function repository(values: string, files: Files = {}, own: string = source(here)): string {
  const folder = createRepo({
    '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full, kubernetes: v1.35}\n',
    'kustomization.yaml': kustomization({ resources: ['source.yaml', 'web.yaml'] }),
    'source.yaml': own,
    'web.yaml': `apiVersion: cozystack.io/v1alpha1
kind: Package
metadata:
  name: acme.web
  annotations: {kustomize.toolkit.fluxcd.io/prune: disabled}
spec:
  components:
    web:
      values: ${values}
`,
    ...chart,
    ...files,
  });
  folders.push(folder);
  return folder;
}

type Shown = {
  rule: string;
  severity: string;
  message: string;
  help: string;
  file: string;
  line: number;
  related: { message: string; line: number }[];
};

async function check(folder: string, ...more: string[]) {
  const { stdout, stderr } = await runHere(['check', folder, '--charts', charts, '--format', 'json', ...more]);
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as { findings: Shown[]; notChecked: { what: string; why: string }[] };
  const ofCharts = report.findings.filter(({ rule }) =>
    /^chart-(?:fails|deletes)|-chart-field$|without-effect/.test(rule),
  );
  return { ...report, chart: ofCharts };
}

describe('a chart of the repository', () => {
  test('is rendered with the values of its Package, and nothing is wrong with it', async () => {
    const { chart: found, notChecked } = await check(repository('{replicas: 2}'));
    expect(found).toEqual([]);
    expect(notChecked.filter(({ what }) => what.includes('web'))).toEqual([]);
  });

  test('fails with a value: on the value', async () => {
    const { chart: found } = await check(repository('{replicas: null}'));
    expect(found).toMatchObject([{ rule: 'chart-fails', severity: 'error', file: 'web.yaml', line: 9 }]);
    expect(found[0]?.message).toContain('replicas are needed');
  });

  test('fails with an item of a list: on what in the item', async () => {
    const ports = '{{ range .Values.ports }}{{ .name | default "x" | upper }}{{ end }}';
    const values = `
        ports:
          - {name: http, port: 80}
          - port: 81
            name: 82
          - {name: last, port: 83}`;
    const files = { 'charts/web/templates/ports.yaml': `# ${ports}\n` };
    const { chart: found } = await check(repository(values, files));
    expect(found).toMatchObject([{ rule: 'chart-fails', file: 'web.yaml', line: 13 }]);
  });

  test('fails as a value is no YAML where it stands: not on one that moves the lines after it', async () => {
    const labels = 'labels: {{ toYaml .Values.pairs | nindent 4 }}\n  annotations:\n    note: {{ .Values.note }}';
    const values = `
        note: "two: words: more"
        pairs: {a: b, c: d}
        tag: last
        replicas: 2`;
    const text = deployment.replace('name: web\n', `name: web\n  ${labels}\n`);
    const { chart: found } = await check(repository(values, { 'charts/web/templates/web.yaml': text }));
    expect(found).toMatchObject([{ rule: 'chart-fails', file: 'web.yaml', line: 10 }]);
  });

  (isLong() ? test : test.skip)('fails with a value behind more than are tried one by one: on the values', async () => {
    const many = Array.from({ length: 600 }, (_, index) => `k${index}: v`).join(', ');
    const files: Files = {
      'charts/web/templates/zone.yaml':
        '{{ if .Values.zone }}{{ range .Values.aaa }}{{ end }}{{ .Values.zone.name }}{{ end }}',
    };
    const { chart: found, notChecked } = await check(repository(`{replicas: 2, aaa: {${many}}, zone: text}`, files));
    expect(found).toMatchObject([
      {
        rule: 'chart-fails',
        severity: 'error',
        file: 'web.yaml',
        line: 9,
        field: ['spec', 'components', 'web', 'values'],
      },
    ]);
    expect(found[0]?.message).toContain('its chart fails with these values: ');
    expect(notChecked.filter(({ why }) => why.includes('whatever'))).toEqual([]);
  });

  describe('has a schema that refuses values', () => {
    const properties = {
      replicas: { type: 'integer', minimum: 1 },
      kind: { enum: ['alpha', 'beta'] },
      ports: { items: { required: ['port'], properties: { name: { type: 'string' } } } },
      tls: { dependentRequired: { issuer: ['host'] } },
      debug: { type: 'boolean' },
    };
    const schema = (more: object = {}) => ({
      'charts/web/values.schema.json': JSON.stringify({ properties, ...more }),
      'charts/web/charts/child/Chart.yaml': 'apiVersion: v2\nname: child\nversion: 0.1.0\n',
      'charts/web/charts/child/values.schema.json': '{"properties":{"port":{"type":"integer"}}}',
    });
    const said = async (values: string, more: object = {}) => {
      const { chart: found, findings, notChecked } = await check(repository(`\n        ${values}`, schema(more)));
      expect(notChecked.filter(({ what }) => what.includes('web'))).toEqual([]);
      const shown = found.map(({ line, message, help }) => [line, /"web": (.*)/.exec(message)?.[1], help]);
      return { shown: shown.sort(([a], [b]) => Number(a) - Number(b)), findings };
    };
    const web = '(schema of chart "web"), so the upgrade fails';

    test('each is told at its value, in a sub-chart too', async () => {
      const lines = ['replicas: 0', 'debug: "true"', 'kind: alpah', 'ports:', '- {name: 3, port: 1}', '- {name: x}'];
      const { shown } = await said([...lines, 'child: {port: "80"}'].join('\n        '));
      expect(shown).toEqual([
        [10, `replicas minimum: got 0, want 1 ${web}`, undefined],
        [11, `debug must be a boolean, not a string ${web}`, 'write true without quotes'],
        [12, `kind must be one of alpha, beta ${web}`, 'did you mean "alpha"?'],
        [14, `ports[0].name must be a string, not a number ${web}`, undefined],
        [15, `ports[1] missing property 'port' ${web}`, undefined],
        [
          16,
          'child.port must be an integer, not a string (schema of chart "child"), so the upgrade fails',
          'write 80 without quotes',
        ],
      ]);
    });

    test('a key that it does not have is told at the key', async () => {
      const { shown } = await said('replicas: 2\n        unheard: {of: 1}', {
        additionalProperties: false,
        properties: { ...properties, tag: {}, child: {}, global: {}, _cluster: {} },
      });
      expect(shown).toEqual([[11, `unheard is not a known value ${web}`, 'remove it, or correct its path']]);
    });

    test('what is missing is told at the value that asks for it, or that took it away', async () => {
      const { shown } = await said('replicas: null\n        tls:\n          issuer: x', { required: ['replicas'] });
      expect(shown).toEqual([
        [10, `replicas missing property 'replicas' ${web}`, undefined],
        [12, `tls.issuer properties 'host' required, if 'issuer' exists ${web}`, undefined],
      ]);
    });

    test('what is refused without any of them is none of theirs', async () => {
      const { chart: found, notChecked } = await check(repository('{replicas: 2}', schema({ required: ['host'] })));
      expect(found).toEqual([]);
      expect(notChecked.filter(({ what }) => what.includes('web'))).toMatchObject([
        { why: expect.stringContaining("missing property 'host'") },
      ]);
    });

    test('a variable that only Flux fills in says nothing', async () => {
      const { chart: found } = await check(repository(`{replicas: "\${replicas}"}`, schema()));
      expect(found).toEqual([]);
    });
  });

  describe('fails with several values', () => {
    const bad = (template: string, values: string) =>
      check(
        repository(`\n        ${values}`, {
          'charts/web/templates/bad.yaml': `{{ ${template} }}{{ fail "no" }}{{ end }}`,
        }),
      );
    const lines = [...'abcdef'].map((name) => `${name}: x`).join('\n        ');

    test('together: on the last, with the names of the others', async () => {
      const { chart: found } = await bad('if and (eq .Values.b "x") (eq .Values.c "x") (eq .Values.e "x")', lines);
      expect(found).toMatchObject([
        {
          ...{ rule: 'chart-fails', line: 14 },
          message: 'Package "acme.web", component "web": its chart fails with this value beside c and b: no',
          related: [
            { message: 'together with this', line: 12 },
            { message: 'together with this', line: 11 },
          ],
        },
      ]);
    });

    test('each alone: all are named', async () => {
      const { chart: found } = await bad('if or (eq .Values.b "x") (and (eq .Values.d "x") (eq .Values.f "x"))', lines);
      expect(found).toMatchObject([
        {
          ...{ rule: 'chart-fails', line: 15 },
          message: 'Package "acme.web", component "web": its chart fails with this value beside d, as with b: no',
          related: [
            { message: 'together with this', line: 13 },
            { message: 'with this as well', line: 11 },
          ],
        },
      ]);
    });

    test('each alone, in lists: on the items', async () => {
      const list = (name: string) => `${name}:\n          - y\n          - x`;
      const { chart: found } = await bad(
        'if or (has "x" .Values.a) (has "x" .Values.b)',
        `${list('a')}\n        ${list('b')}`,
      );
      expect(found).toMatchObject([{ line: 15, related: [{ message: 'with this as well', line: 12 }] }]);
      expect(found[0]?.message).toContain('with this value, as with a[1]: no');
    });
  });

  test('fails whatever is set: on the line of the template', async () => {
    const broken = deployment.replace('{{ .Values.tag }}', '{{ .Values.image.tag }}');
    const { chart: found } = await check(repository('{replicas: 2}', { 'charts/web/templates/web.yaml': broken }));
    expect(found).toMatchObject([
      {
        rule: 'chart-fails',
        severity: 'error',
        file: 'charts/web/templates/web.yaml',
        line: 10,
      },
    ]);
  });

  test('has a value that no template reads: with the one that was probably meant, of its defaults or of its templates', async () => {
    const files: Files = {
      'charts/web/templates/more.yaml': '{{ with .Values.extraLabels }}{{ fail "not here" }}{{ end }}',
    };
    const folder = repository('{replicas: 2, tagg: "1", extraLabel: {bcd: e}, unheard: 1}', files);
    const { chart: found } = await check(folder);
    expect(found.map(({ message, help }) => [/: (\S+) changes/.exec(message)?.[1], help]).sort()).toEqual([
      ['extraLabel.bcd', 'did you mean extraLabels?'],
      ['tagg', 'did you mean tag?'],
      ['unheard', 'remove it, or correct its name or place'],
    ]);
  });

  describe('has a value one level off, whose name is read elsewhere', () => {
    const told = async (values: string, template: string, more: Files = {}) => {
      const defaults = 'replicas: 1\ntag: "1.27"\nservice: {http: {}}\n';
      const files = { 'charts/web/values.yaml': defaults, 'charts/web/templates/more.yaml': `# ${template}\n` };
      const { chart: found } = await check(repository(`{replicas: 2, ${values}}`, { ...files, ...more }));
      return found.map(({ severity, message, help }) => [severity, /"web": (.*)/.exec(message)?.[1], help]);
    };
    const port = (field: string, help = 'did you mean service.http.port?') => [
      'warning',
      `${field} changes nothing, as the templates read a value of that name elsewhere`,
      help,
    ];
    const read = '{{ if .Values.service.http }}{{ .Values.service.http.port }}{{ end }}';

    test('above or below, or in a sub-chart: with its place', async () => {
      expect(await told('service: {port: 80}', read)).toEqual([port('service.port')]);
      expect(await told('service: {http: {tls: {port: 80}}}', read)).toEqual([port('service.http.tls.port')]);
      expect(await told('other: {far: {port: 80}}', read)).toEqual([
        port('other.far.port', 'remove it, or correct its place'),
      ]);
      const child: Files = {
        'charts/web/charts/service/Chart.yaml': 'apiVersion: v2\nname: service\nversion: 0.1.0\n',
        'charts/web/charts/service/templates/a.yaml': '# {{ ((.Values.http).port) }}\n',
      };
      expect(await told('service: {port: 80}', 'a', child)).toEqual([port('service.port')]);
      expect(await told('service: {http: {port: 80}}', 'a', child)).toEqual([]);
    });

    test.each([
      '{{ with .Values.service }}{{ if false }}{{ .port }}{{ end }}{{ end }}',
      '{{ if false }}{{ toYaml .Values.service }}{{ end }}',
      '{{ if false }}{{ include "a" (dict "v" .Values) }}{{ end }}{{ define "a" }}{{ end }}',
      '{{ if false }}{{ get .Values.service "port" }}{{ end }}',
      '{{ if false }}{{ .Values.service.port }}{{ end }}',
      '{{ range .Values.all }}{{ .port }}{{ end }}',
    ])('may be read by %s: nothing is said', async (other) => {
      expect(await told('service: {port: 80}', `${read}${other}`)).toEqual([]);
    });

    test('may be read by the template of another chart that is called', async () => {
      const library = (text: string): Files => ({
        'charts/web/charts/names/Chart.yaml': 'apiVersion: v2\nname: names\nversion: 0.1.0\ntype: library\n',
        'charts/web/charts/names/templates/_a.tpl': `{{ define "names.a" }}${text}{{ end }}`,
      });
      const call = `${read}{{ if false }}{{ include "names.a" . }}{{ end }}`;
      expect(await told('service: {port: 80}', call, library('{{ .Values.service.port }}'))).toEqual([]);
      expect(await told('service: {port: 80}', read, library('{{ .Values.service.port }}'))).toHaveLength(1);
      expect(await told('service: {port: 80}', call, library('{{ .Values.title }}'))).toHaveLength(1);
    });

    test('is not told of a chart whose sub-charts have other names', async () => {
      const child: Files = {
        'charts/web/charts/a/Chart.yaml': 'apiVersion: v2\nname: service\nversion: 0.1.0\n',
        'charts/web/charts/a/templates/a.yaml': '# {{ if .Values.on }}{{ .Values.port }}{{ end }}\n',
      };
      expect(await told('service: {port: 80}', read, child)).toEqual([]);
    });
  });

  test('fails in a library: on the line of the library', async () => {
    const files = {
      'library/names/Chart.yaml': 'apiVersion: v2\nname: names\nversion: 0.1.0\ntype: library\n',
      'library/names/templates/_names.tpl': '{{- define "names.of" }}\n{{- .Values.image.tag }}\n{{- end }}\n',
      'charts/web/templates/other.yaml': 'a: {{ include "names.of" . }}\n',
    };
    const libraries = [{ name: 'names', path: 'library/names' }];
    const own = source(here, { path: 'charts/web', libraries: ['names'] }, { libraries });
    const { chart: found } = await check(repository('{replicas: 2}', files, own));
    expect(found).toMatchObject([{ rule: 'chart-fails', file: 'library/names/templates/_names.tpl', line: 2 }]);
  });

  test('is not loaded: on the path of the component', async () => {
    const { chart: found } = await check(repository('{}', {}, source(here, { path: 'charts/wep' })));
    expect(found).toMatchObject([{ rule: 'chart-fails', severity: 'error', file: 'source.yaml' }]);
    expect(found[0]?.message).toContain('Helm does not load its chart');
  });

  test('stands below packages/ where the source names no path', async () => {
    const files = Object.fromEntries(Object.entries(chart).map(([file, text]) => [`packages/${file}`, text]));
    const { path: _, ...bare } = here;
    const own = source(bare);
    expect((await check(repository('{replicas: null}', files, own))).chart).toMatchObject([{ rule: 'chart-fails' }]);
    expect((await check(repository('{replicas: 2}', {}, own))).chart[0]?.message).toContain(
      'Helm does not load its chart',
    );
  });

  test('comes from elsewhere, which is said', async () => {
    const own = source({ kind: 'OCIRepository', name: 'acme', namespace: 'cozy-system' });
    const { chart: found, notChecked } = await check(repository('{replicas: null}', {}, own));
    expect(found).toEqual([]);
    expect(notChecked).toContainEqual({
      weight: 'plain',
      what: 'the charts of PackageSource "acme.web"',
      why: 'they come from OCIRepository "cozy-system/acme", which is not here',
      count: 1,
    });
  });

  test('has no file behind a link', async () => {
    const files: Files = {
      ...chart,
      'charts/web/templates/web.yaml': { link: '../../../web.tpl' },
      'web.tpl': '{{ fail "read" }}',
    };
    expect((await check(repository('{replicas: 2}', files))).chart).toEqual([]);
  });
});

describe('a chart of the repository makes an object that the API server refuses', () => {
  const configMap = (name: string, data: string) =>
    `---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata: {a: ${data}}\n`;
  const told = async (values: string, files: Files = {}) => {
    const { chart: found, notChecked } = await check(repository(`\n        ${values}`, files));
    expect(notChecked.filter(({ what }) => what.includes('web'))).toEqual([]);
    return found.map(({ severity, line, message, help, related }) => ({
      ...{ severity, line, related: related.map((one) => one.line), help },
      message: /"web": (.*)/.exec(message)?.[1],
    }));
  };
  const more = (text: string) => ({ 'charts/web/templates/more.yaml': text });

  test('with a value: on the value', async () => {
    expect(await told('tag: x\n        replicas: -1')).toEqual([
      {
        ...{ severity: 'error', line: 11, related: [], help: 'see web/templates/web.yaml' },
        message:
          'with this value the API server refuses Deployment "web": spec.replicas: -1 must be greater than or equal to 0, so the upgrade fails',
      },
    ]);
  });

  test('in several objects and fields: one finding of a value, and one of another', async () => {
    const files = more(
      `${configMap('{{ .Values.a | default "x" }}', 'b')}{{ range until 5 }}${configMap('{{ $.Values.a | default "x" }}.{{ . }}', 'b')}{{ end }}`,
    );
    const found = await told('replicas: -1\n        a: A_B', files);
    expect(found.map(({ line }) => line)).toEqual([10, 11]);
    expect(found[1]?.message).toMatch(
      /^with this value the API server refuses ConfigMap "A_B": metadata.name: "A_B" is not a DNS subdomain; .*; 3 more, so the upgrade fails$/,
    );
    expect(found[1]?.help).toMatch(/^use only lower-case letters.*; see web\/templates\/more.yaml$/);
  });

  test('as a name that there is none of without the value: on the value', async () => {
    const [found] = await told('replicas: 2\n        a: A_B', more(configMap('{{ .Values.a }}', 'b')));
    expect(found).toMatchObject({ line: 11, severity: 'error' });
  });

  test('with two values together', async () => {
    const files = more(
      configMap('"{{ .Values.a | default "x" }}{{ if eq .Values.a "b" }}{{ .Values.c }}{{ end }}"', 'b'),
    );
    const [one, ...others] = await told('replicas: 2\n        a: b\n        c: _', files);
    expect({ one, others }).toMatchObject({ one: { line: 12, related: [11], severity: 'error' }, others: [] });
    expect(one?.message).toMatch(/^with this value beside a the API server refuses ConfigMap "b_": /);
  });

  test('with a value that is not in its schema: which a release of Helm 3 survives', async () => {
    const text = deployment
      .replace('spec: {containers', 'spec: {{ .Values.pod | toJson }}\n#')
      .replace('name: web\n', 'name: more\n');
    const pod = '{containers: [{name: a, image: b}], hostNetworks: true}';
    expect(await told(`replicas: 2\n        pod: ${pod}`, more(text))).toEqual([
      {
        ...{ severity: 'warning', line: 11, related: [] },
        message:
          'with this value the API server refuses Deployment "more": spec.template.spec.hostNetworks: the schema of its kind has no such field, so the upgrade fails',
        help: 'see web/templates/more.yaml; a release that Helm 3 has installed is upgraded without the field',
      },
    ]);
  });

  test('where the chart asks the cluster: perhaps', async () => {
    const text = configMap('{{ if lookup "v1" "Secret" "a" "b" }}a{{ else }}{{ .Values.a }}{{ end }}', 'b');
    const asks = '{{ if .Capabilities.APIVersions.Has "apps/v1" }}{{ .Values.a }}{{ else }}a{{ end }}';
    const [found] = await told('replicas: 2\n        a: A_B', more(configMap(asks, 'b')));
    expect(found).toMatchObject({ severity: 'warning', help: expect.stringContaining('with another answer') });
    expect(await told('replicas: 2\n        a: A_B', more(text))).toMatchObject([{ line: 11 }]);
  });

  test('with any values: of that none is to blame', async () => {
    const files = more(configMap('A_B', '{{ .Values.a | quote }}'));
    expect(await told('replicas: 2\n        a: b', files)).toEqual([]);
  });

  test('for tests alone: an upgrade makes none of them', async () => {
    const hook = (event: string) =>
      more(
        configMap('{{ .Values.a | default "x" }}', 'b').replace(
          'metadata:',
          `metadata:\n  annotations: {helm.sh/hook: ${event}}`,
        ),
      );
    expect(await told('replicas: 2\n        a: _', hook('test'))).toEqual([]);
    expect(await told('replicas: 2\n        a: _', hook('pre-upgrade'))).toHaveLength(1);
  });

  test('with a variable that only Flux fills in: of that nothing is known', async () => {
    const files = more(configMap('{{ .Values.a }}', 'b'));
    expect(await told(`replicas: 2\n        a: "\${a}"`, files)).toEqual([]);
  });

  test('of a kind whose definition the platform brings', async () => {
    const snapshot = `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: {name: web}
spec: {source: {persistentVolumeClaimName: a}, volumeSnapshotClassName: {{ .Values.class | quote }}}
`;
    const [found] = await told('replicas: 2\n        class: ""', more(snapshot));
    expect(found).toMatchObject({ line: 11, severity: 'error' });
    expect(found?.message).toContain('VolumeSnapshot "web": spec.volumeSnapshotClassName: ');
  });
});

describe('a change of a chart alone', () => {
  const base = repository('{replicas: 2}');
  const changed = { 'charts/web/values.yaml': 'replicas: 1\ntag: "1.28"\n' };

  test('is one of its objects, in the difference', async () => {
    const { stdout } = await runHere([
      'diff',
      repository('{replicas: 2}', changed),
      '--base',
      base,
      '--charts',
      charts,
    ]);
    expect(stdout).toContain('Deployment acme-web/web is changed, and its pods restart');
    expect(stdout).toContain('image: "nginx:1.27" → "nginx:1.28"');
    expect(stdout).toContain('\nimage nginx:1.27 → nginx:1.28\n');
  });

  test('is judged where only what is new counts', async () => {
    const broken = { 'charts/web/templates/web.yaml': deployment.replace('{{ .Values.tag }}', '{{ fail "no" }}') };
    const { chart: found } = await check(repository('{replicas: 2}', broken), '--base', base, '--only-new');
    expect(found).toMatchObject([{ rule: 'chart-fails' }]);
  });

  test('that the API server refuses is told', async () => {
    const other = { 'charts/web/templates/web.yaml': deployment.replaceAll('app: web', 'app: other') };
    const { chart: found } = await check(repository('{replicas: 2}', other), '--base', base);
    expect(found).toMatchObject([{ rule: 'immutable-chart-field', severity: 'error' }]);
  });
});

describe('a change of a StatefulSet, which is refused as a whole', () => {
  const made: Files = {
    'charts/web/templates/store.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: store}
spec:
  serviceName: {{ .Values.service }}
  podManagementPolicy: {{ .Values.pods }}
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Values.app }}}}
  template:
    metadata: {labels: {app: {{ .Values.app }}}}
    spec:
      containers:
        {{- if .Values.sidecar }}
        - {name: sidecar, image: helper}
        {{- end }}
        - {name: store, image: "store:{{ .Values.tag }}"}
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {accessModes: [ReadWriteOnce], storageClassName: {{ .Values.class }}, resources: {requests: {storage: {{ .Values.size }}}}}
`,
  };
  const before = { replicas: 2, service: 'one', pods: 'Parallel', app: 'store', class: 'fast', size: '1Gi' };
  const between = async (after: object) => {
    const [base = '', head = ''] = [before, after].map((values) => repository(JSON.stringify(values), made));
    return (await check(head, '--base', base)).chart;
  };
  const refused = (fields: string) => [
    {
      rule: 'immutable-chart-field',
      message: `Package "acme.web", component "web": ${fields} cannot be changed in StatefulSet "store", so the upgrade fails`,
    },
  ];

  test('names the field in a list that cannot be changed, and none of those that can', async () => {
    const found = await between({ ...before, replicas: 3, tag: '2', sidecar: true, size: '2Gi' });
    expect(found).toMatchObject(refused('spec.volumeClaimTemplates[0].spec.resources.requests.storage'));
  });

  test('names a selector, which alone does not fit the labels', async () => {
    const found = await between({ ...before, app: 'other', sidecar: true });
    expect(found).toMatchObject(refused('spec.selector.matchLabels.app'));
  });

  test('names three at the most, and the number of the others', async () => {
    const found = await between({
      replicas: 3,
      service: 'two',
      pods: 'OrderedReady',
      app: 'b',
      class: 'c',
      size: '2Gi',
    });
    const first = 'spec.podManagementPolicy, spec.selector.matchLabels.app, spec.serviceName';
    expect(found).toMatchObject(refused(`${first} and 2 more`));
  });
});

test('all that Helm deletes for a value is told, and what goes with it', async () => {
  const claims = `{{ if .Values.keep }}{{ range list "a" "b" "c" "d" "e" }}---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: {{ . }}}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
{{ end }}---
apiVersion: v1
kind: Namespace
metadata: {name: more}
{{ end }}`;
  const [before, after] = ['{replicas: 2, keep: true}', '{replicas: 2, keep: false}'].map((values) =>
    repository(values, { 'charts/web/templates/claims.yaml': claims }),
  );
  const { chart: found } = await check(after ?? '', '--base', before ?? '');
  const [{ message, rule, line } = { message: '', rule: '', line: 0 }, ...others] = found;
  expect({ rule, line, others }).toEqual({ rule: 'chart-deletes', line: 9, others: [] });
  expect(message).toMatch(/"a", .*"b", .*"c" and 2 more, and with them the data of their volumes/);
  expect(message).toContain('Namespace "more", and with it everything in it');
});

describe('a change that the API server refuses beside one that no object survives', () => {
  const service = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: {{ .Values.type }}, clusterIP: {{ .Values.ip }}, selector: {app: web}, ports: [{port: {{ .Values.port }}}]}
`;
  const between = async (before: string, after: string) => {
    const more = { 'charts/web/templates/service.yaml': service };
    const [base = '', head = ''] = [before, after].map((values) =>
      repository(`\n        type: ClusterIP\n        ${values}`, more),
    );
    const found = (await check(head, '--base', base)).chart;
    return found.map(({ rule, line, message }) => `${rule} ${line} ${/"web": (.*)/.exec(message)?.[1]}`).sort();
  };
  const fixed = 'immutable-chart-field 11 spec.clusterIPs[0] cannot be changed in Service "web", so the upgrade fails';

  test('is told as well', async () => {
    const [wrong, other, ...more] = await between(
      'ip: 10.0.0.1\n        port: 80',
      'ip: 10.0.0.2\n        port: 70000',
    );
    expect(wrong).toMatch(/^chart-fails 12 .*spec\.ports\[0\]\.port: 70000 must [^;]*$/);
    expect([other, ...more]).toEqual([fixed]);
  });

  test('alone is another matter', async () => {
    expect(await between('ip: 10.0.0.1\n        port: 80', 'ip: 10.0.0.1\n        port: 70000')).toHaveLength(1);
    expect(await between('ip: 10.0.0.1\n        port: 80', 'ip: 10.0.0.2\n        port: 81')).toEqual([fixed]);
  });
});

describe('what comes of several changes', () => {
  const between = async (template: string, before: string, after: string) => {
    const more = { 'charts/web/templates/more.yaml': template };
    const [base = '', head = ''] = [before, after].map((values) => repository(`\n        ${values}`, more));
    return (await check(head, '--base', base)).chart;
  };
  const lines = (a: string, b: string) => `replicas: 2\n        a: ${a}\n        b: ${b}\n        tag: ${a}`;
  const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`;

  test('of which each alone deletes a claim: on one, with the other beside it', async () => {
    const template = `{{ if and .Values.a .Values.b }}\n${claim}{{ end }}`;
    const found = await between(template, lines('true', 'true'), lines('false', 'false'));
    expect(found).toMatchObject([
      { rule: 'chart-deletes', line: 12, related: [{ message: 'with this as well', line: 11 }] },
    ]);
  });

  test('of which one alone has to be undone: on that one', async () => {
    const template = `{{ if or .Values.a .Values.b }}\n${claim}{{ end }}`;
    const found = await between(template, lines('true', 'true'), lines('false', 'false'));
    expect(found).toMatchObject([{ rule: 'chart-deletes', line: 11, related: [] }]);
  });

  test('of which each alone changes a selector', async () => {
    const template = `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: more}
spec:
  selector: {matchLabels: {app: &app {{ or .Values.a .Values.b | quote }}}}
  template:
    metadata: {labels: {app: *app}}
    spec: {containers: [{name: web, image: nginx}]}
`;
    const found = await between(template, lines('""', '""'), lines('x', 'x'));
    expect(found).toMatchObject([
      { rule: 'immutable-chart-field', line: 12, related: [{ message: 'with this as well', line: 11 }] },
    ]);
  });
});

describe('a kind of the platform’s definitions', () => {
  const snapshot = `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: {name: web}
spec:
  source: {persistentVolumeClaimName: {{ .Values.claim }}}
  volumeSnapshotClassName: {{ .Values.class | quote }}
`;
  const made: Files = { 'charts/web/templates/snapshot.yaml': snapshot };
  const between = async (before: string, after: string) =>
    (await check(repository(after, made), '--base', repository(before, made))).chart;

  test('has fields that cannot be changed, as its rules say', async () => {
    const found = await between('{replicas: 2, class: fast, claim: one}', '{replicas: 2, class: slow, claim: two}');
    expect(found).toMatchObject([
      { rule: 'immutable-chart-field', severity: 'error', field: ['spec', 'components', 'web', 'values', 'claim'] },
    ]);
    expect(found[0]?.message).toContain('spec.source.persistentVolumeClaimName cannot be changed in VolumeSnapshot');
  });

  test('is refused in each object of a value, which is one finding', async () => {
    const twice = snapshot
      .replace('name: web', 'name: {{ . }}')
      .replace('.Values.claim', '$.Values.claim')
      .replace('.Values.class', '$.Values.class');
    const both: Files = { 'charts/web/templates/snapshot.yaml': `{{ range list "a" "b" }}---\n${twice}{{ end }}` };
    const [before, after] = ['{replicas: 2, class: fast, claim: one}', '{replicas: 2, class: fast, claim: two}'].map(
      (values) => repository(values, both),
    );
    const { chart: found } = await check(after ?? '', '--base', before ?? '');
    expect(found.map(({ message }) => message.match(/VolumeSnapshot "\w+"/g))).toEqual([
      ['VolumeSnapshot "a"', 'VolumeSnapshot "b"'],
    ]);
  });

  test('and others', async () => {
    const found = await between('{replicas: 2, class: fast, claim: one}', '{replicas: 2, class: slow, claim: one}');
    expect(found).toEqual([]);
  });

  test('has a rule of all of its spec, of which the field that changed is named', async () => {
    const backup = `apiVersion: postgresql.cnpg.io/v1
kind: Backup
metadata: {name: web}
spec: {method: plugin, target: primary, cluster: {name: {{ .Values.cluster }}}}
`;
    const [before, after] = ['one', 'two'].map((cluster) =>
      repository(`{replicas: 2, cluster: ${cluster}}`, { 'charts/web/templates/backup.yaml': backup }),
    );
    const { chart: found } = await check(after ?? '', '--base', before ?? '');
    expect(found).toMatchObject([{ rule: 'immutable-chart-field' }]);
    expect(found[0]?.message).toContain(': spec.cluster.name cannot be changed in Backup "web"');
  });

  test('may be wrong otherwise: that is no field that cannot be changed', async () => {
    const found = await between('{replicas: 2, class: fast, claim: one}', '{replicas: 2, class: "", claim: one}');
    expect(found.filter(({ rule }) => rule === 'immutable-chart-field')).toEqual([]);
  });
});

describe('a HelmRelease of the repository', () => {
  const gitRepository = { kind: 'GitRepository', name: 'cozystack-customizer', namespace: 'cozy-system' };
  const sound = { spec: { values: { replicas: 2 } } };

  function withRelease({
    spec = {},
    chartSpec = {},
    files = {},
  }: {
    spec?: object;
    chartSpec?: object;
    files?: Files;
  }): string {
    const named = (kind: string, apiVersion: string, more: object) => ({
      ...{ apiVersion, kind, metadata: { name: 'web', namespace: 'cozy-customizer' } },
      ...more,
    });
    const release = named('HelmRelease', 'helm.toolkit.fluxcd.io/v2', {
      spec: {
        interval: '5m',
        chart: { spec: { chart: './charts/web', sourceRef: gitRepository, ...chartSpec } },
        ...spec,
      },
    });
    const folder = createRepo({
      '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full, kubernetes: v1.35}\n',
      'kustomization.yaml': kustomization({ resources: ['release.yaml', 'values.yaml', 'secret.yaml'] }),
      'release.yaml': JSON.stringify(release, null, 2),
      'values.yaml': JSON.stringify(
        named('ConfigMap', 'v1', { data: { 'values.yaml': 'replicas: null\n', other: '{tag: "7"}' } }),
      ),
      'secret.yaml': JSON.stringify(
        named('Secret', 'v1', { stringData: { 'values.yaml': 'note: hunter2-of-a-Secret\n' } }),
      ),
      ...chart,
      ...files,
    });
    folders.push(folder);
    return folder;
  }

  test('is rendered, and nothing is wrong with it', async () => {
    const { chart: found, notChecked } = await check(withRelease(sound));
    expect(found).toEqual([]);
    expect(notChecked.filter(({ what }) => what.includes('HelmRelease'))).toEqual([]);
  });

  test('fails with a value: on the value', async () => {
    const { chart: found } = await check(withRelease({ spec: { values: { replicas: null } } }));
    expect(found).toMatchObject([{ rule: 'chart-fails', severity: 'error', file: 'release.yaml', line: 21 }]);
    expect(found[0]?.message).toContain(
      'HelmRelease "cozy-customizer/web": its chart fails with this value: replicas are needed',
    );
  });

  test('has a value that no template reads', async () => {
    const { chart: found } = await check(withRelease({ spec: { values: { replicass: 2 } } }));
    expect(found).toMatchObject([{ rule: 'value-without-effect', severity: 'warning', file: 'release.yaml' }]);
  });

  test('takes values from a ConfigMap of the repository, under those of its own', async () => {
    const from = (...valuesFrom: object[]) => ({ spec: { valuesFrom } });
    expect((await check(withRelease(from({ kind: 'ConfigMap', name: 'web' })))).chart).toMatchObject([
      { rule: 'chart-fails' },
    ]);
    expect((await check(withRelease(from({ kind: 'ConfigMap', name: 'web', valuesKey: 'other' })))).chart).toEqual([]);
    const both = { spec: { valuesFrom: [{ kind: 'ConfigMap', name: 'web' }], values: { replicas: 3 } } };
    expect((await check(withRelease(both))).chart).toEqual([]);
  });

  const unknown: Record<string, Parameters<typeof withRelease>[0]> = {
    'values that are not here': { spec: { valuesFrom: [{ kind: 'Secret', name: 'other' }] } },
    'a value by its path': { spec: { valuesFrom: [{ kind: 'ConfigMap', name: 'web', targetPath: 'a.b' }] } },
    'post-renderers': { spec: { postRenderers: [{ kustomize: { patches: [] } }] } },
    'another cluster': { spec: { kubeConfig: { secretRef: { name: 'a' } } } },
    'values from outside the chart': { chartSpec: { valuesFiles: ['./values.yaml'] } },
    'a dependency that is fetched': {
      files: {
        'charts/web/Chart.yaml':
          'apiVersion: v2\nname: web\nversion: 0.1.0\ndependencies: [{name: a, version: 1.0.0, repository: "https://a.example"}]\n',
      },
    },
    'a link': { files: { 'charts/web/files': { link: '../..' } } },
    'rules of .helmignore that are not judged': { files: { 'charts/web/.helmignore': '!a\n' } },
    'nothing to do, as it is suspended': { spec: { suspend: true } },
  };
  test.each(Object.entries(unknown))('with %s is not rendered, which is said', async (_, fields) => {
    const broken = { 'charts/web/templates/web.yaml': '{{ fail "rendered" }}' };
    const folder = withRelease({ ...fields, files: { ...broken, ...fields.files } });
    const { chart: found, notChecked } = await check(folder);
    expect(found).toEqual([]);
    expect(notChecked).toContainEqual(
      expect.objectContaining({ what: 'what the chart of HelmRelease "cozy-customizer/web" makes' }),
    );
  });

  test('of another source is not rendered, which is said', async () => {
    const { chart: found, notChecked } = await check(
      withRelease({ chartSpec: { sourceRef: { kind: 'HelmRepository', name: 'a' } } }),
    );
    expect(found).toEqual([]);
    expect(notChecked.filter(({ what }) => what.includes('HelmRelease'))).toEqual([
      {
        weight: 'plain',
        what: 'what the chart of a HelmRelease makes',
        why: 'its chart comes from another source than this repository: HelmRelease "cozy-customizer/web" (HelmRepository "cozy-customizer/a")',
        count: 1,
      },
    ]);
  });

  test('of another source is one of those that one line is about, however many they are', async () => {
    const others = ['a', 'b', 'hunter2-of-a-Secret', 'd', 'e'].map((name) => ({
      ...{ apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease' },
      metadata: { name, namespace: 'cozy-customizer' },
      spec: { interval: '5m', chartRef: { kind: 'OCIRepository', name } },
    }));
    const folder = withRelease({
      spec: { valuesFrom: [{ kind: 'Secret', name: 'web' }] },
      files: {
        'kustomization.yaml': kustomization({ resources: ['release.yaml', 'secret.yaml', 'others.yaml'] }),
        'others.yaml': others.map((one) => JSON.stringify(one)).join('\n---\n'),
      },
    });
    const { notChecked } = await check(folder);
    const [note, ...more] = notChecked.filter(({ what }) => what.includes('HelmRelease'));
    expect({ ...note, more }).toMatchObject({ count: 5, more: [] });
    expect(note?.why).toContain('HelmRelease "cozy-customizer/a" (OCIRepository "cozy-customizer/a")');
    expect(note?.why).toMatch(/ and 2 more$/);
    const { stdout, stderr } = await runHere(['render', folder, '--charts', charts]);
    expect(`${stdout}${stderr}`).toContain('(OCIRepository "cozy-customizer/a")');
    expect(JSON.stringify(notChecked) + stderr).not.toContain('hunter2');
  });

  test('has no file that .helmignore leaves out', async () => {
    const files = {
      'charts/web/.helmignore': '# none of these\n*.bak\n/old/\ntemplates/no*\n',
      'charts/web/templates/note.yaml': '{{ fail "ignored" }}',
    };
    expect((await check(withRelease({ ...sound, files }))).chart).toEqual([]);
    expect(
      (await check(withRelease({ ...sound, files: { ...files, 'charts/web/.helmignore': '' } }))).chart,
    ).toHaveLength(1);
  });

  test('changes its objects, in the difference, without what a Secret says', async () => {
    const noted = {
      'charts/web/templates/note.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: note}\ndata: {note: {{ .Values.note }}, n: "{{ .Values.replicas }}"}\n',
    };
    const of = (replicas: number) =>
      withRelease({ spec: { valuesFrom: [{ kind: 'Secret', name: 'web' }], values: { replicas } }, files: noted });
    const { stdout } = await runHere(['diff', of(3), '--base', of(2), '--charts', charts]);
    expect(stdout).toContain('HelmRelease cozy-customizer/web');
    expect(stdout).toContain('spec.replicas: 2 → 3');
    expect(stdout).toContain('Below the Packages: 2 changed; 1 workload without a restart\n');
    expect(stdout).not.toContain('hunter2');
    const created = await runHere(['diff', of(3), '--base', repository('{}'), '--charts', charts, '--format', 'json']);
    expect(created.stdout).not.toContain('hunter2');
  });

  test('that goes takes its objects with it, unless Flux leaves it', async () => {
    const base = withRelease(sound);
    const head = createRepo({
      'kustomization.yaml': kustomization({ resources: [] }),
      '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full, kubernetes: v1.35}\n',
    });
    folders.push(head);
    const { stdout } = await runHere(['diff', head, '--base', base, '--charts', charts]);
    expect(stdout).toContain('Deployment cozy-customizer/web is deleted');
  });
});
