/** `--help`, made from the table of options: of all commands, or of the one that is named. The manual page is made of the same. */
import {
  about,
  type CommandName,
  type CommandOptions,
  commands,
  judged,
  type Option,
  type OptionName,
  type OptionUse,
  ofEvery,
  options,
  withoutCommand,
} from './options.js';
import { widest, wrapped } from './wrap.js';

/** Where a text begins. */
const [optionColumn, usageColumn] = [22, 14];

const names = Object.keys(commands) as CommandName[];

/** What every command does, in lines of at most so many columns. */
export function help(width = widest): string {
  return [
    ...wrapped(about, width),
    '',
    'Usage: customizer-lint [COMMAND] [DIR] [options]',
    '',
    'Commands',
    ...names.flatMap((name) => row(name, commands[name].summary, usageColumn, width)),
    '',
    ...wrapped(withoutCommand, width),
    '',
    'Options of every command',
    ...ofEvery.flatMap(([label, text]) => row(label, text, optionColumn, width)),
    '',
    'Examples',
    ...names.slice(0, 3).flatMap((name) => examplesOf(name, width)[0] ?? []),
    '',
    ...wrapped(judged, width),
    '',
    'customizer-lint help COMMAND prints the options of a command.',
    '',
  ].join('\n');
}

/** One command, with all that it takes. */
export function helpOf(name: CommandName, width = widest): string {
  const { notes, sharedNote, operands, summary }: CommandOptions = commands[name];
  const more = [...(sharedNote ? [`${sharedNote}.`] : []), ...(notes?.split('\n') ?? [])];
  return [
    `Usage: customizer-lint ${name === 'check' ? '[check]' : name} ${operands}`,
    '',
    ...wrapped(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`, width),
    '',
    'Options',
    ...usesOf(name).flatMap((use) => row(labelOf(use), textOf(use), optionColumn, width)),
    '',
    'Examples',
    ...examplesOf(name, width).flat(),
    ...(more.length > 0 ? ['', ...more.flatMap((line) => wrapped(line, width))] : []),
    '',
  ].join('\n');
}

/** The options that a command takes, in the order of its help. */
export function usesOf(name: CommandName): OptionUse[] {
  const { options: own, shared = [], renders }: CommandOptions = commands[name];
  const limits = renders && name !== 'check' ? (['max-seconds', 'max-memory', 'engine'] as const) : [];
  return [...own, ...shared, ...limits, 'help' as const].map(useOf);
}

function useOf(one: OptionName | OptionUse): OptionUse {
  return typeof one === 'string' ? { name: one } : one;
}

export function textOf({ name, help: text }: OptionUse): string {
  return text ?? options[name].help;
}

/** As it is written: `--quiet, -q`, `--path P`. */
export function labelOf({ name, label }: OptionUse): string {
  const { short, value }: Option = options[name];
  if (label !== undefined) return label;
  return `--${name}${short ? `, -${short}` : ''}${value ? ` ${value}` : ''}`;
}

/** Each with its command on one line, to be copied. */
function examplesOf(name: CommandName, width: number): string[][] {
  return commands[name].examples.map(([line, what]) => [
    `  customizer-lint ${line}`,
    ...wrapped(what, width - 6).map((part) => `      ${part}`),
  ]);
}

/** What is too long for its column has a line of its own. */
function row(label: string, text: string, column: number, width: number): string[] {
  const [first = '', ...rest] = wrapped(text, width - column);
  const head = `  ${label}`;
  const lines = [first, ...rest].map((line) => `${' '.repeat(column)}${line}`);
  if (head.length + 1 > column) return [head, ...lines];
  return [`${head.padEnd(column)}${first}`, ...lines.slice(1)];
}
