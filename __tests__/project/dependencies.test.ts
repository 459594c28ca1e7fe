/** What Dependabot proposes, and what it must not: versions that have to be those of a controller or of an API server. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { minimatch } from 'minimatch';
import { parse } from 'yaml';
import { root } from '../support/cli.js';
import { installed } from '../support/python.js';

type Update = {
  'package-ecosystem': string;
  directory?: string;
  directories?: string[];
  ignore?: { 'dependency-name': string; 'update-types'?: string[] }[];
};

const { updates } = parse(readFileSync(join(root, '.github/dependabot.yml'), 'utf8')) as { updates: Update[] };
const ofSystem = (system: string) => updates.filter((update) => update['package-ecosystem'] === system);
const directoriesOf = (system: string) =>
  ofSystem(system).flatMap(({ directory, directories = [] }) =>
    directory ? [directory, ...directories] : directories,
  );

/** Folders of the repository that hold a file of this name, from its root. */
function foldersWith(name: string): string[] {
  const skipped = /(?:^|\/)(?:node_modules|\.build|\.cache|\.git)(?:\/|$)/;
  return ['', '.devcontainer', 'src', '__tests__']
    .flatMap((folder) =>
      readdirSync(join(root, folder), folder === '' ? {} : { recursive: true }).map((entry) =>
        join('/', folder, String(entry)),
      ),
    )
    .filter((path) => path.endsWith(`/${name}`) && !skipped.test(path))
    .map((path) => path.slice(0, -name.length - 1) || '/')
    .sort();
}

test.each([
  ['gomod', 'go.mod'],
  ['npm', 'package-lock.json'],
  ['docker', 'Dockerfile'],
])('%s: every folder with a %s is looked at', (system, name) => {
  expect([...new Set(directoriesOf(system))].sort()).toEqual(foldersWith(name));
});

describe('what must not move', () => {
  const ignored = ofSystem('gomod').flatMap(({ ignore = [] }) => ignore.filter((one) => !one['update-types']));
  const isPinned = (module: string) =>
    ignored.some((one) => minimatch(module, one['dependency-name'].replace(/\*$/, '**')));

  test.each(directoriesOf('gomod'))('%s: modules of Kubernetes, kustomize, Flux and Helm', (folder) => {
    const text = readFileSync(join(root, folder, 'go.mod'), 'utf8');
    const modules = [...text.matchAll(/^\t(?:require )?(\S+) v\S+/gm)].map(([, module = '']) => module);
    const theirs = modules.filter((module) => /^(?:k8s\.io|sigs\.k8s\.io|github\.com\/fluxcd|helm\.sh)\//.test(module));
    expect(theirs.filter((module) => !isPinned(module))).toEqual([]);
  });

  test('and others may', () => {
    for (const module of ['golang.org/x/net', 'github.com/landlock-lsm/go-landlock', 'github.com/Masterminds/sprig/v3'])
      expect(isPinned(module)).toBe(false);
    for (const module of [
      'sigs.k8s.io/kustomize/kyaml',
      'helm.sh/helm/v4',
      'k8s.io/apiserver',
      'github.com/fluxcd/pkg/ssa',
    ])
      expect(isPinned(module)).toBe(true);
  });
});

const checker = installed('check-jsonschema', '0.39.0');
const { file = '', env } = checker ?? {};
(checker ? test : test.skip).each([
  ['vendor.dependabot', ['.github/dependabot.yml']],
  ['vendor.github-workflows', readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`)],
  ['vendor.github-actions', ['action.yml']],
] as [string, string[]][])('%s takes what we have', (schema, files) => {
  const args = ['--builtin-schema', schema, ...files.filter((one) => existsSync(join(root, one)))];
  const { status, stdout } = spawnSync(file, args, { cwd: root, env, encoding: 'utf8' });
  expect({ status, said: status === 0 ? '' : stdout }).toEqual({ status: 0, said: '' });
});
