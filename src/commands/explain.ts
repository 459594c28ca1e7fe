/** `customizer-lint explain KIND/NAME [FIELD]…`: the lines that made a field what it is, for a person. */
import { Locator } from '../locate/locate.js';
import { type FieldPath, type RenderedObject, UsageError } from '../model.js';
import { lookUp, readPath, spell } from '../object.js';
import { toRendered } from '../render/render.js';
import { printable } from '../report/escape.js';
import { hidden, isSecretKey, replaceSpans } from '../report/mask.js';
import { secretSpans } from '../report/secrets.js';
import type { Arguments } from './arguments.js';
import { type Leaf, leavesOf } from './provenance.js';
import { withSession } from './session.js';

export function explain({ directory, operands, values }: Arguments, home: string): Promise<number> {
  const [subject = '', ...fields] = operands;
  const wanted = fields.map(readPath);
  return withSession(directory, home, values, async (session) => {
    const locator = new Locator({ head: session.tree });
    const texts: string[] = [];
    for await (const { entrypoint, response } of session.builds('objects')) {
      if (!response.ok) continue;
      for (const object of toRendered(entrypoint, response)) {
        if (matches(object, subject)) texts.push(describe(object, wanted, locator));
      }
    }
    if (texts.length === 0) throw new UsageError(`no entrypoint renders "${subject}"`);
    process.stdout.write(texts.join('\n'));
    return 0;
  });
}

/** `Package/cozystack.metallb`, in any case of the kind; `Kind/namespace/name` where a name is not enough. */
function matches({ ref }: RenderedObject, subject: string): boolean {
  const [kind = '', ...rest] = subject.split('/');
  if (kind.toLowerCase() !== ref.kind.toLowerCase()) return false;
  const name = rest.join('/');
  return name === ref.name || name === `${ref.namespace ?? ''}/${ref.name}`;
}

/** Each place once, with the first word for it: a transformer that keeps part of a value names its place again. */
function placesOf({ writers }: Leaf): string[] {
  const places = new Map<string, string>();
  for (const { by, from } of writers) {
    for (const { file, line, column } of from) {
      const place = `${file}:${line}:${column}`;
      if (!places.has(place)) places.set(place, `${by.padEnd(12)} ${place}`);
    }
  }
  return [...places.values()];
}

/** The value, as a report would show it: `render` is what prints secrets. */
function shown({ ref, value: object }: RenderedObject, { path, value = null }: Leaf): string {
  const name = path.at(-1) === 'value' ? lookUp(object, [...path.slice(0, -1), 'name']) : undefined;
  const keys = [...path, name].filter((step) => typeof step === 'string');
  const isData = ref.kind === 'Secret' && (path[0] === 'data' || path[0] === 'stringData');
  if (isData || keys.some(isSecretKey)) return hidden;
  if (typeof value !== 'string') return JSON.stringify(value);
  const lines = value.split('\n');
  const spans = secretSpans(lines);
  return JSON.stringify(lines.map((line, index) => replaceSpans(line, spans(index))).join('\n'));
}

function describe(object: RenderedObject, wanted: FieldPath[], locator: Locator): string {
  const { kind, namespace, name } = object.ref;
  const lines = [`${kind} ${namespace ? `${namespace}/` : ''}${name} in ${object.entrypoint}`];
  for (const path of wanted) {
    if (lookUp(object.value, path) === undefined) lines.push(`  ${spell(path)} is not set`);
  }
  for (const leaf of leavesOf([object], locator)) {
    if (wanted.length > 0 && !wanted.some((path) => path.every((step, index) => leaf.path[index] === step))) continue;
    lines.push(`  ${spell(leaf.path)}${leaf.removed ? ' (removed)' : ` = ${shown(object, leaf)}`}`);
    const chain = placesOf(leaf);
    const alias = leaf.removed ? undefined : locator.alias(object, leaf.path);
    if (alias) lines.push(`    by alias  ${alias.file}:${alias.range.start.line}:${alias.range.start.column}`);
    if (chain.length === 0) lines.push(`    somewhere in ${leaf.file}`);
    for (const [index, place] of chain.entries()) lines.push(`    ${index === 0 ? 'set by' : 'before'}  ${place}`);
  }
  return `${lines.map(printable).join('\n')}\n`;
}
