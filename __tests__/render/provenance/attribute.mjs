/** Which features wrote a rendered leaf: told by the words in it and not by the command under test. */

const words = /z[a-y]{3}z/g;
const prose = new Set(['resource', 'untagged', 'corpus']);

export class Attribution {
  #files = new Map();

  constructor(tree) {
    this.tree = tree;
    for (const [file, text] of tree.files)
      for (const [word] of String(text).matchAll(words))
        this.#files.set(word, [...(this.#files.get(word) ?? []), file]);
  }

  /** Names of features, at least one. `names` are those of the other objects of the render. */
  of({ object, path, value }, names) {
    const found = new Set([...this.#written(object, path, value)].map((word) => this.tree.tags.get(word)));
    found.delete(undefined);
    const spot = this.tree.spots.find(({ name, path: at }) => object.name.includes(name) && at === path.join('.'));
    if (spot) return new Set([spot.feature]);
    if (found.size > 1) found.add('several-sources');
    for (const [feature, holds] of this.#shapes(object, path, value, names)) if (holds) found.add(feature);
    return found.size > 0 ? found : new Set(['untagged']);
  }

  /** The words and numbers of a leaf: its value, decoded where it is a Secret's, or else its key. */
  #written(object, path, value) {
    if (typeof value === 'number') return [value];
    const encoded = object.kind === 'Secret' && path[0] === 'data' && typeof value === 'string';
    const text = encoded ? Buffer.from(value, 'base64').toString() : String(value);
    const keys = path.filter((step) => typeof step === 'string').join(' ');
    const copied = /(?:copied|moved|tested)-(z[a-y]{3}z)/.exec(keys);
    if (copied) return [copied[1]];
    const own = text.match(words) ?? [];
    const amounts = (text.match(/\d{4,}/g) ?? []).map(Number);
    const all = [...own, ...amounts];
    return new Set(all.length > 0 ? all : (keys.match(words) ?? []));
  }

  #shapes(object, path, value, names) {
    const text = String(value);
    const itself = path.join('.') === 'metadata.name';
    const files = (text.match(words) ?? []).flatMap((word) => this.#files.get(word) ?? []);
    const generated = /^(.*gen-z[a-y]{3}z.*)-[a-z0-9]{10}$/.test(text);
    return [
      ['hash', generated],
      ['name-reference', !itself && names.has(text) && text !== object.name],
      ['component', files.some((file) => file.startsWith('components/c/'))],
      ['overlays', this.tree.paths.length > 1 && files.some((file) => file.startsWith('base/'))],
      ['generated-root', this.tree.features.has('generated-root') && files.length > 0],
    ];
  }
}

/** From a resource file written without anything special, and by nobody else. */
export const isPlain = (features) => [...features].every((feature) => prose.has(feature));
