/**
 * The secret scalars of a YAML text, by the parsed document: what a Secret holds however its kind is spelt, what a generator
 * makes one of, and what stands at keys whose names say so. Offsets are in UTF-16 units of the text.
 */
import {
  type Alias,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import type { KnownSecrets as Known } from '../core/model.js';
import { innerText } from '../yaml/scalar.js';
import { SourceText } from '../yaml/source-text.js';
import { depthExceeds, maxDepth, type ScalarStyle } from '../yaml/syntax.js';
import { brokenValues } from './broken.js';
import { isHarmless } from './harmless.js';
import { isSecretKey, worthHiding } from './mask.js';
import {
  isLiteralOfFiles,
  isLogin,
  isNameKey,
  isReference,
  isSecretGenerator,
  isValueKey,
  keysOfGenerator,
  keysOfSecret,
  mayBeSecret,
  mayTargetSecret,
  namesSecret,
  secretStart,
} from './names.js';
import type { SecretScalar } from './types.js';

/** A text in a scalar of a text: an inline patch in a Flux Kustomization in a ConfigMap is three. */
const maxLevels = 4;

export function secretsIn(text: string, known: Known = {}): SecretScalar[] {
  return isHarmless(text, known) ? [] : parsedSecrets(text, known);
}

/** The same without a look at the words first. */
export function parsedSecrets(text: string, known: Known = {}): SecretScalar[] {
  const found = secretsOf(text, known, false, 0);
  // go-yaml takes more for the end of a line than `yaml` does.
  const lines = text.replace(/\r(?!\n)|[\x85\u2028\u2029]/g, '\n');
  return lines === text ? found : [...found, ...secretsOf(lines, known, false, 0)];
}

function secretsOf(text: string, known: Known, isPatch: boolean, level: number): SecretScalar[] {
  return new SourceText(text).documents.flatMap((document, index) => {
    const isSecret = isPatch || known.patch === true || known.documents?.has(index) === true;
    const found = inDocument({ text: document.text, isSecret, known, level });
    return found.map(({ start, end, values }) => ({
      start: start + document.offset,
      end: end + document.offset,
      values,
    }));
  });
}

/** `isSecret`: the document is a Secret, or is about one, even if it does not say so. */
type Context = { text: string; isSecret: boolean; known: Known; level: number };

function inDocument(context: Context): SecretScalar[] {
  const { text, isSecret } = context;
  const mayHold = isSecret || /\bSecret\b|stringData|\\[xuU]|"[^"\n]*\\\n/.test(text);
  if (depthExceeds(text, maxDepth)) return mayHold ? brokenValues(text) : [];
  const parsed = parseAllDocuments(text, {
    uniqueKeys: false,
    strict: false,
    logLevel: 'silent',
    keepSourceTokens: false,
  });
  return [...parsed].flatMap(({ contents, errors }) => [
    ...new Walker(context, contents).read(),
    // Half a tree tells half of it.
    ...(errors.length > 0 && mayHold ? brokenValues(text) : []),
  ]);
}

/** What holds for a node: nothing, all below is secret, all but references, a generator, or its `KEY=value`. */
type Mode = 'plain' | 'data' | 'values' | 'generator' | 'literals' | 'sources' | 'patch';

class Walker {
  readonly #found: SecretScalar[] = [];
  /** A node is looked at once in each mode, however many aliases lead to it. */
  readonly #seen = new Map<Mode, Set<unknown>>();
  readonly #anchors = new Map<string, unknown>();

  constructor(
    private readonly context: Context,
    private readonly root: unknown,
  ) {}

  read(): SecretScalar[] {
    this.#collectAnchors(this.root);
    this.#walk(this.root, 'plain');
    return this.#found;
  }

  #collectAnchors(node: unknown): void {
    if (isPair(node)) {
      this.#collectAnchors(node.key);
      this.#collectAnchors(node.value);
    } else if (isScalar(node) || isMap(node) || isSeq(node)) {
      if (node.anchor) this.#anchors.set(node.anchor, node);
      if (!isScalar(node)) for (const item of node.items) this.#collectAnchors(item);
    }
  }

  #resolved(node: unknown): unknown {
    return isAlias(node) ? this.#anchors.get(node.source) : node;
  }

  #text(node: unknown): string | undefined {
    const scalar = this.#resolved(node);
    // Of `!!binary` the parser gives the bytes, which go-yaml takes for the text that they are.
    return isScalar(scalar) ? String(scalar.value) : undefined;
  }

  #walk(node: unknown, mode: Mode): void {
    const seen = this.#seen.get(mode) ?? new Set();
    this.#seen.set(mode, seen);
    if (seen.has(node)) return;
    seen.add(node);
    if (isAlias(node)) this.#alias(node, mode);
    else if (isMap(node)) this.#map(node, mode);
    else if (isSeq(node)) this.#list(node.items, mode);
    else if (isScalar(node)) this.#scalar(node, mode);
  }

  /** One of nothing was not meant as an alias. */
  #alias(node: Alias, mode: Mode): void {
    if (this.#anchors.has(node.source)) this.#walk(this.#resolved(node), mode);
    else if (mode !== 'plain') this.#hide(node, [node.source]);
  }

  #map(map: YAMLMap, mode: Mode): void {
    const pairs = this.#pairs(map);
    const about = mode === 'plain' ? this.#about(pairs, map === this.root) : undefined;
    for (const pair of pairs) {
      const key = this.#text(pair.key);
      // `{hunter2}` is a key without a value.
      if ((pair.value === null || key === undefined) && mode !== 'plain') this.#walk(pair.key, mode);
      const text = this.#text(pair.value);
      const isHidden = about && text !== undefined && isHiddenText(key ?? '', text, about);
      this.#walk(pair.value, isHidden ? 'data' : about ? modeOf(key ?? '', about) : below(mode, key ?? ''));
    }
  }

  /** With those that `<<` merges in. */
  #pairs(map: YAMLMap): Pair[] {
    const merges = map.items.filter(({ key }) => isScalar(key) && key.source === '<<');
    const merged = merges
      .map(({ value }) => this.#resolved(value))
      .flatMap((one) => (isSeq(one) ? one.items.map((item) => this.#resolved(item)) : [one]));
    return [...map.items, ...merged.filter((one) => isMap(one)).flatMap(({ items }) => items)];
  }

  #about(pairs: readonly Pair[], isRoot: boolean): About {
    const texts = new Map<string, string[]>();
    for (const { key, value } of pairs) {
      const [name, text] = [this.#text(key) ?? '', this.#text(value)];
      texts.set(name, [...(texts.get(name) ?? []).slice(-9), ...(text === undefined ? [] : [text])]);
    }
    const kinds = texts.get('kind') ?? [];
    const isNamed = texts.has('metadata') || texts.has('apiVersion');
    const isSecret = kinds.some(mayBeSecret) || (isRoot && (this.context.isSecret || (kinds.length === 0 && isNamed)));
    const names = [...texts].flatMap(([key, found]) =>
      isNameKey(key) || (key === 'path' && texts.has('op')) ? found : [],
    );
    return {
      isSecret,
      isWhole: (isRoot || texts.has('metadata')) && kinds.some((kind) => /^\s*secret\s*$/i.test(kind)),
      isGenerator: kinds.includes('SecretGenerator'),
      namesSecret: names.some((name) => namesSecret(name, isSecret || this.context.isSecret)),
      patchesSecret: pairs.some(({ key, value }) => this.#text(key) === 'target' && this.#mayBeSecret(value)),
    };
  }

  /** The target of a patch, whose kind is a regular expression. */
  #mayBeSecret(value: unknown): boolean {
    const target = this.#resolved(value);
    if (!isMap(target)) return false;
    const kind = this.#text(target.items.find(({ key }) => this.#text(key) === 'kind')?.value);
    return mayTargetSecret({ kind });
  }

  #list(items: readonly unknown[], mode: Mode): void {
    let flag = false;
    for (const item of items) {
      this.#walk(item, flag && mode === 'plain' && isScalar(item) ? 'data' : mode);
      flag = isSecretKey(/^--?([\w-]{1,80})$/.exec(this.#text(item) ?? '')?.[1] ?? '');
    }
  }

  #scalar(scalar: Scalar, mode: Mode): void {
    const value = String(scalar.value);
    if (mode === 'literals' || (mode === 'sources' && isLiteralOfFiles(value))) this.#literal(scalar, value);
    else if (mode === 'data' || mode === 'values') {
      if (worthHiding(scalar.source ?? value) || scalar.anchor || tagged.test(scalar.tag ?? ''))
        this.#hide(scalar, [value, scalar.source ?? '', scalar.tag ?? '']);
    } else if (this.context.known.values?.has(value)) this.#hide(scalar, [value]);
    else this.#inside(scalar, value, mode === 'patch');
  }

  /** `KEY=value`: the key may be shown where one can tell where it ends. */
  #literal(scalar: Scalar, value: string): void {
    const [start, end] = scalar.range ?? [0, 0];
    const equals = secretStart(value) && this.context.text.slice(start, end).indexOf('=') + 1;
    const secret = value.slice(secretStart(value));
    this.#found.push({ start: start + equals, end, values: [value, secret, secret.replace(/^(["'])(.*)\1$/, '$2')] });
  }

  /** A manifest, a patch or a list of values that is kept as a text. */
  #inside(scalar: Scalar, value: string, isPatch: boolean): void {
    const { level, known, text } = this.context;
    if (level >= maxLevels || !/[:=]/.test(value) || !/\n|^\s*[[{-]/.test(value)) return;
    const [start, end] = scalar.range ?? [0, 0];
    const inner = innerText(text.slice(start, end), scalar.type as ScalarStyle);
    const found = secretsOf(inner?.text ?? value, withoutDocuments(known), isPatch, level + 1);
    const places = inner && inside(inner.outer, found, start);
    this.#found.push(...(places ?? found.map(({ values }) => ({ start, end, values }))));
  }

  /** With the tag and the anchor before it: a password may begin with `!` or `&`. */
  #hide(node: Node, values: string[]): void {
    const { text } = this.context;
    const [from, end] = node.range ?? [0, 0];
    const line = Math.max(text.lastIndexOf('\n', from - 1), text.lastIndexOf('\r', from - 1)) + 1;
    const properties =
      /(?<![^\s,[{])(?:[&!][^\s,[\]{}]*[ \t]*)+$/.exec(text.slice(Math.max(line, from - 500), from))?.[0] ?? '';
    const start = from - properties.length;
    const words = [...text.slice(start, Math.min(end, start + 500)).matchAll(/[&!*][\w.-]+/g)].map(([word]) =>
      word.slice(1),
    );
    const raw = text.slice(start, end).trim();
    this.#found.push({
      start,
      end,
      values: [...values, raw, ...words.filter((word) => !/^(?:str|int|bool|float|null|binary)$/.test(word))],
    });
  }
}

const tagged = /^![^!]/;

function withoutDocuments({ values }: Known): Known {
  return values ? { values } : {};
}

/** `outer` looks for a line each time, so what is found is taken in order and a range at a time. */
function inside(outer: (offset: number) => number, found: readonly SecretScalar[], start: number): SecretScalar[] {
  return found.map((one) => ({ ...one, start: start + outer(one.start), end: start + outer(one.end) }));
}

type About = {
  isSecret: boolean;
  /** It is itself a Secret, of which nothing is known but by the names that one has. */
  isWhole: boolean;
  isGenerator: boolean;
  /** A name or a path beside `value` says that this is secret. */
  namesSecret: boolean;
  patchesSecret: boolean;
};

/** What a key means for what is below it. */
function modeOf(key: string, about: About): Mode {
  if (isSecretGenerator(key)) return 'generator';
  if (key === 'stringData' || (key === 'data' && about.isSecret)) return 'data';
  if (about.isGenerator) return below('generator', key);
  // Under a name of its own nothing is read, but what stands there was meant to be data.
  if (about.isWhole && !keysOfSecret.has(key)) return 'data';
  if (key === 'kubectl.kubernetes.io/last-applied-configuration') return 'data';
  if (key === 'auths' || (key === 'value' && about.namesSecret)) return 'data';
  if (key === 'patch' && about.patchesSecret) return 'patch';
  return isSecretKey(key) ? 'values' : 'plain';
}

/** True if a text is secret by its key and what stands beside it, though the key is misspelt. */
function isHiddenText(key: string, text: string, { namesSecret }: About): boolean {
  return isLogin(key, text) || (namesSecret && isValueKey(key));
}

function below(mode: Mode, key: string): Mode {
  if (mode === 'values') return isReference(key) ? 'plain' : 'values';
  if (mode !== 'generator') return mode;
  if (key === 'literals') return 'literals';
  if (key === 'files' || key === 'envs' || key === 'env') return 'sources';
  return key === 'options' ? 'plain' : keysOfGenerator.has(key) ? 'generator' : 'data';
}
