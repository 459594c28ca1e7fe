/** The command line as it is read, and what is said of a wrong one. */
import { describe, expect, test } from '@jest/globals';
import { readArguments } from '../../src/cli/arguments.js';
import { commands } from '../../src/cli/options.js';

const read = (line: string) => readArguments(line.split(' ').filter((word) => word !== ''));

describe('what is read', () => {
  test.each<[string, object]>([
    ['', { command: 'check', isNamed: false, operands: [] }],
    ['repo', { command: 'check', isNamed: false, operands: ['repo'] }],
    ['check repo', { command: 'check', isNamed: true, operands: ['repo'] }],
    ['check a.yaml b.yaml', { command: 'check', operands: ['a.yaml', 'b.yaml'] }],
    ['toString', { command: 'check', isNamed: false, operands: ['toString'] }],
    ['help', { command: 'check', isNamed: false, values: { help: true } }],
    ['help diff', { command: 'diff', isNamed: true, values: { help: true } }],
    ['diff', { command: 'diff', isNamed: true }],
    ['rules a-rule', { command: 'rules', operands: ['a-rule'] }],
    ['snapshot -', { command: 'snapshot', operands: ['-'] }],
    ['explain Package/a', { command: 'explain', operands: ['Package/a'] }],
    ['check --format text --format json=a=b.json', { values: { format: ['text', 'json=a=b.json'] } }],
    ['check --color always', { values: { color: 'always' } }],
    ['explain Package/a spec -C repo', { command: 'explain', directory: 'repo', operands: ['Package/a', 'spec'] }],
    ['explain Package/a spec.variant spec.components', { operands: ['Package/a', 'spec.variant', 'spec.components'] }],
    ['explain --help', { command: 'explain', operands: [], values: { help: true } }],
    ['-V', { command: 'check', values: { version: true } }],
    ['--path a --path b', { values: { path: ['a', 'b'] } }],
    ['check --dry-run kind', { values: { 'dry-run': 'kind' } }],
    ['fix --dry-run repo', { directory: 'repo', values: { 'dry-run': true } }],
    ['fix --fail-on warning', { values: { 'fail-on': 'warning' } }],
    ['check --simulate --live a.yaml', { values: { live: 'a.yaml' } }],
    ['check --dry-run=kind --keep-cluster', { values: { 'keep-cluster': true } }],
    ['check --dry-run=kubeconfig --context a', { values: { context: 'a' } }],
    ['render --as-applied --release v1.6.2 --format json', { values: { release: 'v1.6.2', format: ['json'] } }],
    ['render --provenance --format yaml', { values: { provenance: true } }],
  ])('of %j', (line, expected) => {
    expect(read(line)).toMatchObject(expected);
  });

  test('has an operand as a directory of every command that takes one', () => {
    const named = Object.entries(commands).filter(([, { operands }]) => operands.startsWith('[DIR]'));
    expect(named.map(([name]) => read(`${name} repo`).directory)).toEqual(named.map(() => 'repo'));
    expect(named.map(([name]) => read(name).directory)).toEqual(named.map(() => undefined));
  });
});

describe('what is refused', () => {
  test.each([
    ['help chek', 'unknown command "chek"; did you mean "check"?'],
    ['help halp', 'unknown command "halp"; did you mean "help"?'],
    ['help a b', 'one command at a time: "a" or "b"?'],
    ['help zzzzzz', 'unknown command "zzzzzz"; customizer-lint help lists the commands'],
    ['--frmat json', 'unknown option "--frmat"; did you mean "--format"?'],
    ['check --only-new', '--only-new needs --base'],
    [
      'check --format text --format json',
      'two formats need a file each, but for one: --format text --format json=FILE',
    ],
    ['check --format jsn', '--format jsn: did you mean "json"?'],
    ['check --format =json', '--format =json: use one of text, '],
    ['check --format jsn=a.json', '--format jsn=a.json: did you mean "json"?'],
    ['diff --format text --format json', '--format text or --format json?'],
    ['diff --format json=a.json', 'diff has one format: use --output for the file'],
    ['check --color sometimes', '--color sometimes: use one of auto, always, never'],
    ['diff a b', 'one directory at a time: "a" or "b"?'],
    ['rules a b', 'one at a time: "a" or "b"?'],
    ['snapshot a b', 'one at a time: "a" or "b"?'],
    ['explain', 'explain what? e.g. Package/cozystack.metallb spec.variant'],
    ['explain spec', 'explain what?'],
    ['rules --path a', '--path is not an option of rules'],
    ['check --unsafe', '--unsafe is not an option of check'],
    ['snapshot --max-seconds 5', '--max-seconds is not an option of snapshot'],
    ['fix --fail-on fatal', '--fail-on fatal: use one of error, warning, notice, never'],
    ['check --fail-on fatal', '--fail-on fatal: use one of error, warning, notice, never'],
    ['render --format text', '--format text: use one of yaml, json, digest'],
    ['diff --format dot', '--format dot: use one of text, json, markdown'],
    ['check --live a.yaml', '--live needs --simulate'],
    ['check --dry-run=', '--dry-run of what?'],
    ['check --keep-cluster', '--keep-cluster needs --dry-run'],
    ['check --cluster a', '--cluster needs --dry-run'],
    ['check --context a', '--context needs --dry-run'],
    ['check --dry-run=envtest --keep-cluster', '--keep-cluster needs --dry-run=kind'],
    ['check --dry-run=kind --context a', '--context needs --dry-run with a kubeconfig'],
    ['check --dry-run=kind:a --context a', '--context needs --dry-run with a kubeconfig'],
    ['check --dry-run=envtest --context a', '--context needs --dry-run with a kubeconfig'],
    ['render --release v1.6.2', '--release needs --as-applied'],
    ['render --as-applied --provenance', '--as-applied and --provenance do not go together'],
    ['render --as-applied --format digest', '--as-applied has no digest'],
    ['--no-such-option', 'unknown option "--no-such-option"; see customizer-lint --help'],
  ])('of %j', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });
});
