/**
 * All evasions by number. The first ones are ways to write one harmful change (generate.ts); the others are of the classes below, by
 * turns, so that any run of numbers has some of each. A number stays the same evasion if classes are added.
 */
import { randomOf } from '../../support/random.mjs';
import { deletionDraft } from './classes/deletions.js';
import { effectsDraw } from './classes/effects.js';
import { floods } from './classes/floods.js';
import { history } from './classes/history.js';
import { podsDraw } from './classes/pods.js';
import type { Draw } from './classes/site.js';
import { sops } from './classes/sops.js';
import { sources } from './classes/sources.js';
import { unbuilt } from './classes/unbuilt.js';
import { unknown } from './classes/unknown.js';
import { variables } from './classes/variables.js';
import { type Evasion, writtenOf } from './generate.js';

/** The number of evasions of the first kind. */
const written = 1500;

/** Numbers from here on are of one class, which is younger than the others. */
const mixed = 3000;

const classes: Record<string, Draw> = {
  effects: effectsDraw,
  deletions: deletionDraft,
  pods: podsDraw,
  history,
  variables,
  sources,
  'unbuilt directory': unbuilt,
  SOPS: sops,
  floods,
  'unknown values': unknown,
};

/** Classes in the order of the numbers; floods are few, as each takes seconds. */
const turns = [
  ...[
    'effects',
    'history',
    'pods',
    'variables',
    'effects',
    'deletions',
    'unbuilt directory',
    'pods',
    'history',
    'SOPS',
  ],
  ...[
    'effects',
    'sources',
    'history',
    'pods',
    'variables',
    'effects',
    'deletions',
    'unbuilt directory',
    'SOPS',
    'floods',
  ],
];

export function evasionOf(seed: number, n: number): Evasion {
  if (n < written) return writtenOf(seed, n);
  const name = n < mixed ? (turns[n % turns.length] as string) : 'unknown values';
  const random = randomOf(seed * 100_003 + n + 70_000_027);
  const draft = (classes[name] as Draw)(random);
  return { n, ...draft, labels: [`class: ${name}`, ...draft.labels] };
}
