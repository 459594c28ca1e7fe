/** The command line: node's own `parseArgs`, with its errors in our words. */
import { parseArgs } from 'node:util';
import { defined } from '../core/defined.js';
import { UsageError } from '../core/model.js';
import { nearest, nearMiss } from '../core/suggest.js';
import { usesOf } from './help.js';
import { type CommandName, commands, type Option, options } from './options.js';

export type Arguments = {
  command: CommandName;
  /** Whether the command is written out. */
  isNamed: boolean;
  /** The root of the repository; absent where none is named, so that it is to be looked for. */
  directory?: string;
  /** What stands behind the command; a directory is taken out. */
  operands: string[];
  values: Omit<Parsed, 'dry-run'> & { 'dry-run'?: string | boolean };
};
type Parsed = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** Throws a `UsageError` that says what would be right. */
export function readArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv);
  if (positionals[0] === 'help') return helpAbout(positionals.slice(1), values);
  const first = positionals[0];
  const named = isCommand(first) ? first : undefined;
  const command = named ?? 'check';
  const rest = named ? positionals.slice(1) : positionals;
  const takesDirectory = commands[command].operands.startsWith('[DIR]');
  if (rest.length > 1 && takesDirectory) throw new UsageError(`one directory at a time: "${rest[0]}" or "${rest[1]}"?`);
  if (rest.length > 1 && !['explain', 'check', 'charts'].includes(command))
    throw new UsageError(`one at a time: "${rest[0]}" or "${rest[1]}"?`);
  checkOptions(command, values);
  checkTogether(command, values);
  checkDryRun(command, values);
  checkAsApplied(command, values);
  const given = { command, isNamed: named !== undefined, values };
  if (values.help || values.version) return { ...given, operands: rest };
  if (command === 'explain')
    return { ...given, ...defined({ directory: values.directory }), operands: explained(rest) };
  if (takesDirectory) return { ...given, ...defined({ directory: rest[0] }), operands: [] };
  return { ...given, operands: rest };
}

/** `help` and `help COMMAND`. */
function helpAbout([word, ...rest]: string[], values: Arguments['values']): Arguments {
  if (rest.length > 0) throw new UsageError(`one command at a time: "${word}" or "${rest[0]}"?`);
  if (word !== undefined && !isCommand(word)) throw new UsageError(unknownCommand(word));
  return { command: word ?? 'check', isNamed: word !== undefined, operands: [], values: { ...values, help: true } };
}

/** `unknown command "chek"; did you mean "check"?` */
export function unknownCommand(word: string): string {
  const known = [...Object.keys(commands), 'help'];
  return `unknown command "${word}"; ${nearMiss(word, known, 'customizer-lint help lists the commands')}`;
}

function isCommand(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(commands, word);
}

function checkOptions(command: CommandName, values: Arguments['values']): void {
  const uses = usesOf(command);
  for (const [name, value] of Object.entries(values)) {
    if (name === 'version') continue;
    const use = uses.find((one) => one.name === name);
    if (!use) throw new UsageError(`--${name} is not an option of ${command}`);
    const { accepts }: Option = options[use.name];
    for (const word of [value].flat()) checkWord(name, String(word), use.accepts ?? accepts);
  }
}

function checkWord(name: string, word: string, accepts: readonly string[] | undefined): void {
  const written = name === 'format' ? formatIn(word).format : word;
  if (!accepts || accepts.includes(written)) return;
  throw new UsageError(`--${name} ${word}: ${nearMiss(written, accepts, `use one of ${accepts.join(', ')}`)}`);
}

/** `F` or `F=FILE`. */
export function formatIn(word: string): { format: string; file?: string } {
  const at = word.indexOf('=');
  return at < 0 ? { format: word } : { format: word.slice(0, at), file: word.slice(at + 1) };
}

/** Only one report goes to standard output, or to the file of `--output`. */
function checkTogether(command: CommandName, values: Arguments['values']): void {
  const comparing = (['only-new', 'fork'] as const).find((name) => values[name] && values.base === undefined);
  if (comparing !== undefined) throw new UsageError(`--${comparing} needs --base`);
  const unfiled = (values.format ?? []).filter((word) => formatIn(word).file === undefined);
  if (unfiled.length > 1) {
    const example = `--format ${unfiled[0]} --format ${unfiled[1]}=FILE`;
    throw new UsageError(
      command === 'check'
        ? `two formats need a file each, but for one: ${example}`
        : `--format ${unfiled[0]} or --format ${unfiled[1]}?`,
    );
  }
  if (command !== 'check' && (values.format ?? []).some((word) => formatIn(word).file !== undefined))
    throw new UsageError(`${command} has one format: use --output for the file`);
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
    if (values.release !== undefined) throw new UsageError('--release needs --as-applied');
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
    const message = (error as Error).message.split('. ')[0] ?? '';
    throw new UsageError(unknownOption(message) ?? `${message}; see customizer-lint --help`);
  }
}

/** Node's own words have the option in quotes. */
function unknownOption(message: string): string | undefined {
  const [, word] = /^Unknown option '(--?[^']*)'/.exec(message) ?? [];
  if (word === undefined) return undefined;
  const meant = nearest(word.replace(/^-+/, ''), Object.keys(options));
  return `unknown option "${word}"; ${meant ? `did you mean "--${meant}"?` : 'see customizer-lint --help'}`;
}
