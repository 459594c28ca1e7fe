/**
 * Values that look secret are not shown. This reads the text of a file line by line, as the file may be one that YAML
 * refuses; where it cannot tell it hides the value. Names of secrets and references to them stay.
 */
import type { Run } from '../model.js';

/** A part of a line, in UTF-16 units from 0; `end` is exclusive. */
export type Span = { start: number; end: number };

export const hidden = '••••••';

const secretWords =
  /(?:password|passwd|passphrase|passcode|pwd|secret|token|apikey|privatekey|accesskey|accesskeyid|secretkey|signingkey|encryptionkey|masterkey|authkey|sshkey|credential|bearer|authorization|htpasswd|kubeconfig|dockerconfigjson|connectionstring|dsn)s?(?:hash|value|data|base64|string|text)?\d*$/;
/** `existingSecret`, `imagePullSecrets`: what stands there is a name. */
const nameOfSecret = /(?:existing|pull|tls|ca|cert|certificate|external|ingress)[-_.]?secrets?$/i;

/** Says of a key (or of the name of a variable) whether its value is secret. */
export function isSecretKey(key: string): boolean {
  if (nameOfSecret.test(key)) return false;
  const words = key.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  return secretWords.test(words.replace(/[^a-z\d]/g, '')) || /(?:^|[^a-z\d])(?:pass|pw)$/.test(words);
}

/** Values that are secret whatever stands before them; a group named `keep` stays. */
const shapes = [
  /(?<keep>\bENC\[)[^\]]*(?=\]|$)/g,
  /(?<keep>-----BEGIN [A-Z0-9 ]{1,40}-----)(?=.).*?(?=-----END|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AGE-SECRET-KEY-1)[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /(?<keep>\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s:@/]{0,80}:)[^\s@/]{1,200}(?=@)/gi,
  /(?<keep>\b(?:Bearer|Basic) )[\w+/.~=-]{8,}/g,
];
const assignment =
  /(?<keep>(?<key>[\w.-]{1,60})["']?\s{0,2}(?:=\s{0,2}|:\s{0,2}(?=["'])))(?:"[^"]*"?|'[^']*'?|[^\s"',;&]+)/g;
const base64 = /(?<![\w+/=-])[A-Za-z\d+/_-]{40,}={0,2}/g;

/** Hides what looks secret in a sentence. */
export function maskText(text: string): string {
  return replaceSpans(text, shapeSpans(text));
}

function shapeSpans(text: string): Span[] {
  const spans = shapes.flatMap((shape) => [...text.matchAll(shape)].map(spanOf));
  const assigned = [...text.matchAll(assignment)].filter(({ groups }) => isSecretKey(groups?.key ?? '')).map(spanOf);
  const encoded = [...text.matchAll(base64)].filter(([word]) => looksEncoded(word)).map(spanOf);
  return [...spans, ...assigned, ...encoded].filter((span) => worthHiding(text.slice(span.start, span.end)));
}

function spanOf(match: RegExpExecArray): Span {
  return { start: match.index + (match.groups?.keep ?? '').length, end: match.index + match[0].length };
}

/** Paths and long names have no such mix of characters, digests have no capitals. */
function looksEncoded(word: string): boolean {
  const slashes = word.split('/').length - 1;
  return /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word) && slashes <= word.length / 16;
}

/** What is no value at all, or only says where the value comes from, stays: `true`, `{}`, `${password}`, `*anchor`. */
function worthHiding(value: string): boolean {
  const bare = value
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim();
  return !/^(?:|true|false|null|~|\{\}?|\[\]?|\$\{[^}]*\}|\$\([^)]*\)|\*\w+|•+)$/i.test(bare);
}

function replaceSpans(text: string, spans: Span[]): string {
  let out = '';
  let from = 0;
  for (const { start, end } of mergeSpans(spans)) {
    out += text.slice(from, start) + hidden;
    from = end;
  }
  return out + text.slice(from);
}

/** In order and without overlaps. */
export function mergeSpans(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.filter((one) => one.end > one.start).sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}

/** Hides what looks secret in all that a run says in words; frames hide for themselves. */
export function maskRun(run: Run): Run {
  const finding = (one: Run['findings'][number]) => ({
    ...one,
    message: maskText(one.message),
    ...(one.help === undefined ? {} : { help: maskText(one.help) }),
    related: one.related.map((other) => ({ ...other, message: maskText(other.message) })),
  });
  return {
    ...run,
    findings: run.findings.map(finding),
    ignored: run.ignored.map((one) => ({ finding: finding(one.finding), reason: maskText(one.reason) })),
    stages: run.stages.map((stage) => (stage.ran ? stage : { ...stage, why: maskText(stage.why) })),
    notChecked: run.notChecked.map((one) => ({ ...one, what: maskText(one.what), why: maskText(one.why) })),
  };
}

/** Files whose lines can be told apart into keys and values. Of others, which a generator may take in, nothing is shown. */
export function isShowable(file: string): boolean {
  return /\.(?:ya?ml|json)$|(?:^|\/)(?:Kustomization|\.[\w-]*ignore)$/i.test(file);
}

/** The parts to hide in every line of a file, by line from 0. */
export function secretSpans(lines: string[]): (line: number) => Span[] {
  const walked = walk(lines);
  return (line) => {
    const text = lines[line] ?? '';
    const { spans, secretDocument, flow } = walked[line] ?? { spans: [], secretDocument: false, flow: false };
    return mergeSpans([...spans, ...flowSpans(text, secretDocument, flow), ...shapeSpans(text)]);
  };
}

type Walked = { spans: Span[]; secretDocument: boolean; flow: boolean };
/** What holds for the lines that are indented deeper: hide them whole, hide their values, or a generator's literals. */
type Block = { column: number; comment: boolean; mode: 'whole' | 'values' | 'generator' | 'literals' };

function walk(lines: string[]): Walked[] {
  const walked: Walked[] = [];
  for (const [from, to] of documents(lines)) {
    const text = lines.slice(from, to).join('\n');
    const secretDocument = /(?:^|[\s{,[-])["']?kind["']?\s*:\s*["']?Secret["']?\s*(?:$|[,}#])/m.test(text);
    const flow = /^\s*(?:---\s*)?[{[]/.test(text);
    let blocks: Block[] = [];
    for (let index = from; index < to; index += 1) {
      blocks = stillOpen(blocks, lines[index] ?? '');
      const { spans, opens } = readLine({ lines, index, blocks, secretDocument });
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
  const indent = line.search(comment ? /[^\s#]/ : /\S/);
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

type Read = { spans: Span[]; opens?: Block };

/** What to hide in one line, and what it means for the lines below. */
function readLine(around: Around): Read {
  const { lines, index, blocks } = around;
  const text = lines[index] ?? '';
  const { mode, comment = false } = blocks.at(-1) ?? {};
  if (mode === 'whole' || pemBody(lines, index)) {
    return { spans: [{ start: Math.max(0, text.search(comment ? /[^\s#]/ : /\S/)), end: text.length }] };
  }
  const match = keyLine.exec(text);
  if (match) return readKey(text, match, around);
  return { spans: mode === 'values' || mode === 'literals' ? itemSpans(text, mode) : [] };
}

function readKey(text: string, match: RegExpExecArray, around: Around): Read {
  const key = match[2] ?? match[3] ?? match[4] ?? '';
  const value = { start: match[0].length, end: text.length };
  const rest = text.slice(value.start).replace(/^#.*/, '').trim();
  const mode = modeOf(key, rest, around);
  if (!mode) return { spans: [] };
  const opens: Block = { column: (match[1] ?? '').length, comment: /^\s*#/.test(text), mode };
  // The header of a block scalar says nothing; a flow collection is read by its own keys.
  const header = /^[|>][-+\d]*(?:\s|$)/.test(rest);
  const hides = mode === 'literals' ? rest !== '' : mode === 'whole' && !header && worthHiding(rest);
  return { spans: hides ? [value] : [], opens };
}

type Around = {
  lines: string[];
  index: number;
  blocks: Block[];
  secretDocument: boolean;
};

/** What a key means for its value and for the lines below it. */
function modeOf(key: string, rest: string, around: Around): Block['mode'] | undefined {
  const generator = around.blocks.some(({ mode }) => mode === 'generator');
  if (key === 'secretGenerator') return 'generator';
  if (generator && key === 'literals') return 'literals';
  const data = around.secretDocument && (key === 'data' || key === 'stringData');
  const opening = rest === '' || /^[[{]/.test(rest) || /^[&!]\S*$/.test(rest);
  if (data) return opening ? 'values' : 'whole';
  if (generator) return undefined;
  const inside = around.blocks.some(({ mode }) => mode === 'values') && !isReference(key);
  if (!inside && !isSecretKey(key) && !(key === 'value' && hasSecretSibling(around))) return undefined;
  return opening ? 'values' : 'whole';
}

/** Keys below `secret:` or `credentials:` that only say where a value is. */
function isReference(key: string): boolean {
  return /(?:names?|namespace|refs?|^key|^keys|path|file|mode|items|optional|audience|seconds|type|kind|enabled|url)$/i.test(
    key,
  );
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

function namesSecret(name: string, secretDocument: boolean): boolean {
  if (!name.startsWith('/')) return isSecretKey(name);
  return (
    /^\/stringData(?:\/|$)/.test(name) ||
    (secretDocument && /^\/data(?:\/|$)/.test(name)) ||
    isSecretKey(name.split('/').at(-1) ?? '')
  );
}

/** A scalar of a list below a secret key, or `KEY=value` of a generator. */
function itemSpans(text: string, mode: 'values' | 'literals'): Span[] {
  // A comment that is no item of a list is prose.
  if (/^\s*#\s*(?!-\s|\s)/.test(text)) return [];
  const start = (/^[\s#]*(?:-\s+)*/.exec(text)?.[0] ?? '').length;
  const equals = mode === 'literals' ? text.indexOf('=', start) + 1 : 0;
  const span = { start: equals || start, end: text.length };
  return /^[\s{}[\],#]*$/.test(text.slice(span.start)) ? [] : [span];
}

/** Between the lines that begin and end a PEM block; at most 200 lines of it. */
function pemBody(lines: string[], index: number): boolean {
  if (/-----(?:BEGIN|END) /.test(lines[index] ?? '')) return false;
  for (let above = index - 1; above >= 0 && above > index - 200; above -= 1) {
    const line = lines[above] ?? '';
    if (line.includes('-----END ') || line.trim() === '') return false;
    if (/-----BEGIN [A-Z0-9 ]+-----\s*$/.test(line)) return true;
    if (!/^[\s#]*["']?[\w+/=:, -]+["']?$/.test(line)) return false;
  }
  return false;
}

const flowPair =
  /([{,]\s*)(?:"([^"]*)"|'([^']*)'|([\w./-]+))\s*:\s*("(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|[^,{}[\]\s"'][^,{}[\]]*)/g;
const plainKeys = /^(?:apiVersion|kind|name|namespace|type|op|path|immutable)$/;

/** Keys and values between braces. In a Secret all values are hidden but those that say what it is. */
function flowSpans(text: string, secretDocument: boolean, flow: boolean): Span[] {
  const pairs = [...text.matchAll(flowPair)].map((match) => {
    const value = match[5] ?? '';
    const end = match.index + match[0].length;
    return {
      key: match[2] ?? match[3] ?? match[4] ?? '',
      value,
      span: { start: end - value.length, end },
    };
  });
  const target =
    pairs
      .find(({ key }) => key === 'name' || key === 'path')
      ?.value.replace(/["']/g, '')
      .trim() ?? '';
  const secretData = secretDocument && (flow || /(?:data|stringData)["']?\s*:\s*\{/.test(text));
  return pairs
    .filter(({ key, value }) => {
      if (!worthHiding(value) || plainKeys.test(key)) return false;
      return secretData || isSecretKey(key) || (key === 'value' && namesSecret(target, secretDocument));
    })
    .map(({ span }) => span);
}
