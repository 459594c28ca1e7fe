/** A folder that kustomize builds, as it is put together: its kustomization and the files beside it. */
import { normalize } from 'node:path/posix';
import type { Json, JsonObject } from '../../../src/core/model.js';
import { randomOf } from '../../support/random.mjs';
import { fileNames, relative, spellReference } from './names.js';
import { type Random, writeFile, writeText } from './writing.js';

export type Content = string | Uint8Array;
/** What the Flux Kustomization that applies the folder has to say for it. */
export type FluxSpec = { spec: JsonObject; variables: { [name: string]: string }; isEach?: boolean };

export class Folder {
  readonly files: Record<string, Content> = {};
  readonly fields: JsonObject = {};
  readonly labels = new Set<string>();
  readonly flux: FluxSpec = { spec: {}, variables: {} };
  #count = 0;

  constructor(
    /** Relative to the repository; `.` for its root. */
    readonly path: string,
    readonly random: Random,
    /** How much of it is written in an odd way: 0 to 1. */
    readonly odd: number,
  ) {}

  /** Chance of its own, so that a text of another length changes nothing of what comes after it. */
  fork(): Random {
    return randomOf(this.random.below(2 ** 31));
  }

  label(kind: string, text: string) {
    if (text) this.labels.add(`${kind}: ${text}`);
  }

  /** Writes a value into a new file, and gives the way to it as the kustomization spells it. */
  file(value: Json, extensions?: readonly string[]): string {
    const random = this.fork();
    const written = writeFile(value, random, random.chance(this.odd));
    this.label('writing', written.label);
    return this.raw(written.content, extensions);
  }

  raw(content: Content, extensions?: readonly string[]): string {
    const random = this.fork();
    const pool = extensions ?? Object.keys(fileNames);
    const kind = random.chance(this.odd) ? random.pick(pool) : (extensions?.[0] ?? 'yaml');
    if (kind !== 'yaml') this.label('name', kind);
    const path = this.below(fileNames[kind]?.(this.#count++) ?? 'x');
    this.files[path] = content;
    return this.way(path);
  }

  /** A file that keeps its name. */
  named(name: string, content: Content): string {
    this.files[this.below(name)] = content;
    return name;
  }

  way(to: string): string {
    const random = this.fork();
    const spelled = random.chance(this.odd)
      ? spellReference(this.path, to, random)
      : { text: relative(this.path, to), label: '' };
    this.label('reference', spelled.label);
    return spelled.text;
  }

  below(name: string): string {
    return normalize(this.path === '.' ? name : `${this.path}/${name}`);
  }

  text(value: Json): string {
    const random = this.fork();
    if (!random.chance(this.odd)) return JSON.stringify(value);
    const written = writeText(value, random);
    this.label('writing', written.label);
    return written.text;
  }

  add(field: string, ...values: Json[]) {
    this.fields[field] = [...((this.fields[field] as Json[] | undefined) ?? []), ...values];
  }

  /** Writes the kustomization; nothing may be added after that. */
  finish(kind: 'Kustomization' | 'Component' = 'Kustomization'): Record<string, Content> {
    const random = this.fork();
    const apiVersion = `kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}`;
    const isTyped = kind === 'Component' || random.chance(0.8);
    const value: JsonObject = { ...(isTyped && { apiVersion, kind }), ...this.fields };
    const isOdd = random.chance(this.odd * 0.6);
    const written = writeFile(value, random, isOdd);
    if (isOdd) this.label('kustomization', written.label);
    const name = isOdd
      ? random.pick(['kustomization.yaml', 'kustomization.yml', 'Kustomization'])
      : 'kustomization.yaml';
    if (name !== 'kustomization.yaml') this.label('kustomization', name);
    return { ...this.files, [this.below(name)]: written.content };
  }
}
