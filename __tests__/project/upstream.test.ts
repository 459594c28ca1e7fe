/** What the weekly look at upstream says, with a Go module proxy, a git server and a GitHub of our own. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { newerThan } from '../../src/build/upstream.mjs';
import { root } from '../support/cli.js';
import { createRepo, type Files, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

/** A folder of programs, each a shell script, to stand before those of the machine. */
function programs(scripts: Files): string {
  const folder = createRepo(scripts);
  planted.push(folder);
  for (const name of Object.keys(scripts)) chmodSync(join(folder, name), 0o755);
  return folder;
}

test.each([
  ['v1.0.0', ['v1.0.0', 'v1.1.0', 'v1.10.0', 'v1.9.0'], 'v1.10.0'],
  ['v1.10.0', ['v1.9.0', 'v1.10.0'], undefined],
  ['v1.0.0', ['v2.0.0-rc.1', 'v1.0.0'], undefined],
  ['v1.0.0', [], undefined],
  ['v1.0.0', ['main', 'v1.0.1', ''], 'v1.0.1'],
])('newer than %s of %j is %s', (used, versions, expected) => {
  expect(newerThan(used, versions)).toBe(expected);
});

/** Answers as Go and git do; every helper is asked for, and none of them runs a build. */
const proxy = (versions: string, tags: string) => ({
  go: `#!/bin/sh\ncase "$*" in "list -m -versions "*) echo "$4 ${versions}";; *) echo "no such version" >&2; exit 1;; esac\n`,
  git: `#!/bin/sh\ncase "$1" in ls-remote) printf '${tags}';; *) exit 1;; esac\n`,
});

function look(scripts: Files) {
  const path = `${programs(scripts)}:${process.env.PATH}`;
  return spawnSync(process.execPath, [join(root, 'src/build/upstream.mjs')], {
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
  });
}

describe('the look at upstream', () => {
  test('says nothing where nothing is newer', () => {
    const { status, stdout, stderr } = look(proxy('v0.0.1', 'a\\trefs/tags/v0.0.1\\n'));
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('names what is newer, with what is in use and what the helper said', () => {
    const { status, stdout } = look(proxy('v0.0.1 v99.0.0', 'a\\trefs/tags/v98.0.0\\nb\\trefs/tags/v99.1.0-rc.1\\n'));
    expect(status).toBe(0);
    const headings = stdout.split('\n').filter((line) => line.startsWith('## '));
    expect(headings).toEqual([
      '## Cozystack v98.0.0',
      '## sigs.k8s.io/kustomize/api v99.0.0',
      '## sigs.k8s.io/kustomize/kyaml v99.0.0',
      '## k8s.io/apimachinery v99.0.0',
      '## helm.sh/helm/v4 v99.0.0',
      '## github.com/fluxcd/kustomize-controller v99.0.0',
    ]);
    const used = [...stdout.matchAll(/^In use is (v[\d.]+)\.$/gm)].map(([, version]) => version);
    const goMod = readFileSync(join(root, 'src/engine/go.mod'), 'utf8');
    expect(goMod).toContain(`sigs.k8s.io/kustomize/api ${used[1]}`);
    expect(goMod).toContain(`kustomize-controller ${used[5]?.slice(1)}`);
    expect(readFileSync(join(root, 'src/engine/helm/go.mod'), 'utf8')).toContain(`helm.sh/helm/v4 ${used[4]}`);
    expect(stdout.match(/The helper failed: /g)).toHaveLength(6);
  });

  test('fails where it cannot ask, and says of what', () => {
    const { status, stdout, stderr } = look({
      ...proxy('v0.0.1', ''),
      git: '#!/bin/sh\necho "no route" >&2\nexit 128\n',
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^upstream: Cozystack: git ls-remote .*: no route\n$/);
  });
});

describe('the issue', () => {
  const run = (text: string, open: string) => {
    const log = join(programs({}), 'log');
    const gh = `#!/bin/sh\n[ "$2" = list ] && { printf '%s' '${open}'; exit 0; }\nprintf '%s\\n' "$*" >> ${log}\n`;
    const path = `${programs({ gh })}:${process.env.PATH}`;
    const file = join(programs({ 'text.md': text }), 'text.md');
    const { status } = spawnSync('bash', [join(root, '.ci/issue'), file], { env: { PATH: path } });
    const said = existsSync(log) ? readFileSync(log, 'utf8') : '';
    return { status, said: said.replace(file, 'FILE').trim() };
  };
  const title = 'New releases of what customizer-lint is built on';

  test.each([
    ['is made', 'new', '', `issue create --title ${title} --body-file FILE`],
    ['is edited where it is open', 'new', '7', 'issue edit 7 --body-file FILE'],
    ['is closed where nothing is new', '', '7', 'issue close 7 --comment Nothing is newer than what is in use.'],
    ['is not made where nothing is new', '', '', ''],
  ])('%s', (_, text, open, said) => {
    expect(run(text, open)).toEqual({ status: 0, said });
  });
});
