/**
 * What Helm says where values do not fit the `values.schema.json` of charts: the name of each chart, and below it a line for each fault, with
 * those that it consists of indented (santhosh-tekuri/jsonschema 6.0.2, `output.go`; Helm 4.1.1, `pkg/chart/common/util/jsonschema.go`).
 */
import type { ValueRefusal } from './helm-values.js';

/** `chart`: its name, as Helm says it. The steps of paths are texts, of lists as well. */
export type ReportedRefusal = { chart: string; refusal: ValueRefusal };

type Node = { depth: number; path: string[]; words: string; inner: Node[] };

/** In the order of the message; none where it is about anything else, such as a schema that is broken. */
export function reportedRefusals(message: string): ReportedRefusal[] {
  const [head = '', ...lines] = message.split('\n');
  if (!head.startsWith("values don't meet the specifications of the schema(s)")) return [];
  // The end of what was cut is no whole line.
  if (message.endsWith('…')) lines.pop();
  const found: { chart: string; root: Node }[] = [];
  for (const line of lines) {
    const node = nodeIn(line);
    const last = found.at(-1);
    if (!node && line.endsWith(':')) found.push({ chart: line.slice(0, -1), root: nodeOf(-1, [], '') });
    else if (node && last) parentOf(last.root, node.depth).inner.push(node);
  }
  return found.flatMap(({ chart, root }) => root.inner.flatMap(refusalsIn).map((refusal) => ({ chart, refusal })));
}

function nodeOf(depth: number, path: string[], words: string): Node {
  return { depth, path, words, inner: [] };
}

const faultLine = /^(?<indent> *)- at '(?<pointer>(?:[^'\\]|\\.)*)': (?<words>.+)$/;

function nodeIn(line: string): Node | undefined {
  const { indent = '', pointer = '', words } = faultLine.exec(line)?.groups ?? {};
  return words === undefined ? undefined : nodeOf(indent.length / 2, stepsOf(unquoted(pointer)), words);
}

/** A JSON Pointer. */
function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** As Go quotes it, with the quotes of the other kind. */
function unquoted(text: string): string {
  try {
    return String(JSON.parse(`"${text.replaceAll("\\'", "'").replaceAll('"', '\\"')}"`));
  } catch {
    return text;
  }
}

function parentOf(root: Node, depth: number): Node {
  let node = root;
  for (let last = node.inner.at(-1); last && last.depth < depth; last = node.inner.at(-1)) node = last;
  return node;
}

function refusalsIn(node: Node): ValueRefusal[] {
  const { path, words, inner } = node;
  if (/^'(?:anyOf|oneOf)' failed/.test(words)) return [chosenOf(node)].flat();
  if (inner.length > 0 && !words.startsWith('invalid propertyName')) return inner.flatMap(refusalsIn);
  const unknown = /^additional properties (?<keys>'.*') not allowed$/.exec(words)?.groups?.keys;
  if (unknown === undefined) return [refusalOf(path, words)];
  const keys = [...unknown.matchAll(/'((?:[^'\\]|\\.?)*)(?:'|$)/gs)].map(([, key = '']) => unquoted(key));
  return keys.map((key) => ({ path: [...path, key], words, unknownKey: true as const }));
}

function refusalOf(path: string[], words: string): ValueRefusal {
  const want = /^got \S+, want (.+)$/.exec(words)?.[1];
  return { path, words, ...(want !== undefined && { wants: want.split(' or ') }) };
}

/** Where one branch alone is of the right kind, what it refuses is what is wrong. */
function chosenOf({ path, words, inner }: Node): ValueRefusal | ValueRefusal[] {
  const isKind = (one: Node) => one.path.length === path.length && one.words.startsWith('got ');
  const others = inner.filter((one) => !isKind(one));
  const [first] = inner;
  if (others.length === 1 && others[0]) return refusalsIn(others[0]);
  if (others.length > 0 || !first) return { path, words };
  const wants = [...new Set(inner.flatMap((one) => refusalOf(one.path, one.words).wants ?? []))];
  const [got] = first.words.split(', want ');
  return { path, words: `${got}, want ${wants.join(' or ')}`, wants };
}
