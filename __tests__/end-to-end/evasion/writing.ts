/** Ways to write one and the same value as YAML: each node of a document is written in a style that chance picks. */
import { stringify } from 'yaml';
import type { Json } from '../../../src/core/model.js';
import type { randomOf } from '../../support/random.mjs';

export type Random = ReturnType<typeof randomOf>;
export type Written = { content: string | Uint8Array; label: string };

type Scalar = (text: string, random: Random, indent: string) => string;

const jsonEscape = (text: string) =>
  `"${[...text].map((char) => (/[\\"\n\t]/.test(char) || char > '~' ? JSON.stringify(char).slice(1, -1) : char)).join('')}"`;
const escapedSome = (text: string, random: Random, spell: (code: number) => string) => {
  const chosen = random.below(Math.max(text.length, 1));
  const plain = (char: string) => JSON.stringify(char).slice(1, -1);
  return `"${[...text].map((char, at) => (at === chosen || random.chance(0.2) ? spell(char.codePointAt(0) ?? 0) : plain(char))).join('')}"`;
};
const hex = (code: number, width: number) => code.toString(16).padStart(width, '0');
const isPlain = (text: string) =>
  /^[A-Za-z][A-Za-z0-9./-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
const isOneLine = (text: string) => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);

/** How a string is spelled where a value stands on a line of its own key. */
const scalars: Record<string, Scalar> = {
  plain: (text) => (isPlain(text) ? text : jsonEscape(text)),
  double: (text) => jsonEscape(text),
  single: (text) => (isOneLine(text) ? `'${text.replaceAll("'", "''")}'` : jsonEscape(text)),
  'json escapes': (text, random) =>
    escapedSome(text, random, (code) => (code < 0x10000 ? `\\u${hex(code, 4)}` : String.fromCodePoint(code))),
  'hex escapes': (text, random) =>
    escapedSome(text, random, (code) => (code < 0x100 ? `\\x${hex(code, 2)}` : `\\U${hex(code, 8)}`)),
  'long escapes': (text, random) => escapedSome(text, random, (code) => `\\U${hex(code, 8)}`),
  tagged: (text) => `!!str ${jsonEscape(text)}`,
  'verbatim tag': (text) => `!<tag:yaml.org,2002:str> ${jsonEscape(text)}`,
  'own tag': (text) => `! ${jsonEscape(text)}`,
  'broken line': (text, _, indent) => {
    const middle = Math.ceil(text.length / 2);
    if (text.length < 2 || !isOneLine(text) || text[middle] === ' ') return jsonEscape(text);
    const inner = (part: string) => jsonEscape(part).slice(1, -1);
    return `"${inner(text.slice(0, middle))}\\\n${indent}  ${inner(text.slice(middle))}"`;
  },
  folded: (text, _, indent) => (isOneLine(text) ? `>-\n${indent}  ${text}` : jsonEscape(text)),
  literal: (text, _, indent) => (isOneLine(text) ? `|-\n${indent}  ${text}` : jsonEscape(text)),
  'next line': (text, _, indent) => `\n${indent}  ${jsonEscape(text)}`,
  anchored: (text, random) => `&a${random.below(1e6)} ${jsonEscape(text)}`,
};
const flowScalars = ['plain', 'double', 'single', 'json escapes', 'hex escapes', 'tagged', 'verbatim tag'];
/** A document written so is as its author would; the others keep to one or two odd styles, so that a failure says which. */
type Style = { scalars: string[]; keys: string[]; maps: string[]; odd: number };

function styleOf(random: Random): Style {
  const odd = random.pick([0, 0.15, 0.5, 1]);
  return {
    odd,
    scalars: random.some(Object.keys(scalars), 1 + random.below(2)),
    keys: random.some(['plain', 'double', 'json escapes', 'hex escapes', 'explicit', 'tagged', 'single'], 1),
    maps: random.some(['block', 'flow', 'json', 'tagged', 'merge', 'flow lines'], 1),
  };
}

class Emitter {
  readonly used = new Set<string>();
  #anchors = 0;
  constructor(
    readonly random: Random,
    readonly style: Style,
  ) {}

  #isOdd() {
    return this.random.chance(this.style.odd);
  }

  #note(label: string) {
    if (!['plain', 'block', 'double'].includes(label)) this.used.add(label);
    return label;
  }

  scalar(value: Json, indent: string, allowed?: string[]): string {
    if (typeof value !== 'string') return JSON.stringify(value);
    if (value.includes('\n')) return JSON.stringify(value);
    const styles = this.style.scalars.filter((one) => !allowed || allowed.includes(one));
    const style = this.#isOdd() && styles.length > 0 ? this.random.pick(styles) : 'plain';
    return (scalars[this.#note(style)] as Scalar)(value, this.random, indent);
  }

  key(text: string): { text: string; explicit: boolean } {
    const style = this.#isOdd() ? this.random.pick(this.style.keys) : 'plain';
    if (style === 'explicit') {
      this.#note('explicit key');
      return { text: jsonEscape(text), explicit: true };
    }
    if (style !== 'plain' && style !== 'double') this.#note(`key: ${style}`);
    return { text: (scalars[style] as Scalar)(text, this.random, ''), explicit: false };
  }

  flow(value: Json): string {
    if (Array.isArray(value)) return `[${value.map((one) => this.flow(one)).join(', ')}]`;
    if (value === null || typeof value !== 'object') return this.scalar(value, '', flowScalars);
    const pairs = Object.entries(value).map(([key, one]) => {
      const written = this.key(key);
      return `${written.explicit ? '? ' : ''}${written.text} : ${this.flow(one as Json)}`;
    });
    return `{${pairs.join(', ')}${this.random.chance(0.2) && pairs.length > 0 ? ',' : ''}}`;
  }

  /** What stands after `key:`, with the space or line break before it. */
  block(value: Json, indent: string): string {
    if (value === null || typeof value !== 'object') {
      const text = this.scalar(value, indent);
      return text.startsWith('\n') ? text : ` ${text}`;
    }
    if (Object.keys(value).length === 0) return Array.isArray(value) ? ' []' : ' {}';
    const style = this.#isOdd() ? this.random.pick(this.style.maps) : 'block';
    if (style === 'flow') return ` ${this.#note('flow') && this.flow(value)}`;
    if (style === 'json') return ` ${this.#note('json') && JSON.stringify(value)}`;
    if (style === 'flow lines') {
      this.#note('flow lines');
      return ` ${JSON.stringify(value, null, 1).replaceAll('\n', `\n${indent}   `)}`;
    }
    if (Array.isArray(value)) return value.map((one) => `\n${indent}-${this.item(one, `${indent}  `)}`).join('');
    if (style === 'merge' && Object.keys(value).length > 0 && indent !== '') {
      this.#note('merge key');
      const anchor = `m${this.#anchors++}`;
      return ` {<<: &${anchor} ${this.flow(value)}}`;
    }
    const tag = style === 'tagged' ? ` !!map` : '';
    if (tag) this.#note('map tag');
    return tag + this.lines(value, indent === '' ? '' : indent);
  }

  lines(value: { [key: string]: Json }, indent: string): string {
    return Object.entries(value)
      .map(([key, one]) => {
        const written = this.key(key);
        if (!written.explicit) return `\n${indent}${written.text}:${this.block(one, `${indent}  `)}`;
        return `\n${indent}? ${written.text}\n${indent}:${this.block(one, `${indent}  `)}`;
      })
      .join('');
  }

  item(value: Json, indent: string): string {
    if (value !== null && typeof value === 'object' && Object.keys(value).length > 0) return ` ${this.flow(value)}`;
    const text = this.scalar(value, indent, flowScalars);
    return ` ${text}`;
  }
}

/** What is done to the finished text. */
const frames: Record<string, (text: string, random: Random) => string> = {
  none: (text) => text,
  comments: (text) => `# a comment\n\n${text}# the end\n`,
  'document start': (text) => `---\n${text}`,
  'start with a comment': (text) => `--- # comment\n${text}...\n`,
  'YAML directive': (text) => `%YAML 1.1\n---\n${text}`,
  'empty documents around': (text) => `---\n---\n# nothing\n---\n${text}---\n`,
  'document after another': (text) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: before, namespace: cozy-customizer}\ndata: {a: b}\n---\n${text}`,
  'document end marks': (text) => `${text}...\n# x\n`,
  'blank lines': (text) => `\n\n\n${text}\n\n`,
  'spaces at the ends': (text) => text.replace(/\n/g, (end, at: number) => (at % 3 === 0 ? `  ${end}` : end)),
};
const encodings: Record<string, (text: string) => string | Uint8Array> = {
  'utf-8': (text) => text,
  bom: (text) => `\uFEFF${text}`,
  crlf: (text) => text.replaceAll('\n', '\r\n'),
  cr: (text) => text.replaceAll('\n', '\r'),
  'utf-16le': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'utf-16be': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  'utf-16 without a mark': (text) => Buffer.from(text, 'utf16le'),
  'line separators': (text) => text.replace('\n', '\u2028').replace('\n', '\u0085'),
  'nel at the end': (text) => `${text}\u0085`,
};

/** The text of one document, for a place that takes a string: an inline patch, a data value. */
export function writeText(value: Json, random: Random): { text: string; label: string } {
  if (random.chance(0.15)) return { text: `${JSON.stringify(value)}\n`, label: 'json' };
  if (random.chance(0.1)) return { text: stringify(value), label: 'block' };
  if (Array.isArray(value) || value === null || typeof value !== 'object')
    return { text: `${JSON.stringify(value)}\n`, label: 'json' };
  const emitter = new Emitter(random, styleOf(random));
  const text = `${emitter.lines(value, '').slice(1)}\n`;
  return { text, label: [...emitter.used].sort().join(' + ') || 'block' };
}

/** A whole file. */
export function writeFile(value: Json, random: Random, isOdd = true): Written {
  if (!isOdd) return { content: stringify(value), label: 'block' };
  const written = writeText(value, random);
  const frame = random.chance(0.3) ? random.pick(Object.keys(frames)) : 'none';
  const encoding = random.chance(0.3) ? random.pick(Object.keys(encodings)) : 'utf-8';
  const text = frames[frame]?.(written.text, random) ?? '';
  const content = encodings[encoding]?.(text) ?? '';
  const label = [written.label, frame === 'none' ? '' : frame, encoding === 'utf-8' ? '' : encoding];
  return { content, label: label.filter(Boolean).join(' + ') };
}
