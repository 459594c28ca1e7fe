/** `render --charts` and `explain --charts` as a user runs them: what comes of a value below its Package, and which line it came from. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseAllDocuments } from 'yaml';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

const folders: string[] = [];
afterAll(() => folders.forEach(removeRepo));

/** The imitation of a release, with a chart that does more with its values. */
let charts: string;
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'charts-'));
  folders.push(folder);
  charts = join(folder, 'packages');
  cpSync(join(root, '__tests__/charts/packages'), charts, { recursive: true });
  const write = (file: string, text: string) => {
    const path = join(charts, 'system/redis-operator', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  write('values.yaml', defaults);
  write('templates/secret.yaml', secretTemplate);
  write('templates/operator.yaml', operatorTemplate);
});

const defaults = `
name: redis-operator
replicas: 1
paused: false
tolerations: []
resources: {}
settings: {}
level: info
password: ""
extra:
  enabled: false
mode: a
`;
const secretTemplate = `
{{- if .Values.password }}
apiVersion: v1
kind: Secret
metadata:
  name: redis-operator
  annotations:
    copy: {{ .Values.password | quote }}
data:
  password: {{ .Values.password | b64enc }}
stringData:
  id: {{ randAlphaNum 16 }}
{{- end }}
`;
const operatorTemplate = `
{{- if not (has .Values.mode (list "a" "b")) }}{{ fail "mode is a or b" }}{{ end }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Values.name }}
spec:
  replicas: {{ .Values.replicas }}
  paused: {{ .Values.paused }}
  selector:
    matchLabels:
      app: redis-operator
  template:
    metadata:
      labels:
        app: redis-operator
      annotations:
        checksum/settings: {{ toJson .Values.settings | sha256sum }}
    spec:
      automountServiceAccountToken: true
      {{- with .Values.tolerations }}
      tolerations: {{ toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: operator
          image: registry.example.org/operator:v1
          args: ["--level={{ .Values.level }}", "--always"]
          env:
            - name: REDIS_PASSWORD
              value: {{ .Values.password | quote }}
          resources: {{ toYaml .Values.resources | nindent 12 }}
      volumes:
        - name: certificates
          secret:
            secretName: redis-operator-tls
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  settings.yaml: |
    # what the operator reads
{{ toYaml .Values.settings | indent 4 }}
    level: {{ .Values.level }}
{{- if .Values.extra.enabled }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: extra
{{- end }}
`;

function repository(packages: { [file: string]: string }, more: Files = {}): string {
  const folder = createRepo({
    '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full}\n',
    'kustomization.yaml': kustomization({ resources: [...Object.keys(packages), ...Object.keys(more)] }),
    ...packages,
    ...more,
  });
  folders.push(folder);
  return folder;
}

/** Its values begin in line 10. */
function redis(values: string): { [file: string]: string } {
  const lines = values.trim().split('\n');
  return {
    'redis.yaml': `apiVersion: cozystack.io/v1alpha1
kind: Package
metadata:
  name: cozystack.redis-operator
  annotations: {kustomize.toolkit.fluxcd.io/prune: disabled}
spec:
  components:
    redis-operator:
      values:
${lines.map((line) => `        ${line}`).join('\n')}
`,
  };
}

const platform = {
  'platform.yaml': `apiVersion: cozystack.io/v1alpha1
kind: Package
metadata:
  name: cozystack.cozystack-platform
  annotations: {kustomize.toolkit.fluxcd.io/prune: disabled}
spec:
  variant: isp-full
  components:
    platform:
      values:
        publishing:
          host: cluster.example.org
`,
};

const metallb = {
  'metallb.yaml':
    redis('metallb: {speaker: {logLevel: debug}}')['redis.yaml']?.replaceAll('redis-operator', 'metallb') ?? '',
};

const render = (folder: string, ...more: string[]) => runHere(['render', folder, '--charts', charts, ...more]);

/** The lines that have a comment, without what stands before them. */
async function commented(folder: string, ...more: string[]): Promise<string[]> {
  const { stdout, stderr, status } = await render(folder, ...more);
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect(stdout).toContain('kind: ');
  return stdout.split('\n').flatMap((line) => (/# (?:from|made) /.test(line) ? [line.trim()] : []));
}

type Shown = {
  package: string;
  component: string;
  release: string;
  template: string;
  object: { kind: string; metadata: { name: string } };
  origins: { path: (string | number)[]; from: { file: string; line: number; field: string[] }[] }[];
};

async function data(folder: string, ...more: string[]): Promise<Shown[]> {
  const shown = JSON.parse((await render(folder, '--format', 'json', ...more)).stdout) as Shown[];
  expect(faultsOf('objects', shown)).toBeNull();
  return shown;
}

const schema = JSON.parse(readFileSync(join(root, 'schemas/charts.schema.json'), 'utf8')) as { $id: string };
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
ajv.addSchema(schema);

/** What is not as the contract has it. */
function faultsOf(part: 'objects' | 'difference' | 'below', value: unknown) {
  const validate = ajv.compile({ $ref: `${schema.$id}#/$defs/${part}` });
  validate(value);
  return validate.errors ?? null;
}

describe('render --charts', () => {
  test('prints what Helm makes, and which line a value came from', async () => {
    const { stdout } = await render(repository({ ...platform, ...metallb }));
    expect(
      stdout,
    ).toBe(`# Package cozystack.metallb, component metallb, HelmRelease cozy-metallb/metallb: cozy-metallb/templates/host.yaml
apiVersion: v1
data:
  host: cluster.example.org # from platform.yaml:12
kind: ConfigMap
metadata:
  name: host
  namespace: cozy-metallb
---
# Package cozystack.metallb, component metallb, HelmRelease cozy-metallb/metallb: cozy-metallb/charts/metallb/templates/speaker.yaml
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: speaker
  namespace: cozy-metallb
spec:
  accessModes:
    - ReadWriteOnce
  resources:
    requests:
      storage: 1Gi
---
# Package cozystack.metallb, component metallb, HelmRelease cozy-metallb/metallb: cozy-metallb/charts/metallb/templates/speaker.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: speaker
  namespace: cozy-metallb
spec:
  selector:
    matchLabels:
      app: metallb
  template:
    metadata:
      labels:
        app: metallb
    spec:
      containers:
        - args:
            - --log-level=debug # from metallb.yaml:10
          image: registry.example.org/speaker:v0.15.2
          name: speaker
`);
  });

  test.each([
    ['a number', 'replicas: 3', ['replicas: 3 # from redis.yaml:10']],
    // The chart has the same by default: the line counts all the same.
    ['a default', 'replicas: 1', ['replicas: 1 # from redis.yaml:10']],
    [
      'a text that is part of two',
      'level: debug',
      ['settings.yaml: | # from redis.yaml:10', '- --level=debug # from redis.yaml:10'],
    ],
    ['a name', 'name: other', ['name: other # from redis.yaml:10']],
    [
      'a map that the chart hands on',
      'resources:\n  limits:\n    cpu: 1\n    memory: 1Gi',
      ['cpu: 1 # from redis.yaml:12', 'memory: 1Gi # from redis.yaml:13'],
    ],
    [
      'a list that the chart hands on, item by item',
      'tolerations:\n  - key: a\n    operator: Exists\n  - key: b\n    operator: Exists',
      [
        '- key: a # from redis.yaml:11',
        'operator: Exists # from redis.yaml:12',
        '- key: b # from redis.yaml:13',
        'operator: Exists # from redis.yaml:14',
      ],
    ],
    ['what there is because of it', 'extra:\n  enabled: true', ['# made because of redis.yaml:11']],
    ['one of a few', 'mode: b', []],
    ['nothing of it', 'other: 1', []],
  ])('%s', async (_, values, lines) => {
    expect(await commented(repository(redis(values)))).toEqual(lines);
  });

  test('names all lines of a value, three at the most', async () => {
    const settings = (count: number) => Array.from({ length: count }, (_, index) => `  k${index}: ${index}`).join('\n');
    const lines = async (count: number) =>
      (await commented(repository(redis(`settings:\n${settings(count)}`)))).filter((line) =>
        line.startsWith('checksum/'),
      );
    expect(await lines(2)).toEqual([expect.stringMatching(/ # from redis\.yaml:11, redis\.yaml:12$/)]);
    expect(await lines(5)).toEqual([
      expect.stringMatching(/ # from redis\.yaml:11, redis\.yaml:12, redis\.yaml:13, 2 more$/),
    ]);
  });

  test('is one stream of the same objects as JSON has, for other tools', async () => {
    const folder = repository({
      ...platform,
      ...metallb,
      ...redis('level: debug\npassword: Cnr5e1f90ab47\nextra: {enabled: true}'),
    });
    const documents = parseAllDocuments((await render(folder)).stdout, { version: '1.1' });
    const shown = await data(folder);
    expect(Array.isArray(documents) && documents.map((document) => document.toJS() as unknown)).toEqual(
      shown.map(({ object }) => object),
    );
    expect(shown.map(({ object: { kind, metadata } }) => `${kind} ${metadata.name}`)).toEqual([
      'ConfigMap host',
      'PersistentVolumeClaim speaker',
      'DaemonSet speaker',
      'Secret redis-operator',
      'ConfigMap settings',
      'ConfigMap extra',
      'Deployment redis-operator',
    ]);
  });

  test('has all of it as JSON', async () => {
    const [, deployment] = await data(repository(redis('replicas: 3')));
    expect(deployment).toMatchObject({
      package: 'cozystack.redis-operator',
      component: 'redis-operator',
      release: 'cozy-redis-operator/redis-operator',
      template: 'redis-operator/templates/operator.yaml',
      object: { kind: 'Deployment' },
      origins: [
        {
          path: ['spec', 'replicas'],
          from: [
            {
              file: 'redis.yaml',
              line: 10,
              column: 19,
              precision: 'exact',
              field: ['spec', 'components', 'redis-operator', 'values', 'replicas'],
            },
          ],
        },
      ],
    });
  });

  test('shows no secret, and leaves objects what they are', async () => {
    const word = 'Cnr5e1f90ab47';
    const folder = repository(redis(`password: ${word}\nlevel: see-${word}`));
    for (const format of ['yaml', 'json']) {
      const { stdout } = await render(folder, '--format', format);
      for (const text of [word, Buffer.from(word).toString('base64'), word.slice(0, 6)])
        expect(stdout).not.toContain(text);
    }
    const shown = await data(folder);
    const [secret, , deployment] = shown.map(({ object }) => object);
    expect(secret).toMatchObject({
      metadata: { name: 'redis-operator', annotations: { copy: '••••••' } },
      data: { password: Buffer.from('••••••').toString('base64') },
    });
    expect(deployment).toMatchObject({
      spec: {
        template: {
          spec: {
            automountServiceAccountToken: true,
            containers: [{ env: [{ name: 'REDIS_PASSWORD', value: '••••••' }] }],
            volumes: [{ name: 'certificates', secret: { secretName: 'redis-operator-tls' } }],
          },
        },
      },
    });
  });

  test('prints the others where a chart fails', async () => {
    const { stdout, stderr, status } = await render(repository({ ...metallb, ...redis('mode: c') }));
    expect(status).toBe(1);
    expect(stderr).toBe(
      'error  Package "cozystack.redis-operator", component "redis-operator": its chart fails: mode is a or b\n',
    );
    expect(stdout).toContain('kind: DaemonSet');
    expect(stdout).not.toContain('redis');
  });

  test('prints one Package where it is named', async () => {
    const folder = repository({ ...metallb, ...redis('replicas: 3') });
    const shown = await data(folder, '--package', 'cozystack.metallb');
    expect([...new Set(shown.map((one) => one.package))]).toEqual(['cozystack.metallb']);
    const { status, stderr } = await render(folder, '--package', 'cozystack.metalb');
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'customizer-lint: no entrypoint renders Package "cozystack.metalb"; did you mean "cozystack.metallb"?\n',
    });
  });

  test.each([
    [['--as-applied'], '--as-applied is about what Flux applies, not about --charts'],
    [['--format', 'digest'], '--charts prints yaml or json, as nobody hashes what charts make'],
  ])('is not for %j', async (more, why) => {
    const { status, stderr } = await render(repository(metallb), ...more);
    expect({ status, stderr }).toEqual({ status: 2, stderr: `customizer-lint: ${why}\n` });
  });
});

const values = ['spec', 'components', 'redis-operator', 'values'].join('.');
const explain = async (folder: string, field: string, ...more: string[]) => {
  const { stdout, stderr, status } = await runHere([
    ...['explain', 'Package/cozystack.redis-operator', `${values}.${field}`],
    ...['-C', folder, '--charts', charts, ...more],
  ]);
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout;
};
/** From the line that begins with `below`. */
const below = async (folder: string, field: string) => {
  const text = await explain(folder, field);
  expect(text).toContain('Package');
  const at = text.indexOf('    below   ');
  return at < 0
    ? []
    : text
        .slice(at)
        .trimEnd()
        .split('\n')
        .map((line) => line.slice('    below   '.length));
};
const release = 'HelmRelease cozy-redis-operator/redis-operator';

describe('explain --charts', () => {
  test.each<[string, string, string, string[]]>([
    [
      'a field without a restart',
      'replicas: 3',
      'replicas',
      [
        `${release}: 1 field of 1 object depends on it`,
        '  Deployment cozy-redis-operator/redis-operator',
        '    spec.replicas = 3, without it 1',
      ],
    ],
    [
      'fields with one',
      'level: debug',
      'level',
      [
        `${release}: 2 fields of 2 objects depend on it; the pods of 1 workload restart when it changes`,
        '  ConfigMap cozy-redis-operator/settings',
        String.raw`    data["settings.yaml"] = "# what the operator reads\n{}\nlevel: debug\n", without it "# what the operator reads\n{}\nlevel: info\n"`,
        '  Deployment cozy-redis-operator/redis-operator: its pods restart when it changes (spec.template.spec.containers[0].args[0])',
        '    spec.template.spec.containers[0].args[0] = "--level=debug", without it "--level=info"',
      ],
    ],
    [
      'a checksum',
      'settings: {a: 1}',
      'settings.a',
      [
        `${release}: 2 fields of 2 objects depend on it; the pods of 1 workload restart when it changes`,
        '  ConfigMap cozy-redis-operator/settings',
        String.raw`    data["settings.yaml"] = "# what the operator reads\na: 1\nlevel: info\n", without it "# what the operator reads\n{}\nlevel: info\n"`,
        '  Deployment cozy-redis-operator/redis-operator: its pods restart when it changes (spec.template.metadata.annotations["checksum/settings"])',
      ],
    ],
    [
      'a whole object',
      'extra: {enabled: true}',
      'extra.enabled',
      [`${release}: 1 object as a whole depends on it`, '  ConfigMap cozy-redis-operator/extra is made because of it'],
    ],
    [
      'one that there is not',
      'extra: {enabled: false}',
      'extra.enabled',
      [
        `${release}: 1 object as a whole depends on it; the chart has the same by default`,
        '  ConfigMap cozy-redis-operator/extra is not made because of it',
      ],
    ],
    [
      'a value that is not set',
      'replicas: 3',
      'paused',
      [
        `${release}: 1 field of 1 object depends on it; the chart has the same by default`,
        '  Deployment cozy-redis-operator/redis-operator',
        '    spec.paused = false',
      ],
    ],
    ['no effect', 'other: 1', 'other', [`${release}: no object changes with it`]],
    ['a failure', 'mode: c', 'mode', [`${release}: its chart fails with this value: mode is a or b`]],
    [
      'a failure of another',
      'mode: c\nlevel: debug',
      'level',
      [`${release}: its chart fails whatever it is: mode is a or b`],
    ],
    [
      'one of a few',
      'mode: a',
      'mode',
      [`${release}: no object changes without it, and with another value the chart fails`],
    ],
    ['what the chart does not know', 'level: info', 'unknown', []],
  ])('%s', async (_, written, field, lines) => {
    expect(await below(repository(redis(written)), field)).toEqual(lines);
  });

  test('says what is needed', async () => {
    const folder = repository({
      'metallb.yaml': (metallb['metallb.yaml'] ?? '').replace(
        '{speaker: {logLevel: debug}}',
        '{frrk8s: {enabled: false}, speaker: {frr: {enabled: true}}}',
      ),
    });
    const field = 'spec.components.metallb.values.metallb.frrk8s.enabled';
    const { stdout } = await runHere(['explain', 'Package/cozystack.metallb', field, '-C', folder, '--charts', charts]);
    expect(stdout).toContain(
      'below   HelmRelease cozy-metallb/metallb: without it the chart fails: speaker.frr.enabled and frrk8s.enabled are mutually exclusive\n',
    );
  });

  test('is told of a list once', async () => {
    const text = await explain(repository(redis('tolerations: [{key: a}, {key: b}]')), 'tolerations');
    expect(text.match(/ {4}below/g)).toHaveLength(1);
    expect(text).toContain('spec.template.spec.tolerations = [{"key":"a"},{"key":"b"}]');
  });

  test('shows no secret', async () => {
    const folder = repository(redis('password: Cnr5e1f90ab47\nlevel: see-Cnr5e1f90ab47'));
    for (const format of ['text', 'json'])
      for (const field of ['password', 'level']) {
        const text = await explain(folder, field, '--format', format);
        expect(text).toContain('Deployment');
        expect(text).not.toContain('Cnr5e1');
        expect(text).not.toContain(Buffer.from('Cnr5e1f90ab47').toString('base64'));
      }
  });

  test('has all of it as JSON', async () => {
    const [{ fields }] = JSON.parse(await explain(repository(redis('level: debug')), 'level', '--format', 'json')) as [
      { fields: { below: unknown }[] },
    ];
    for (const one of fields) expect(faultsOf('below', one.below)).toBeNull();
    expect(fields.map((one) => one.below)).toEqual([
      {
        release: 'cozy-redis-operator/redis-operator',
        effect: 'decides',
        objects: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            namespace: 'cozy-redis-operator',
            name: 'settings',
            fields: [
              {
                path: ['data', 'settings.yaml'],
                value: '# what the operator reads\n{}\nlevel: debug\n',
                without: '# what the operator reads\n{}\nlevel: info\n',
              },
            ],
          },
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            namespace: 'cozy-redis-operator',
            name: 'redis-operator',
            restarts: 'spec.template.spec.containers[0].args[0]',
            fields: [
              {
                path: ['spec', 'template', 'spec', 'containers', 0, 'args', 0],
                value: '--level=debug',
                without: '--level=info',
              },
            ],
          },
        ],
      },
    ]);
  });
});

test('a password in a line of a configuration that is no YAML is shown by nothing', async () => {
  const output = (host: string) => `settings: {conf: "[OUTPUT]\\n    Host ${host}\\n    HTTP_Passwd hunter2\\n"}`;
  const [now, base] = [repository(redis(output('one'))), repository(redis(output('other')))];
  const path = 'spec.components.redis-operator.values.settings.conf';
  for (const args of [
    ['render', now],
    ['diff', now, '--base', base],
    ['explain', 'Package/cozystack.redis-operator', path, '-C', now],
  ]) {
    const { stdout, stderr } = await runHere([...args, '--charts', charts]);
    expect(stdout).toMatch(/HTTP_Passwd.*••••••/);
    expect(`${stdout}${stderr}`).not.toContain('hunter2');
  }
});

describe('where nothing is below, standard error says so', () => {
  const empty = () => repository({}, { 'a.yaml': configMap('a') });
  const note = {
    render: 'nothing is rendered: the repository says nothing of a component with a chart\n',
    diff: 'nothing changes below the Packages\n',
  };

  test.each(['yaml', 'json'])('of render, as %s', async (format) => {
    const { status, stderr } = await runHere(['render', empty(), '--charts', charts, '--format', format]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: note.render });
    const some = await runHere(['render', repository({ ...metallb }), '--charts', charts, '--format', format]);
    expect(some.stderr).toBe('');
  });

  test.each(['text', 'json'])('of diff, as %s', async (format) => {
    const [now, base] = [repository({ ...metallb }), repository({ ...metallb })];
    const same = await runHere(['diff', now, '--base', base, '--charts', charts, '--format', format]);
    expect(same.stderr).toBe(note.diff);
    const other = await runHere(['diff', now, '--base', empty(), '--charts', charts, '--format', format]);
    expect(other.stderr).toBe('');
    expect((await runHere(['diff', now, '--base', base, '--format', format])).stderr).toBe('');
  });
});

describe('the difference as JSON', () => {
  test('keeps its contract', async () => {
    const [now, base] = [
      repository({ ...metallb, ...redis('level: debug\nextra: {enabled: true}\npassword: Cnr5e1f90ab47') }),
      repository({ ...redis('mode: a') }),
    ];
    const { stdout } = await runHere(['diff', now, '--base', base, '--charts', charts, '--format', 'json']);
    const { charts: changes } = JSON.parse(stdout) as { charts: { objects: object[] }[] };
    expect(changes.map(({ objects }) => objects.length)).toEqual([1, 4]);
    expect(faultsOf('difference', changes)).toBeNull();
    expect(faultsOf('difference', [{ ...changes[0], surprise: true }])).not.toBeNull();
  });
});
