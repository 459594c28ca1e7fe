/** `check --charts` and `diff --charts` as a user runs them, on a small imitation of Cozystack's charts (`__tests__/charts/packages`). */
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

// After here.ts, which takes the place of what it starts.
const { ApplyEngine } = await import('../../src/engine/host/apply-engine.js');

const charts = join(root, '__tests__/charts/packages');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) removeRepo(folder);
});

function repository(packages: Record<string, object>, more: Files = {}, config: Files = {}): string {
  const files = Object.entries(packages).map(([name, values]) => [`${name}.yaml`, packageOf(name, values)] as const);
  const folder = createRepo({
    '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full}\n',
    'kustomization.yaml': kustomization({ resources: [...files.map(([file]) => file), ...Object.keys(more)] }),
    ...Object.fromEntries(files),
    ...more,
    ...config,
  });
  folders.push(folder);
  return folder;
}

/** With other files in it. */
function copyOfCharts(files: Record<string, string>): string {
  const copied = mkdtempSync(join(tmpdir(), 'charts-'));
  folders.push(copied);
  cpSync(charts, copied, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(copied, file)), { recursive: true });
    writeFileSync(join(copied, file), text);
  }
  return copied;
}

function packageOf(name: string, values: object): string {
  const component = name === 'cozystack-platform' ? 'platform' : name;
  return JSON.stringify(
    {
      ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package' },
      metadata: { name: `cozystack.${name}`, annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } },
      spec: { ...(component === 'platform' && { variant: 'isp-full' }), components: { [component]: { values } } },
    },
    null,
    2,
  );
}

const check = (folder: string, ...more: string[]) => runHere(['check', folder, '--charts', charts, ...more]);
const diff = async (folder: string, base: string, ...more: string[]) => {
  const { stdout, status } = await runHere(['diff', folder, '--base', base, '--charts', charts, ...more]);
  return { status, below: stdout.slice(Math.max(0, stdout.indexOf('Below the Packages'))), stdout };
};
const findings = async (folder: string, ...more: string[]) => {
  const { stdout } = await check(folder, '--format', 'json', ...more);
  const report = JSON.parse(stdout) as {
    findings: { rule: string; severity: string; message: string; location?: object; field: unknown[] }[];
    notChecked: { what: string; why: string }[];
    stages: { name: string; ran: boolean; why?: string }[];
  };
  return {
    ...report,
    chart: report.findings.filter(({ rule }) => /^chart-(?:fails|deletes)|-chart-field$|without-effect/.test(rule)),
  };
};

describe('the difference below the Packages', () => {
  const metallb = (speaker: object) => repository({ metallb: { metallb: { speaker } } });

  test('has fields, and which workloads restart', async () => {
    const { below } = await diff(metallb({ logLevel: 'debug' }), metallb({ logLevel: 'info' }));
    expect(below).toBe(`Below the Packages: 1 changed; the pods of 1 workload restart

component metallb of Package cozystack.metallb (HelmRelease cozy-metallb/metallb)
~ DaemonSet cozy-metallb/speaker is changed, and its pods restart (spec.template.spec.containers[0].args[0])
    ~ spec.template.spec.containers[0].args[0]: "--log-level=info" → "--log-level=debug"
`);
  });

  test('has what goes', async () => {
    const { below } = await diff(metallb({ enabled: false }), metallb({ logLevel: 'info' }));
    expect(below.split('\n').filter((line) => line.startsWith('-'))).toEqual([
      '- PersistentVolumeClaim cozy-metallb/speaker is deleted',
      '- DaemonSet cozy-metallb/speaker is deleted',
    ]);
  });

  test('has nothing of a Package that Flux leaves in the cluster when its manifest goes', async () => {
    const { below, stdout } = await diff(repository({ metallb: { metallb: { nameOverride: 'a' } } }), metallb({}));
    expect(below).toContain('metallb');
    const gone = await diff(repository({}), metallb({ logLevel: 'debug' }));
    expect(stdout).not.toBe(gone.stdout);
    expect(gone.stdout).not.toContain('DaemonSet');
  });

  test('follows what every chart is told of the cluster', async () => {
    const platform = (host: string) => repository({ 'cozystack-platform': { publishing: { host } } });
    const { below } = await diff(platform('new.example.org'), platform('old.example.org'));
    expect(below).toContain('component metallb of Package cozystack.metallb');
    expect(below).toContain('~ data.host: "old.example.org" → "new.example.org"');
    // Its chart reads nothing of it.
    expect(below).not.toContain('redis-operator');
  });

  test('shows no value of a Secret, and nothing that is random', async () => {
    const redis = (password: string) => repository({ 'redis-operator': { password } });
    const [old, now] = [redis('first-of-two-5ecrets'), redis('second-of-two-5ecrets')];
    for (const format of ['text', 'markdown', 'json']) {
      const { below, stdout } = await diff(now, old, '--format', format);
      expect(below).toContain('redis-operator');
      expect(below).not.toContain('token');
      expect(stdout).not.toMatch(/(?:first|second)-of-two/);
    }
  });

  test('shows no secret of the repository that a chart writes into something else, or fails with', async () => {
    const secret = 'Cnr5e1f90ab47';
    const key = { stringData: { key: `${secret}-of-a-Secret` } };
    const object = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'own', namespace: 'cozy-customizer' },
      ...key,
    };
    const own = { 'own.yaml': JSON.stringify(object) };
    const base = repository({ 'redis-operator': { password: 'another-Cnr5e1f90ab47', note: 'a' } }, own);
    const now = repository({ 'redis-operator': { password: secret, note: `see ${secret}-of-a-Secret` } }, own);
    const fails = repository({ 'redis-operator': { password: `short-${secret}` } });
    for (const format of ['text', 'markdown', 'json']) {
      const { below, stdout } = await diff(now, base, '--format', format);
      expect(below).toContain('ConfigMap');
      expect(stdout).not.toContain(secret);
    }
    for (const format of ['text', 'json', 'sarif', 'github', 'markdown', 'gitlab', 'junit', 'concise']) {
      const { stdout } = await check(fails, '--format', format, '--verbose');
      expect(stdout).toContain('is too short');
      expect(stdout).not.toContain(secret);
    }
  });

  test('says where a chart fails', async () => {
    const { below } = await diff(metallb({ frr: { enabled: true } }), metallb({ logLevel: 'info' }));
    expect(below).toContain('Below the Packages: 1 chart fails\n');
    expect(below).toContain('! its chart fails, so nothing is known of its objects');
  });

  test('is a list of its own as JSON', async () => {
    const { stdout } = await diff(metallb({ logLevel: 'debug' }), metallb({ logLevel: 'info' }), '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      diffs: [{}],
      charts: [{ package: 'cozystack.metallb', component: 'metallb', objects: [{ action: 'changed' }] }],
    });
  });
});

describe('what a chart makes of values', () => {
  test('two values that exclude each other: the failure is on one, with the other beside it', async () => {
    const { chart } = await findings(
      repository({
        metallb: { metallb: { nameOverride: 'x', frrk8s: { enabled: true }, speaker: { frr: { enabled: true } } } },
      }),
    );
    expect(chart).toMatchObject([
      {
        rule: 'chart-fails',
        severity: 'error',
        field: ['spec', 'components', 'metallb', 'values', 'metallb', 'speaker', 'frr', 'enabled'],
      },
    ]);
  });

  test('what rests on what is in the cluster is not certain', async () => {
    const { chart } = await findings(repository({ 'redis-operator': { needsCluster: true } }));
    expect(chart).toMatchObject([{ rule: 'chart-fails', severity: 'warning' }]);
  });

  test('of a Package of its own no chart is known', async () => {
    const { chart, stages } = await findings(repository({ own: { a: 1 } }));
    expect(chart).toEqual([]);
    expect(stages).toContainEqual({ name: 'charts', ran: true });
  });

  test('where the platform’s own chart fails nothing below it is judged, and that is said', async () => {
    const { chart, notChecked } = await findings(
      repository({
        'cozystack-platform': { publishing: { host: '' } },
        metallb: { metallb: { speaker: { frr: { enabled: true } } } },
      }),
    );
    expect(chart).toMatchObject([
      { rule: 'chart-fails', severity: 'error', message: expect.stringContaining('publishing.host must be set') },
    ]);
    expect(notChecked.map(({ what }) => what)).toContain('the charts of the platform');
  });

  test('of several values with which the platform’s own chart fails all are named', async () => {
    const template = '{{ if and .Values.bad.one .Values.bad.two }}{{ fail "not both" }}{{ end }}';
    const copied = copyOfCharts({ 'core/platform/templates/bad.yaml': template });
    const bad = { one: 'x', other: 'y', two: 'z' };
    const { stdout } = await runHere([
      ...['check', repository({ 'cozystack-platform': { bad, publishing: { host: 'a' } } })],
      ...['--charts', copied, '--format', 'json'],
    ]);
    const { findings: found } = JSON.parse(stdout) as { findings: { rule: string }[] };
    const field = (name: string) => ['spec', 'components', 'platform', 'values', 'bad', name];
    expect(found.filter(({ rule }) => rule === 'chart-fails')).toMatchObject([
      {
        message: expect.stringContaining('the chart of the platform fails with this value beside bad.one: not both'),
        field: field('two'),
        related: [{ message: 'together with this' }],
      },
    ]);
  });

  test('what the schema of a chart refuses is said once, and as an error where it may be one without the chart', async () => {
    const levels = { logLevel: { enum: ['debug', 'info'] } };
    const below = 'system/metallb/charts/metallb';
    const copied = copyOfCharts({
      [`${below}/values.schema.json`]: JSON.stringify({
        properties: { controller: { properties: levels }, nameOverride: { pattern: '^a' } },
      }),
      [`${below}/charts/frr-k8s/Chart.yaml`]: 'apiVersion: v2\nname: frr-k8s\nversion: 0.1.0\n',
      [`${below}/charts/frr-k8s/values.schema.json`]: JSON.stringify({
        properties: { frrk8s: { properties: levels } },
      }),
    });
    const wrong = { logLevel: 'verbose' };
    const values = { controller: wrong, nameOverride: 'b', 'frr-k8s': { frrk8s: wrong } };
    const told = async (...more: string[]) => {
      const { stdout } = await runHere([
        'check',
        repository({ metallb: { metallb: values } }),
        '--format',
        'json',
        ...more,
      ]);
      const { findings: found } = JSON.parse(stdout) as {
        findings: { rule: string; severity: string; field: string[]; message: string }[];
      };
      return found
        .filter(({ rule }) => /^(?:chart-fails|invalid-value)$/.test(rule))
        .map(({ rule, severity, field }) => `${severity} ${rule} ${field.slice(5).join('.')}`)
        .sort();
    };
    const [known, perhaps] = ['error invalid-value controller.logLevel', 'invalid-value frr-k8s.frrk8s.logLevel'];
    expect(await told()).toEqual([known, `warning ${perhaps}`]);
    expect(await told('--charts', copied)).toEqual([
      'error chart-fails frr-k8s.frrk8s.logLevel',
      'error chart-fails nameOverride',
      known,
    ]);
  });

  test('an object that the API server refuses is asked about only where values make something', async () => {
    const open = jest.spyOn(ApplyEngine, 'open');
    const metallb = (speaker: object) => repository({ metallb: { metallb: { speaker } } });
    expect((await findings(metallb({ logLevel: 'info', enabled: true }))).chart).toHaveLength(2);
    expect(open).not.toHaveBeenCalled();
    expect((await findings(metallb({ logLevel: 'debug' }))).chart).toEqual([]);
    expect(open).toHaveBeenCalledTimes(1);
    open.mockRestore();
    const { chart } = await findings(repository({ metallb: { metallb: { nameOverride: 'A B' } } }));
    const field = ['spec', 'components', 'metallb', 'values', 'metallb', 'nameOverride'];
    expect(chart).toMatchObject([{ rule: 'chart-fails', severity: 'error', field }]);
  });

  test('a component that is switched off has no chart to fail', async () => {
    const off = packageOf('metallb', { metallb: { speaker: { frr: { enabled: true } } } }).replace(
      '"values"',
      '"enabled": false, "values"',
    );
    const { chart } = await findings(repository({}, { 'off.yaml': off }));
    expect(chart).toEqual([]);
  });

  test('a value that is written twice in different ways has no effect only where it has none', async () => {
    const { chart } = await findings(
      repository({
        metallb: { metallb: { nameOverride: '', speaker: { logLevel: 'info', frr: { enabled: false } } } },
      }),
    );
    expect(chart.map(({ severity }) => severity)).toEqual(['notice', 'notice', 'notice']);
  });
});

describe('the charts that are given', () => {
  test('are looked for below packages/, as a checkout of Cozystack has them', async () => {
    const { status, stdout, stderr } = await runHere(['check', repository({}), '--charts', join(charts, '..')]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('pruned-everything');
  });

  test('are none', async () => {
    const folder = repository({});
    mkdirSync(join(folder, 'empty'));
    const { status, stderr } = await runHere(['check', folder, '--charts', join(folder, 'empty')]);
    expect(status).toBe(2);
    expect(stderr).toContain('has no charts of Cozystack: core/platform/Chart.yaml is not there');
  });

  describe('are asked for: without them', () => {
    const words = 'no charts were given (--charts), so values were only held against their defaults';
    const tuned = () => repository({ metallb: { metallb: { nameOverride: 'x' } } });
    const times = (text: string) => text.split(words).length - 1;

    test.each([[[]], [['--verbose']], [['--format', 'markdown']], [['--format', 'json']]])(
      'the report of %j says so, once',
      async (more: string[]) => {
        const { status, stdout } = await runHere(['check', tuned(), ...more]);
        expect({ status, times: times(stdout) }).toEqual({ status: 0, times: 1 });
      },
    );

    test('it is a line of its own', async () => {
      const { stdout } = await runHere(['check', tuned()]);
      expect(stdout).toMatch(/^ {2}not run {3}charts: no charts were given/m);
    });

    test('nothing is said of it to who asked to be told little, or has no values', async () => {
      for (const args of [
        [tuned(), '--quiet'],
        [tuned(), '--format', 'concise'],
        [tuned(), '--format', 'github'],
        [repository({})],
      ]) {
        const { status, stdout } = await runHere(['check', ...args]);
        expect({ status, times: times(stdout) }).toEqual({ status: 0, times: 0 });
        if (args.length === 1) expect(stdout).toContain('pruned-everything');
      }
    });
  });
});
