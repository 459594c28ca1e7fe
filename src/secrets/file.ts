/**
 * Where secrets stand in a file. The parsed document decides; besides, the file is read line by line, as it may be one that
 * YAML refuses, and where this reading cannot tell, it takes a value for a secret. What either finds is hidden.
 */
import { defined } from '../core/defined.js';
import type { KnownSecrets } from '../core/model.js';
import { suspicious } from './harmless.js';
import {
  directiveSpans,
  isSecretKey,
  looseSpans,
  type MaskedSpan,
  mayHaveSecretKey,
  mergeSpans,
  shapeSpans,
  spanOf,
  worthHiding,
} from './mask.js';
import { isReference, isSecretGenerator, isValueKey, namesSecret, secretGeneratorIn, secretStart } from './names.js';
import type { SecretScalar } from './types.js';
import { secretsIn } from './walk.js';

/** Files whose lines can be told apart into keys and values. Of others, which a generator may take in, nothing is shown. */
export function isShowable(file: string): boolean {
  return /\.(?:ya?ml|json)$|(?:^|\/)(?:Kustomization|\.[\w-]*ignore)$/i.test(file);
}

/** Of a text that is longer nothing is shown, as it would take long to tell what may be. */
const maxParsed = 1 << 20;

/** The parts to hide in every line of a file, by line from 0; lines end as `linesOf` has it. */
export function secretSpans(text: string, known: KnownSecrets = {}): (line: number) => MaskedSpan[] {
  const lines = linesOf(text);
  // In another encoding each character may stand between others.
  if (known.whole || text.length > maxParsed || isWide(text)) return (line) => contentOf(lines[line] ?? '');
  const walked = mayHold(text) ? walk(lines) : [];
  const parsed = byLine(text, lines, secretsIn(text, known));
  return (line) => {
    const text = lines[line] ?? '';
    const { spans, secretDocument, flow } = walked[line] ?? { spans: [], secretDocument: false, flow: false };
    return mergeSpans([
      ...spans,
      ...(parsed.get(line) ?? []),
      ...(known.spans?.(text) ?? []),
      ...flowSpans(text, secretDocument, flow),
      ...shapeSpans(text),
      ...looseSpans(text),
      ...(lines.length > 1 ? directiveSpans(text) : []),
    ]);
  };
}

/** UTF-16, read as if it were UTF-8. */
function isWide(text: string): boolean {
  const start = text.slice(0, 200);
  return start.startsWith('\ufffd\ufffd') || start.split('\0').length - 1 > start.length / 4;
}

export function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

function contentOf(line: string): MaskedSpan[] {
  const start = line.search(/\S/);
  return start < 0 ? [] : [{ start, end: line.trimEnd().length }];
}

/** Ranges of the text as parts of its lines: of a line that begins within one, all but the indentation. */
function byLine(text: string, lines: readonly string[], scalars: readonly SecretScalar[]): Map<number, MaskedSpan[]> {
  const spans = new Map<number, MaskedSpan[]>();
  const ranges = mergeSpans(scalars.map(({ start, end }) => ({ start, end })));
  let offset = 0;
  let first = 0;
  for (const [index, line] of lines.entries()) {
    while ((ranges[first]?.end ?? Number.POSITIVE_INFINITY) <= offset) first += 1;
    const own: MaskedSpan[] = [];
    for (let at = first; (ranges[at]?.start ?? Number.POSITIVE_INFINITY) < offset + line.length; at += 1) {
      const range = ranges[at] as MaskedSpan;
      const start = Math.max(range.start - offset, line.search(/\S|$/));
      const end = Math.min(range.end - offset, line.trimEnd().length);
      // The header of a block scalar says nothing.
      const isHeader = range.end > offset + line.length && /^[|>][-+\d]*\s*(?:#.*)?$/.test(line.slice(start));
      if (end > start && !isHeader) own.push({ start, end });
    }
    if (own.length > 0) spans.set(index, own);
    offset += line.length;
    offset += text.startsWith('\r\n', offset) ? 2 : 1;
  }
  return spans;
}

/** Whether `walk` may find anything, which reads line by line what few files have. */
function mayHold(text: string): boolean {
  return text.includes('-----BEGIN ') || suspicious.test(text) || mayHaveSecretKey(text);
}

type Walked = { spans: MaskedSpan[]; secretDocument: boolean; flow: boolean };
/** What holds for the lines that are indented deeper: hide them whole, hide their values, or a generator's literals. */
type Block = { column: number; comment: boolean; mode: 'whole' | 'data' | 'values' | 'generator' | 'literals' };

function walk(lines: string[]): Walked[] {
  const walked: Walked[] = [];
  const inPem = pemBodies(lines);
  for (const [from, to] of documents(lines)) {
    const text = lines.slice(from, to).join('\n');
    const secretDocument = /(?:^|[\s{,[-])["']?kind["']?\s*:\s*["']?Secret["']?\s*(?:$|[,}#])/m.test(text);
    const secretRoot = /^(?:---\s+)?["']?kind["']?\s*:\s*["']?Secret["']?\s*(?:$|#)/m.test(text);
    const flow = /^\s*(?:---\s*)?[{[]/.test(text);
    let blocks: Block[] = [];
    for (let index = from; index < to; index += 1) {
      blocks = stillOpen(blocks, lines[index] ?? '');
      const { spans, opens } = readLine({ lines, index, inPem, blocks, secretDocument, secretRoot });
      if (opens) blocks.push(opens);
      walked[index] = { spans, secretDocument, flow };
    }
  }
  return walked;
}

function documents(lines: string[]): [number, number][] {
  const starts = [0, ...lines.flatMap((line, index) => (index > 0 && /^---(?:\s|$)/.test(line) ? [index] : []))];
  return starts.map((start, index) => [start, starts[index + 1] ?? lines.length]);
}

/** A comment ends no block, and what a commented key opens ends with the comment. */
function stillOpen(blocks: Block[], line: string): Block[] {
  const comment = /^\s*#/.test(line);
  const indent = line.search(/[^\s#]/);
  if (indent < 0) return blocks;
  // A list may stand as deep as its key.
  const item = /^[\s#]*-(?:\s|$)/.test(line);
  const open = ({ column, mode }: Block, depth: number) =>
    depth > column || (item && depth === column && mode !== 'whole');
  return blocks.filter((block) => {
    if (!comment) return !block.comment && open(block, indent);
    if (block.comment) return open(block, indent);
    return block.mode !== 'whole' || open(block, line.search(/\S/));
  });
}

/** The way to the key (its length is the key's column), an anchor or a tag, and the key. */
const keyLine =
  /^(\s*(?:#\s*)?(?:-\s+)*)(?:[&!]\S*\s+)*(?:"([^"]+)"|'([^']+)'|([^\s"'#{}[\],&*!|>%@`-][^:#\s]*(?: [^:#\s]+){0,5}))\s*:(?:\s+|$)/;

type Read = { spans: MaskedSpan[]; opens?: Block };

/** What to hide in one line, and what it means for the lines below. */
function readLine(around: Around): Read {
  const { lines, index, inPem, blocks } = around;
  const text = lines[index] ?? '';
  const { mode, comment = false } = blocks.at(-1) ?? {};
  if (mode === 'whole' || inPem[index]) {
    return { spans: [{ start: Math.max(0, text.search(comment ? /[^\s#]/ : /\S/)), end: text.length }] };
  }
  const match = keyLine.exec(text);
  const literals = mode === 'generator' || secretGeneratorIn(text) >= 0 ? [...text.matchAll(flowLiterals)] : [];
  const also = literals.map(spanOf);
  if (match) {
    const { spans, opens } = readKey(text, match, around);
    return { spans: [...spans, ...also], ...defined({ opens }) };
  }
  if (mode === 'generator') return { spans: also };
  if (mode) return { spans: itemSpans(text, mode) };
  const argument = /^\s*-\s+["']?--?([\w-]+)["']?\s*$/.exec(lines[index - 1] ?? '')?.[1];
  return { spans: argument !== undefined && isSecretKey(argument) ? itemSpans(text, 'values') : also };
}

const flowLiterals = /(?<keep>\bliterals["']?\s*:\s*\[)[^\]]*/g;

function readKey(text: string, match: RegExpExecArray, around: Around): Read {
  const key = match[2] ?? match[3] ?? match[4] ?? '';
  const value = { start: match[0].length, end: text.length };
  const rest = text.slice(value.start).replace(/^#.*/, '').trim();
  const column = (match[1] ?? '').length;
  const mode = modeOf(key, rest, column, around);
  if (!mode) return { spans: [] };
  const opens: Block = { column, comment: /^\s*#/.test(text), mode };
  // The header of a block scalar says nothing; a flow collection is read by its own keys.
  const header = /^[|>][-+\d]*(?:\s|$)/.test(rest);
  const hides = mode === 'literals' ? rest !== '' : mode === 'whole' && !header && worthHiding(rest);
  return { spans: hides ? [value] : flowItems(text, value, mode), opens };
}

/** What is between brackets behind a secret key, but for keys that only say where a value is. */
function flowItems(text: string, { start }: MaskedSpan, mode: Block['mode']): MaskedSpan[] {
  if (!/^[[{]/.test(text.slice(start)) || (mode !== 'data' && mode !== 'values')) return [];
  const pairs = [...text.slice(start).matchAll(flowPair)];
  if (pairs.length === 0) return itemSpans(text.slice(start), mode).map(() => ({ start, end: text.length }));
  return pairs.flatMap((match) => {
    const value = match[5] ?? '';
    const end = start + match.index + match[0].length;
    const key = match[2] ?? match[3] ?? match[4] ?? '';
    return worthHiding(value) && (mode === 'data' || !isReference(key)) ? [{ start: end - value.length, end }] : [];
  });
}

type Around = {
  lines: string[];
  index: number;
  /** Which lines are the body of a PEM block. */
  inPem: readonly boolean[];
  blocks: Block[];
  secretDocument: boolean;
  /** The document itself is a Secret, and does not only hold one. */
  secretRoot: boolean;
};

/** What a key means for its value and for the lines below it. */
function modeOf(key: string, rest: string, column: number, around: Around): Block['mode'] | undefined {
  const generator = around.blocks.some(({ mode }) => mode === 'generator');
  if (isSecretGenerator(key)) return 'generator';
  if (generator && key === 'literals') return 'literals';
  const opening = rest === '' || /^[[{]/.test(rest) || /^[&!]\S*$/.test(rest);
  if (key === 'stringData' || (around.secretDocument && key === 'data')) return opening ? 'data' : 'whole';
  if (generator) return undefined;
  // Under a name of its own nothing is read, but what stands there was meant to be data.
  const misspelt = around.secretRoot && column === 0 && !/^(?:apiVersion|kind|metadata|type|immutable|sops)$/.test(key);
  if (misspelt) return opening ? 'data' : 'whole';
  const inside = around.blocks.at(-1)?.mode;
  const hides =
    inside === 'data' ||
    (inside === 'values' && !isReference(key)) ||
    isSecretKey(key) ||
    (isValueKey(key) && rest !== '' && hasSecretSibling(around));
  if (!hides) return undefined;
  return opening ? (inside === 'data' ? 'data' : 'values') : 'whole';
}

/** `name: DB_PASSWORD` beside `value: …`, or `path: /stringData/x` beside the `value` of a JSON patch. */
function hasSecretSibling({ lines, index, secretDocument }: Around): boolean {
  const above = lines.slice(Math.max(0, index - 4), index).reverse();
  const below = lines.slice(index + 1, index + 5);
  const starts = (line: string) => /^\s*-\s/.test(line);
  const first = starts(lines[index] ?? '') ? 0 : above.findIndex(starts) + 1 || above.length;
  const end = below.findIndex(starts);
  const siblings = [...above.slice(0, first), ...below.slice(0, end < 0 ? below.length : end)];
  return siblings.some((line) => {
    const name = /^[\s-]*["']?(?:name|path|key)["']?\s*:\s*["']?([^"'\s,]+)/.exec(line)?.[1];
    return name !== undefined && namesSecret(name, secretDocument);
  });
}

/** A scalar of a list below a secret key, or `KEY=value` of a generator. */
function itemSpans(text: string, mode: Block['mode']): MaskedSpan[] {
  // A comment that is no item of a list is prose.
  if (/^\s*#\s*(?!-\s|\s)/.test(text)) return [];
  const start = (/^[\s#]*(?:-\s+)*/.exec(text)?.[0] ?? '').length;
  const equals = mode === 'literals' ? secretStart(text.slice(start)) : 0;
  const span = { start: start + equals, end: text.length };
  return /^[\s{}[\],#]*$/.test(text.slice(span.start)) ? [] : [span];
}

/** The lines between those that begin and end a PEM block; at most 199 lines of one. */
function pemBodies(lines: readonly string[]): boolean[] {
  let left = 0;
  return lines.map((line) => {
    const isBody = left > 0 && !/-----(?:BEGIN|END) /.test(line);
    if (line.includes('-----END ')) left = 0;
    else if (/-----BEGIN [A-Z0-9 ]+-----\s*$/.test(line)) left = 199;
    else if (left > 0) left = /^[\s#]*["']?[\w+/=:, -]+["']?$/.test(line) && line.trim() !== '' ? left - 1 : 0;
    return isBody;
  });
}

const flowPair =
  /((?:^\s*(?=["'])|[{,]\s*))(?:"([^"]*)"|'([^']*)'|([\w./-]+))\s*:\s*("(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|[^,{}[\]\s"'][^,{}[\]]*)/g;
const flowList = /(?<keep>(?<key>[\w./-]{1,60})["']?\s{0,2}:\s{0,2}\[)[^\]]*/g;
const flowData = /\b(?:data|stringData)["']?\s*:\s*\{[^}]*/g;
const plainKeys = /^(?:apiVersion|kind|name|namespace|type|op|path|immutable)$/;

/** Keys and values between braces. In a Secret all values are hidden but those that say what it is. */
function flowSpans(text: string, secretDocument: boolean, flow: boolean): MaskedSpan[] {
  const pairs = [...text.matchAll(flowPair)].map((match) => {
    const value = match[5] ?? '';
    const end = match.index + match[0].length;
    return { key: match[2] ?? match[3] ?? match[4] ?? '', value, span: { start: end - value.length, end } };
  });
  const lists = [...text.matchAll(flowList)].filter(({ groups }) => isSecretKey(groups?.key ?? '')).map(spanOf);
  const data = secretDocument ? [...text.matchAll(flowData)].map(spanOf) : [];
  const target =
    pairs
      .find(({ key }) => key === 'name' || key === 'path')
      ?.value.replace(/["']/g, '')
      .trim() ?? '';
  const single = pairs
    .filter(({ key, value, span }) => {
      if (!worthHiding(value)) return false;
      if (data.some(({ start, end }) => span.start >= start && span.end <= end)) return true;
      if (plainKeys.test(key)) return false;
      return (secretDocument && flow) || isSecretKey(key) || (isValueKey(key) && namesSecret(target, secretDocument));
    })
    .map(({ span }) => span);
  return [...single, ...lists.filter(({ start, end }) => /\w/.test(text.slice(start, end)))];
}
