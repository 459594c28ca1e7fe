/** `--help`, made from the table of options: of all commands, or of the one that is named. */
import {
  type CommandName,
  type CommandOptions,
  commands,
  judged,
  type Option,
  type OptionName,
  type OptionUse,
  options,
} from './options.js';

/** Where a text begins, and where it ends. */
const [optionColumn, optionWidth] = [22, 116];
const [usageColumn, usageWidth] = [46, 120];

const names = Object.keys(commands) as CommandName[];

/** What every command does, and all options once. */
export function help(): string {
  return [
    'customizer-lint: checks the repository from which a Cozystack cluster is customized',
    '',
    'Usage',
    ...names.flatMap(usageRow),
    '',
    'DIR is the root of the repository, by default the current directory.',
    ...names.flatMap((name) => ['', `Options of ${name}`, ...optionRows(commands[name])]),
    '',
    'customizer-lint COMMAND --help tells of one command.',
    judged,
    '',
  ].join('\n');
}

/** One command, with all that it takes. */
export function helpOf(name: CommandName): string {
  const { options: own, shared = [], renders, sharedNote, notes }: CommandOptions = commands[name];
  const limits = renders && name !== 'check' ? (['max-seconds', 'max-memory'] as const) : [];
  const uses = [...own, ...shared, ...limits, 'help' as const].map(useOf);
  const more = [...(sharedNote ? [`${sharedNote}.`] : []), ...(notes?.split('\n') ?? [])];
  return [
    'Usage',
    ...usageRow(name),
    '',
    'Options',
    ...uses.flatMap((use) => row(labelOf(use), textOf(use))),
    ...(more.length > 0 ? ['', ...more.flatMap((line) => wrapped(line, optionWidth))] : []),
    '',
  ].join('\n');
}

function usageRow(name: CommandName): string[] {
  const { operands, summary } = commands[name];
  return row(`customizer-lint ${name === 'check' ? '[check]' : name} ${operands}`, summary, usageColumn, usageWidth);
}

/** Options that stand above already are only named. */
function optionRows({ options: own, shared = [], sharedNote, notes }: CommandOptions): string[] {
  const above = shared.map((name) => labelOf({ name }, false)).join(', ');
  const also = sharedNote === undefined ? 'as above' : `as above; ${sharedNote}`;
  const more = notes?.split('\n').filter((line) => line !== judged) ?? [];
  return [
    ...own.map(useOf).flatMap((use) => row(labelOf(use), textOf(use))),
    ...(above === '' ? [] : row(above, also)),
    ...more.flatMap((line) => row('', line)),
  ];
}

function useOf(one: OptionName | OptionUse): OptionUse {
  return typeof one === 'string' ? { name: one } : one;
}

/** As it is written: `--quiet, -q`, `--path P`. */
function labelOf({ name, label }: OptionUse, withShort = true): string {
  const { short, value }: Option = options[name];
  if (label !== undefined) return label;
  return `--${name}${short && withShort ? `, -${short}` : ''}${value ? ` ${value}` : ''}`;
}

function textOf({ name, help: text }: OptionUse): string {
  return text ?? options[name].help;
}

/** What is too long for its column has a line of its own. */
function row(label: string, text: string, column = optionColumn, width = optionWidth): string[] {
  const [first = '', ...rest] = wrapped(text, width - column);
  const head = `  ${label}`;
  const lines = [first, ...rest].map((line) => `${' '.repeat(column)}${line}`);
  if (head.length + 1 > column) return [head, ...lines];
  return [`${head.padEnd(column)}${first}`, ...lines.slice(1)];
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
