/**
 * A repository in the making. Every string that it writes holds a word of its own, and every number is one of a kind, so
 * that a rendered value tells by itself which feature wrote it, without asking the tool under test.
 */
import { randomOf } from '../../../support/random.mjs';
import { plainStyle, write } from './write.mjs';

const letters = 'abcdefghijklmnopqrstuvwxy';

export class Tree {
  files = new Map();
  /** word or number → the feature that wrote it */
  tags = new Map();
  features = new Set();
  /** Fields that a feature writes with another's words: `{ feature, name, path }`, the name as it is in the source. */
  spots = [];
  /** Fields that a feature takes away: `{ feature, name, path }`; the path ends at a list where an item of it goes. */
  removals = [];
  /** Directories to build. */
  paths = [];
  /** The file of a Flux Kustomization, where the build is found through one. */
  flux = undefined;
  #count;
  #numbers = 1000;

  constructor(seed) {
    this.seed = seed;
    this.random = randomOf(seed);
    this.#count = this.random.below(5000);
  }

  /** `z`, three letters, `z`: nothing else looks like it. */
  word(feature) {
    let rest = this.#count++;
    let text = '';
    for (let n = 0; n < 3; n++) {
      text += letters[rest % 25];
      rest = Math.floor(rest / 25);
    }
    const word = `z${text}z`;
    this.tags.set(word, feature);
    return word;
  }

  number(feature) {
    this.#numbers += 1 + this.random.below(7);
    this.tags.set(this.#numbers, feature);
    return this.#numbers;
  }

  /** The two sources of fresh values that `makers` take. */
  fresh(feature) {
    return [() => this.word(feature), () => this.number(feature)];
  }

  file(path, text) {
    if (this.files.has(path)) throw new Error(`${path} is written twice`);
    this.files.set(path, text);
    return path;
  }

  yaml(path, value, style = plainStyle) {
    return this.file(path, `${write(value, this.random, style)}\n`);
  }
}

/** A directory with a kustomization, whose fields features add to. */
export class Layer {
  fields = {};
  #files = 0;

  constructor(tree, dir, objects = [], kind = 'Kustomization') {
    Object.assign(this, { tree, dir, objects, kind });
  }

  add(field, ...items) {
    this.fields[field] = [...(this.fields[field] ?? []), ...items];
  }

  /** The name of a new file, relative to the layer. */
  name(stem, extension = 'yaml') {
    return `${stem}-${this.#files++}.${extension}`;
  }

  yaml(stem, value, style) {
    const name = this.name(stem);
    this.tree.yaml(`${this.dir}/${name}`, value, style);
    return name;
  }

  text(stem, extension, text) {
    const name = this.name(stem, extension);
    this.tree.file(`${this.dir}/${name}`, text);
    return name;
  }

  /** An object of one of the kinds; undefined where there is none. */
  object(...kinds) {
    const found = this.objects.filter(({ value }) => kinds.length === 0 || kinds.includes(value.kind));
    return found.length > 0 ? this.tree.random.pick(found) : undefined;
  }

  /** A new kustomization below this one; `relative` is what `resources` says. */
  base(stem) {
    const relative = `${stem}-${this.#files++}`;
    return Object.assign(new Layer(this.tree, `${this.dir}/${relative}`), { relative });
  }

  finish() {
    const version = this.kind === 'Component' ? 'v1alpha1' : 'v1beta1';
    const head = { apiVersion: `kustomize.config.k8s.io/${version}`, kind: this.kind };
    const { tree } = this;
    const style = { ...plainStyle, flow: tree.random.pick([0, 0.15]), quote: 0.25 };
    tree.yaml(`${this.dir}/kustomization.yaml`, { ...head, ...this.fields }, style);
  }
}
