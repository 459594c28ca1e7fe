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
const [optionColumn, optionWidth] = [22, 100];
const [usageColumn, usageWidth] = [14, 100];

const names = Object.keys(commands) as CommandName[];

/** What every command does. */
export function help(): string {
  return [
    'customizer-lint checks the repository from which a Cozystack cluster is customized, before Flux applies it.',
    '',
    'Usage: customizer-lint [COMMAND] [DIR] [options]',
    '',
    'Commands',
    ...names.flatMap((name) => row(name, commands[name].summary, usageColumn, usageWidth)),
    '',
    'Without a command it checks. DIR is the root of the repository; by default it is looked for from the current directory',
    'upwards.',
    '',
    'Options of every command',
    ...row('--help, -h', 'print the options of a command, with examples'),
    ...row('--version, -V', options.version.help),
    '',
    'Examples',
    ...names.slice(0, 3).flatMap((name) => examplesOf(name).slice(0, 1)),
    '',
    judged,
    '',
    'customizer-lint help COMMAND prints the options of a command.',
    '',
  ].join('\n');
}

/** One command, with all that it takes. */
export function helpOf(name: CommandName): string {
  const { notes, sharedNote, operands, summary }: CommandOptions = commands[name];
  const more = [...(sharedNote ? [`${sharedNote}.`] : []), ...(notes?.split('\n') ?? [])];
  return [
    `Usage: customizer-lint ${name === 'check' ? '[check]' : name} ${operands}`,
    '',
    ...wrapped(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`, optionWidth),
    '',
    'Options',
    ...usesOf(name).flatMap((use) => row(labelOf(use), textOf(use))),
    '',
    'Examples',
    ...examplesOf(name),
    ...(more.length > 0 ? ['', ...more.flatMap((line) => wrapped(line, optionWidth))] : []),
    '',
  ].join('\n');
}

/** The options that a command takes, in the order of its help. */
export function usesOf(name: CommandName): OptionUse[] {
  const { options: own, shared = [], renders }: CommandOptions = commands[name];
  const limits = renders && name !== 'check' ? (['max-seconds', 'max-memory'] as const) : [];
  return [...own, ...shared, ...limits, 'help' as const].map(useOf);
}

function useOf(one: OptionName | OptionUse): OptionUse {
  return typeof one === 'string' ? { name: one } : one;
}

export function textOf({ name, help: text }: OptionUse): string {
  return text ?? options[name].help;
}

/** As it is written: `--quiet, -q`, `--path P`. */
function labelOf({ name, label }: OptionUse): string {
  const { short, value }: Option = options[name];
  if (label !== undefined) return label;
  return `--${name}${short ? `, -${short}` : ''}${value ? ` ${value}` : ''}`;
}

function examplesOf(name: CommandName): string[] {
  return commands[name].examples.flatMap(([line, what]) => [`  customizer-lint ${line}`, `      ${what}`]);
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
