/** The command line: node's own `parseArgs`, with its errors in our words. */
import { parseArgs } from 'node:util';
import { UsageError } from '../core/model.js';
import { type CommandName, type CommandOptions, commands, type OptionUse, options } from './options.js';

export type Arguments = {
  command: CommandName;
  /** Whether the command is written out. */
  isNamed: boolean;
  directory: string;
  /** What stands behind the command; a directory is taken out. */
  operands: string[];
  values: Omit<Parsed, 'dry-run'> & { 'dry-run'?: string | boolean };
};
type Parsed = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** Throws a `UsageError` that says what would be right. */
export function readArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv);
  const first = positionals[0];
  const named = isCommand(first) ? first : undefined;
  const command = named ?? 'check';
  const rest = named ? positionals.slice(1) : positionals;
  const takesDirectory = commands[command].operands.startsWith('[DIR]');
  if (rest.length > 1 && takesDirectory) throw new UsageError(`one directory at a time: "${rest[0]}" or "${rest[1]}"?`);
  if (rest.length > 1 && command !== 'explain') throw new UsageError(`one at a time: "${rest[0]}" or "${rest[1]}"?`);
  checkOptions(command, values);
  checkDryRun(command, values);
  checkAsApplied(command, values);
  const given = { command, isNamed: named !== undefined, values };
  if (values.help || values.version) return { ...given, directory: '.', operands: rest };
  if (command === 'explain') return { ...given, directory: values.directory ?? '.', operands: explained(rest) };
  if (!takesDirectory) return { ...given, directory: '.', operands: rest };
  return { ...given, directory: rest[0] ?? '.', operands: [] };
}

function isCommand(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(commands, word);
}

function checkOptions(command: CommandName, values: Arguments['values']): void {
  const { options: own, shared = [], renders }: CommandOptions = commands[command];
  const uses = [...own, ...shared].map((one): OptionUse => (typeof one === 'string' ? { name: one } : one));
  for (const [name, value] of Object.entries(values)) {
    if (name === 'help' || name === 'version' || (name.startsWith('max-') && renders)) continue;
    const use = uses.find((one) => one.name === name);
    if (!use) throw new UsageError(`--${name} is not an option of ${command}`);
    for (const word of [value].flat()) {
      if (use.accepts && !use.accepts.includes(String(word)))
        throw new UsageError(`--${name} ${word}: use one of ${use.accepts.join(', ')}`);
    }
  }
}

function checkDryRun(command: CommandName, values: Arguments['values']): void {
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

function checkAsApplied(command: CommandName, values: Arguments['values']): void {
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

function explained(operands: string[]): string[] {
  if (!operands[0]?.includes('/')) throw new UsageError('explain what? e.g. Package/cozystack.metallb spec.variant');
  return operands;
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
