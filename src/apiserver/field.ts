/** The API server's two ways to write the path of a field, read against the object that it is about. */
import type { FieldPath, Json } from '../core/model.js';
import { isObject } from '../core/object.js';

/**
 * `spec.ports[0].name`, `metadata.annotations[a.b/c]` of validation; `.spec.ports[port=53,protocol="UDP"].name`,
 * `.metadata.finalizers["x"]`, `.data.a.b` of server-side apply, where nobody quotes the dots of a key: the longest key that
 * the object has is meant.
 */
export function readField(text: string, value: Json | undefined): FieldPath {
  const path: (string | number)[] = [];
  let rest = text.startsWith('.') || text.startsWith('[') ? text : `.${text}`;
  let node = value;
  for (;;) {
    const step = rest.startsWith('[') ? inBrackets(rest, node) : afterDot(rest, node);
    if (!step) return path;
    path.push(step.key);
    node = childOf(node, step.key);
    rest = step.rest;
  }
}

type Step = { key: string | number; rest: string };

function childOf(node: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(node)) return typeof key === 'number' ? node[key] : undefined;
  return isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}

function afterDot(text: string, node: Json | undefined): Step | undefined {
  const rest = text.slice(1);
  const known = isObject(node) ? Object.keys(node).sort((a, b) => b.length - a.length) : [];
  const key =
    known.find((name) => name !== '' && rest.startsWith(name) && /^(?:$|[.[])/.test(rest.slice(name.length))) ??
    /^[^.[]+/.exec(rest)?.[0];
  return key === undefined ? undefined : { key, rest: rest.slice(key.length) };
}

function inBrackets(text: string, node: Json | undefined): Step | undefined {
  const inner = /^\[((?:"(?:[^"\\]|\\.)*"|[^\]"])*)\]/.exec(text);
  if (!inner) return undefined;
  const [whole, words = ''] = inner;
  const key = keyOf(words, node);
  return key === undefined ? undefined : { key, rest: text.slice(whole.length) };
}

function keyOf(words: string, node: Json | undefined): string | number | undefined {
  if (/^\d+$/.test(words) && !isObject(node)) return Number(words);
  const plain = unquoted(words.replace(/^=/, ''));
  if (!Array.isArray(node)) return String(plain ?? words);
  if (!/^[\w-]+=/.test(words)) {
    const found = node.findIndex((item) => item === (plain ?? words));
    return found < 0 ? undefined : found;
  }
  const wanted = [...words.matchAll(/(?<![\w-])([\w-]+)=("(?:[^"\\]|\\.)*(?:"|$)|[^,]*)/g)];
  const fits = (item: Json) =>
    isObject(item) &&
    // A key that the manifest leaves out has its default: a port is one of TCP.
    wanted.every(([, name = '', said = '']) => !Object.hasOwn(item, name) || item[name] === unquoted(said));
  const found = node.findIndex(fits);
  return found < 0 ? undefined : found;
}

function unquoted(words: string): Json | undefined {
  try {
    return JSON.parse(words) as Json;
  } catch {
    return undefined;
  }
}
