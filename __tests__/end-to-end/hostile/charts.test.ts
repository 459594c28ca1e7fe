/**
 * Charts made to hurt, in a repository with another chart that fails with a value: each run ends with a report, within the limits of a
 * run, that says something of the hostile chart or finds nothing wrong with it, and has the failure of the other. Nothing outside is
 * read. CI takes a sample; FULL=1 runs all.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cli, root } from '../../support/cli.js';
import { inFormats } from '../../support/formats.js';
import { runMeasured } from '../../support/measured.js';
import { sampleOf } from '../../support/sample.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../../support/trees.js';
import { hostileCharts } from './charts.js';

const canary = 'CANARY-4b7d20c9';
let outside: string;

beforeAll(() => {
  outside = createRepo({ 'secret.yaml': configMap('outside', { canary }), 'plain.txt': canary });
});
afterAll(() => removeRepo(outside));

const trees = hostileCharts(() => outside);

const named = (name: string, spec: object) =>
  JSON.stringify({
    apiVersion: 'cozystack.io/v1alpha1',
    kind: name.split('/')[0],
    metadata: { name: name.split('/')[1], annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } },
    spec,
  });
const sourceRef = { kind: 'GitRepository', name: 'cozystack-customizer', namespace: 'cozy-system', path: '/' };

function packageOf(name: string, values: object): Files {
  const component = { name, path: `charts/${name}`, install: { namespace: `acme-${name}`, releaseName: name } };
  return {
    [`${name}-source.yaml`]: named(`PackageSource/acme.${name}`, {
      sourceRef,
      variants: [{ name: 'default', components: [component] }],
    }),
    [`${name}.yaml`]: named(`Package/acme.${name}`, { components: { [name]: { values } } }),
    [`charts/${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 0.1.0\n`,
  };
}

function repository(chart: Files): Files {
  const files: Files = {
    '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full, kubernetes: v1.35}\n',
    ...packageOf('hostile', { note: 'a' }),
    ...packageOf('sound', { note: 'no good' }),
    'charts/sound/templates/a.yaml': '{{ if .Values.note }}{{ fail "the sound chart is judged" }}{{ end }}\n',
    ...Object.fromEntries(Object.entries(chart).map(([file, content]) => [`charts/hostile/${file}`, content])),
  };
  const resources = Object.keys(files).filter((file) => /^[^.][^/]*\.yaml$/.test(file));
  return { ...files, 'kustomization.yaml': kustomization({ resources }) };
}

test('the table is as long as promised', () => {
  expect(Object.keys(trees).length).toBeGreaterThanOrEqual(50);
});

const { rows, description, passed } = sampleOf(Object.keys(trees), {
  name: 'hostile-charts',
  seed: 26,
  size: 1,
  key: (name) => name,
});

describe(description, () => {
  test.each(rows)(
    '%s',
    async (name) => {
      const folder = createRepo(repository((trees[name] as () => Files)()));
      const before = readdirSync(folder, { recursive: true }).sort();
      try {
        const measured = async (args: readonly string[]) => {
          const outcome = await runMeasured(process.execPath, [cli, ...args], { seconds: 240, mebibytes: 1400 });
          return { ...outcome, stdout: outcome.output, stderr: '' };
        };
        const charts = ['--charts', join(root, '__tests__/charts/packages')];
        const outcome = await inFormats(measured, ['json', 'text', 'markdown', 'github'], ['check', folder, ...charts]);
        const { status, signal, stdout } = outcome;
        expect({ name, signal, status, said: stdout.slice(0, 400) }).toMatchObject({ name, signal: null, status: 1 });
        expect(stdout).toContain('the sound chart is judged');
        expect(stdout).not.toContain(canary);
        expect(stdout).not.toMatch(/^(?:::set-output|::error file=a::|# pwned)|root:x:0/m);
        for (const control of ['\u001b', '\u202e']) expect(stdout.includes(control)).toBe(false);
        expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
        passed(name);
      } finally {
        removeRepo(folder);
      }
    },
    300_000,
  );
});
