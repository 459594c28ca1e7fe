/** The fixtures of the rules and the clean repositories, each with the commit before it where there is one. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomOf } from '../bench/generate.mjs';
import { root } from './cli.js';

export type Case = { title: string; directory: string; base?: string };

/** How a case is opened. */
export function optionsOf({ directory, base }: Pick<Case, 'directory' | 'base'>) {
  return { directory, home: root, paths: [], remotes: [], ...(base && { base }) };
}

function casesIn(folder: string, title: string): Case[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith('.base'))
    .map(({ name }) => {
      const directory = join(folder, name);
      return {
        ...{ title: `${title}/${name}`, directory },
        ...(existsSync(`${directory}.base`) && { base: `${directory}.base` }),
      };
    });
}

export function allCases(): Case[] {
  const tests = join(root, '__tests__');
  const rules = readdirSync(join(tests, 'rules'));
  return [
    ...rules.flatMap((rule) => casesIn(join(tests, 'rules', rule), rule)),
    ...casesIn(join(tests, 'clean'), 'clean'),
  ];
}

/** A sample by SEED (1): CASES of those with a commit before, and a third as many of those without. `FULL=1` takes all; ONLY names some. */
export function chosenCases(all: readonly Case[], few: number): Case[] {
  const only = process.env.ONLY?.split(' ');
  if (only) return all.filter(({ title }) => only.includes(title));
  if (process.env.FULL === '1') return [...all];
  const wanted = Number(process.env.CASES ?? few);
  const [changes, states] = [all.filter(({ base }) => base), all.filter(({ base }) => !base)];
  return [...some(changes, wanted, 1), ...some(states, wanted / 3, 2)];
}

function some(from: readonly Case[], count: number, turn: number): Case[] {
  const random = randomOf(Number(process.env.SEED ?? 1) * 2 + turn);
  const rest = [...from];
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(random(rest.length), 1)[0] as Case);
}
