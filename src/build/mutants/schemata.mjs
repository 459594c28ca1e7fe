/**
 * All mutants of a file in one text, of which at most one is switched on when it runs ("mutant schemata"): `a < b` becomes
 * `(__mutant(17) ? (a <= b) : (a < b))`. So everything is built once, and it is known which tests come by which mutant. Where that can
 * be told without asking twice, only those count in which it makes a difference there: `a < b` where `a` is `b`. Others cannot catch it.
 */

import { dirname } from 'node:path';
import { relative } from 'node:path/posix';
import ts from 'typescript';

/** The module with the switch, below the root. */
export const switchFile = 'src/mutant-switch.ts';

/**
 * The environment of a test is not all handed on to the processes that it starts, but its PATH is: so the switch is an entry of it
 * that leads nowhere. `mutant-17` switches on the mutant 17; by the name `mutants-seen-…` each process keeps a file of
 * the mutants that it comes by. What tests run in their own process is known by environment.mjs.
 */
export const switchSource = `import { appendFileSync } from 'node:fs';
const path = process.env.PATH ?? '';
const active = Number(/\\/mutant-(\\d+)(?=:|$)/.exec(path)?.[1] ?? -1);
const log = /([^:]*\\/mutants-seen-[^:/]*)(?=:|$)/.exec(path)?.[1];
const isLooking = log !== undefined;
const shared = globalThis as { __mutantsSeen?: Set<number> };
const own = new Set<number>();
function see(id: number): void {
  if (shared.__mutantsSeen !== undefined) shared.__mutantsSeen.add(id);
  else if (!own.has(id)) {
    own.add(id);
    appendFileSync(log + '.' + process.pid, id + '\\n');
  }
}
export function __mutant(id: number): boolean {
  if (isLooking) see(id);
  return id === active;
}
export function __isOn(id: number): boolean {
  return id === active;
}
export function __watch<T>(when: boolean | undefined, id: number, value: T): T {
  if (isLooking && (when === undefined || when === Boolean(value))) see(id);
  return value;
}
`;

/** What a watched value is looked at with. */
const wanted = { true: 'true', false: 'false', any: 'undefined' };

/**
 * @param {string} path below the root
 * @param {ts.SourceFile} file
 * @param {{ id: number, node: ts.Node, replacement: string | undefined, watch?: import('./operators.mjs').Watch }[]} mutants
 */
export function withMutants(path, file, mutants) {
  const source = file.text;
  const [at, watched] = [new Map(), new Map()];
  const put = (map, node, mutant) => map.set(node, [...(map.get(node) ?? []), mutant]);
  for (const mutant of mutants) {
    put(at, mutant.node, mutant);
    if (mutant.watch) put(watched, mutant.watch.node, mutant);
  }

  /** A comparison whose sides are looked at as they are compared. */
  const compared = ({ left, right, operatorToken }, id) =>
    `((l, r) => (__watch(true, ${id}, l === r), l ${operatorToken.getText(file)} r))(${written(left)}, ${written(right)})`;

  /** The text of a node, without what stands before it. */
  const written = (node) => {
    let text = '';
    let end = node.getStart(file);
    ts.forEachChild(node, (child) => {
      const start = child.getStart(file);
      if (start < end) return; // a modifier, or a comment of the documentation
      text += source.slice(end, start) + written(child);
      end = child.end;
    });
    text += source.slice(end, node.end);
    for (const { id, watch } of watched.get(node) ?? [])
      text = watch.when === 'equal' ? compared(node, id) : `__watch(${wanted[watch.when]}, ${id}, (${text}))`;
    for (const { id, replacement, watch } of at.get(node) ?? []) {
      const isOn = `${watch ? '__isOn' : '__mutant'}(${id})`;
      text =
        replacement === undefined
          ? `{ if (!${isOn}) { ${text} } }` // an `else` may follow
          : `(${isOn} ? (${replacement}) : (${text}))`;
    }
    return text;
  };
  const text = source.slice(0, file.getStart(file)) + written(file);
  const shebang = /^#!.*\n/.exec(text)?.[0] ?? '';
  const way = relative(dirname(path), switchFile).replace(/\.ts$/, '.js');
  const from = way.startsWith('.') ? way : `./${way}`;
  return `${shebang}import { __isOn, __mutant, __watch } from '${from}';\n${text.slice(shebang.length)}`;
}
