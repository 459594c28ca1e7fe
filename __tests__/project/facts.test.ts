/**
 * What is claimed about Cozystack, Flux, Helm and Kubernetes has an id with a proof in src/rules/FACTS.md, and the pages of the rules
 * cite these ids; what comments cite of the other FACTS.md is there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../support/cli.js';

/** Rules that rest on no claim about others, and why. */
const without: { [rule: string]: string } = {
  'accepted-by-server': 'compares the answers of a server with what other rules say',
  'expired-ignore': 'is about the configuration of the linter',
  'invalid-config': 'is about the configuration of the linter',
  'missing-entrypoint': 'is about what the linter was given to check',
  'old-snapshot': 'compares the date of a file with that of today',
  'plain-secret': 'whoever reads the repository reads what is in it',
  'skipped-stage': 'is about the run of the linter',
  'unused-ignore': 'is about the configuration of the linter',
  'unverifiable-change': 'is about what the linter cannot see',
};

/** Rules whose fact has no proof yet. At most 10, and none is better. */
const todo: string[] = [];

const src = join(root, 'src');
const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const prefixes = ['k8s', 'flux', 'kustomize', 'helm', 'cozystack', 'sops', 'keycloak', 'git', 'github'];
const idPattern = new RegExp(`^(?:${prefixes.join('|')})(?:-[a-z0-9]+)+$`);

/** Each item of the list, its continued lines put together. */
const items = read(src, 'rules', 'FACTS.md')
  .replace(/\n {2}/g, ' ')
  .split('\n')
  .filter((line) => line.startsWith('- '));
const facts = items.map((item) => {
  const [, id = item, claim = '', proof = ''] = /^- \*\*([^*]+)\*\*: (.+?\.)(?: Proof: (.*)\.)?$/.exec(item) ?? [];
  return { id, claim, proofs: proof.split(/; (?=fixture |source |see )/).filter(Boolean) };
});
const ids = new Set(facts.map(({ id }) => id));

const rules = readdirSync(join(src, 'rules')).filter((name) => existsSync(join(src, 'rules', name, 'rule.ts')));
const citedBy = (rule: string) => {
  const why = /## Why it matters\n([\s\S]*?)\n## /.exec(read(src, 'rules', rule, 'README.md'))?.[1] ?? '';
  const last = /\n\n\[Facts\]\(\.\.\/FACTS\.md\): ([^\n]*)\.\n$/.exec(why)?.[1];
  return last?.split(', ') ?? [];
};

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

const headingsOf = (file: string) => [...read(file).matchAll(/^## (.*)$/gm)].map(([, heading]) => String(heading));

/** What `cluster/outcomes.test.ts` does not compare. */
const differences = new Set(
  [
    ...(/const differences.*?\{\n(.*?)\n\};/s
      .exec(read(root, '__tests__/end-to-end/cluster/outcomes.test.ts'))?.[1]
      ?.matchAll(/^ {2}'([^']+)':/gm) ?? []),
  ].map(([, title]) => String(title)),
);

/** What is wrong with a proof, or nothing. */
function fault(proof: string): string | undefined {
  if (proof.startsWith('fixture ')) {
    const [, title] = /^fixture `([a-z-]+\/[a-z0-9-]+)`$/.exec(proof) ?? [];
    if (title === undefined) return 'is no fixture `rule/name`';
    if (!existsSync(join(root, '__tests__/rules', title))) return 'is not there';
    return differences.has(title) ? 'is not compared in outcomes.test.ts' : undefined;
  }
  if (proof.startsWith('see ')) {
    const [, room, heading] = /^see (\w+)\/FACTS\.md, (.+)$/.exec(proof) ?? [];
    if (room === undefined || heading === undefined) return 'names no section';
    const file = join(src, room, 'FACTS.md');
    return existsSync(file) && headingsOf(file).includes(heading) ? undefined : 'is not there';
  }
  const form = /^source [\w.-]+\/[\w.-]+ (?:\S*v\d+\.\d+\.\d+|[0-9a-f]{9,40}), `[\w./-]+\.\w+`:(\d+)(?:-(\d+))?$/;
  const [found, from, to] = form.exec(proof) ?? [];
  if (found === undefined) return 'is no repository, version, `file`:line';
  return to !== undefined && Number(to) <= Number(from) ? 'ends before it begins' : undefined;
}

describe('facts', () => {
  test('each has an id of its own, with the prefix of what it is about', () => {
    expect(facts.length).toBeGreaterThan(80);
    expect(facts.map(({ id }) => id).filter((id, at, all) => all.indexOf(id) !== at)).toEqual([]);
    expect(facts.map(({ id }) => id).filter((id) => !idPattern.test(id))).toEqual([]);
  });

  test('each has a proof', () => {
    expect(facts.filter(({ claim, proofs }) => !claim || proofs.length === 0).map(({ id }) => id)).toEqual([]);
  });

  test('each proof is one', () => {
    expect(differences.size).toBeGreaterThan(5);
    const wrong = facts.flatMap(({ id, proofs }) =>
      proofs.flatMap((proof) => {
        const why = fault(proof);
        return why === undefined ? [] : [`${id}: ${proof} ${why}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('each is cited by the page of a rule', () => {
    const cited = new Set(rules.flatMap(citedBy));
    expect(facts.map(({ id }) => id).filter((id) => !cited.has(id))).toEqual([]);
  });
});

describe('rules', () => {
  test('each cites the facts that it rests on, or rests on none', () => {
    const silent = rules.filter((rule) => citedBy(rule).length === 0);
    expect(silent).toEqual([...Object.keys(without), ...todo].sort());
    expect(Object.values(without).filter((reason) => reason.length < 10)).toEqual([]);
    expect(todo.length).toBeLessThanOrEqual(10);
  });

  test('what is cited is there', () => {
    const unknown = rules.flatMap((rule) => citedBy(rule).flatMap((id) => (ids.has(id) ? [] : [`${rule}: ${id}`])));
    expect(unknown).toEqual([]);
  });

  test('what comments cite as `rules/FACTS.md: ID` is there', () => {
    const inComments = sources.flatMap((file) =>
      [...read(src, file).matchAll(/rules\/FACTS\.md: ([a-z0-9-]+(?:, [a-z0-9-]+)*)/g)].flatMap(([, all]) =>
        String(all).split(', '),
      ),
    );
    expect(inComments.length).toBeGreaterThan(0);
    expect(inComments.filter((id) => !ids.has(id))).toEqual([]);
  });
});

const cited = sources.flatMap((file) => {
  const text = read(src, file).replace(/\n\s*(?:\*|\/\/)\s*/g, ' ');
  return [...text.matchAll(/(?:(\w+)\/)?FACTS\.md(?:, ([^);.]+))?/g)].map(
    ([, room, sections]) => [file, room ?? dirname(file).split('/')[0], sections] as const,
  );
});

test.each(cited)('%s cites %s/FACTS.md, %s', (_, room, sections) => {
  const file = join(src, String(room), 'FACTS.md');
  expect(existsSync(file)).toBe(true);
  const headings = headingsOf(file);
  const isThere = (section: string) => headings.some((one) => section === one || one.startsWith(`${section} `));
  const all = sections?.trim();
  if (all !== undefined && !isThere(all)) expect(all.split(' and ').filter((one) => !isThere(one))).toEqual([]);
});

test('something is cited', () => {
  expect(cited.length).toBeGreaterThan(20);
});
