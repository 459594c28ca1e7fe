/** The command line: node's own `parseArgs`, with its errors in our words. */
import { parseArgs } from 'node:util';
import { UsageError } from '../core/model.js';
import { formats } from '../report/index.js';

const commands = [
  'check',
  'render',
  'explain',
  'graph',
  'diff',
  'inventory',
  'audit',
  'snapshot',
  'rules',
  'fix',
] as const;
type Command = (typeof commands)[number];

const withDirectory: readonly Command[] = ['check', 'fix', 'render', 'graph', 'diff', 'inventory', 'audit'];

/** Those that render, within limits that can be set. */
const rendering: readonly Command[] = [...withDirectory, 'explain'];

const options = {
  path: { type: 'string', multiple: true },
  base: { type: 'string' },
  format: { type: 'string', multiple: true },
  output: { type: 'string' },
  config: { type: 'string' },
  'fail-on': { type: 'string' },
  'only-new': { type: 'boolean' },
  release: { type: 'string' },
  'no-color': { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  'max-seconds': { type: 'string' },
  'max-memory': { type: 'string' },
  provenance: { type: 'boolean' },
  'as-applied': { type: 'boolean' },
  cluster: { type: 'string' },
  live: { type: 'string' },
  kubeconfig: { type: 'string' },
  fresh: { type: 'boolean' },
  simulate: { type: 'boolean' },
  unsafe: { type: 'boolean' },
  /** Of `fix` a switch; of `check` the server to ask. */
  'dry-run': { type: 'boolean' },
  'keep-cluster': { type: 'boolean' },
  context: { type: 'string' },
  rule: { type: 'string', multiple: true },
  installed: { type: 'boolean', short: 'i' },
  components: { type: 'boolean' },
  directory: { type: 'string', short: 'C' },
  version: { type: 'boolean', short: 'V' },
  help: { type: 'boolean', short: 'h' },
} as const;

export type Arguments = {
  command: Command;
  directory: string;
  /** What stands behind the command; for those in `withDirectory` the directory is taken out. */
  operands: string[];
  values: Omit<Parsed, 'dry-run'> & { 'dry-run'?: string | boolean };
};
type Parsed = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

const used: Record<Command, readonly string[]> = {
  check: [
    ...['path', 'base', 'format', 'output', 'config', 'fail-on', 'only-new', 'release', 'no-color', 'quiet'],
    ...['simulate', 'live', 'dry-run', 'keep-cluster', 'cluster', 'context'],
  ],
  render: ['path', 'format', 'output', 'config', 'provenance', 'as-applied', 'release', 'cluster'],
  explain: ['path', 'base', 'live', 'format', 'output', 'config', 'directory', 'release', 'cluster'],
  graph: ['path', 'format', 'output', 'config', 'release', 'cluster', 'installed', 'components'],
  diff: ['path', 'base', 'live', 'fresh', 'format', 'output', 'config', 'release', 'cluster', 'no-color'],
  inventory: ['path', 'format', 'output', 'config'],
  audit: [...['path', 'live', 'kubeconfig', 'context', 'format', 'output', 'config', 'release', 'cluster', 'no-color']],
  snapshot: ['output'],
  rules: ['format'],
  fix: [
    ...['path', 'base', 'config', 'release', 'fail-on', 'only-new', 'no-color', 'quiet'],
    ...['unsafe', 'dry-run', 'rule'],
  ],
};
const accepted: Record<string, Record<string, readonly string[]>> = {
  check: {
    format: formats,
    'fail-on': ['error', 'warning', 'notice', 'never'],
  },
  render: { format: ['yaml', 'json', 'digest'] },
  graph: { format: ['dot', 'mermaid', 'json'] },
  explain: { format: ['text', 'json'] },
  diff: { format: ['text', 'json', 'markdown'] },
  inventory: { format: ['text', 'json'] },
  audit: { format: ['text', 'json'] },
  rules: { format: ['text', 'json', 'schema'] },
  fix: { 'fail-on': ['error', 'warning', 'notice', 'never'] },
};

/** Throws a `UsageError` that says what would be right. */
export function readArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv);
  const first = positionals[0];
  const command: Command = commands.find((name) => name === first) ?? 'check';
  const rest = command === first ? positionals.slice(1) : positionals;
  if (rest.length > 1 && withDirectory.includes(command))
    throw new UsageError(`one directory at a time: "${rest[0]}" or "${rest[1]}"?`);
  if (rest.length > 1 && command !== 'explain') throw new UsageError(`one at a time: "${rest[0]}" or "${rest[1]}"?`);
  for (const [name, value] of Object.entries(values)) {
    if (name === 'help' || name === 'version') continue;
    if (name.startsWith('max-') && rendering.includes(command)) continue;
    if (!used[command].includes(name)) throw new UsageError(`--${name} is not an option of ${command}`);
    const words = accepted[command]?.[name];
    for (const word of [value].flat()) {
      if (words && !words.includes(String(word)))
        throw new UsageError(`--${name} ${word}: use one of ${words.join(', ')}`);
    }
  }
  checkDryRun(command, values);
  checkAsApplied(command, values);
  if (command === 'explain') return explainArguments(rest, values);
  if (command === 'snapshot' || command === 'rules') return { command, directory: '.', operands: rest, values };
  return { command, directory: rest[0] ?? '.', operands: [], values };
}

function checkDryRun(command: Command, values: Arguments['values']): void {
  if (command !== 'check') return;
  const where = values['dry-run'];
  if (values.live !== undefined && !values.simulate) throw new UsageError('--live needs --simulate');
  if (where === '') throw new UsageError('--dry-run of what? kind, kind:NAME, envtest or the path of a kubeconfig');
  for (const name of ['keep-cluster', 'cluster', 'context'] as const) {
    if (values[name] !== undefined && where === undefined) throw new UsageError(`--${name} needs --dry-run`);
  }
  if (values['keep-cluster'] && where !== 'kind') throw new UsageError('--keep-cluster needs --dry-run=kind');
  const made = where === 'kind' || where === 'envtest' || String(where).startsWith('kind:');
  if (values.context !== undefined && made) throw new UsageError('--context needs --dry-run with a kubeconfig');
}

function checkAsApplied(command: Command, values: Arguments['values']): void {
  if (command !== 'render') return;
  if (!values['as-applied']) {
    for (const name of ['release', 'cluster'] as const)
      if (values[name] !== undefined) throw new UsageError(`--${name} needs --as-applied`);
    return;
  }
  if (values.provenance)
    throw new UsageError('--as-applied and --provenance do not go together: lines are of what is rendered');
  if (values.format?.includes('digest'))
    throw new UsageError('--as-applied has no digest: what Flux hashes is what render prints without it');
}

function explainArguments(operands: string[], values: Arguments['values']): Arguments {
  if (!operands[0]?.includes('/')) throw new UsageError('explain what? e.g. Package/cozystack.metallb spec.variant');
  return { command: 'explain', directory: values.directory ?? '.', operands, values };
}

function parse(argv: readonly string[]): { values: Arguments['values']; positionals: string[] } {
  const args = [...argv];
  const config = { args, options, allowPositionals: true } as const;
  try {
    if (parseArgs({ ...config, strict: false }).positionals[0] === 'fix') return parseArgs(config);
    return parseArgs({ ...config, options: { ...options, 'dry-run': { type: 'string' } } });
  } catch (error) {
    const message = error instanceof Error ? error.message.split('. ')[0] : String(error);
    throw new UsageError(`${message}; see customizer-lint --help`);
  }
}
