import type { Json, Rendered, Tree } from '../../core/model.js';
import { getString, isObject } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { rewritten } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import type { Rule } from '../rule.js';
import { entryOf, type Step, stepsIn } from '../support/steps.js';

/** Among so many images nobody looks for the one that was meant: the time grows with their number for each entry. */
const most = 1000;

const messages = {
  matchesNone: (name: string) => `images entry "${name}" matches no image, so it has no effect`,
};

export default {
  id: 'unmatched-image',
  group: 'kustomize',
  severity: 'warning',
  summary: 'an entry of images: matches no image, so it has no effect',
  messages,
  check({ everywhere, tree, report }) {
    const images = imagesIn(everywhere);
    const names = images.length > most ? [] : images.map(nameOf);
    for (const { step, entrypoints, changed } of stepsIn(everywhere)) {
      if (!isImage(step) || changed > 0) continue;
      const name = nameIn(step, tree);
      // The image is there, and was what the entry makes of it, or is changed by another after it.
      if (name === undefined || images.some((image) => isOf(image, name))) continue;
      const at = { ...step.at, path: [...step.at.path, 'name'] };
      const meant = nearest(name, names);
      for (const entrypoint of entrypoints)
        report({
          message: messages.matchesNone(name),
          help:
            meant === undefined
              ? 'write the name of an image as in the manifests, without its tag, or remove the entry'
              : `did you mean "${meant}"?`,
          at,
          entrypoint,
          ...(meant !== undefined && { remedy: { ...rewritten(at, meant), safe: false } }),
        });
    }
  },
} satisfies Rule;

/** Of whatever kind: kustomize looks for `containers` and `initContainers` wherever they stand. */
const imagesIn = oncePer((entrypoints: readonly Rendered[]) => {
  const found = new Set<string>();
  const collect = (value: Json) => {
    if (Array.isArray(value)) for (const one of value) collect(one);
    else if (isObject(value))
      for (const [key, below] of Object.entries(value)) {
        if (typeof below !== 'string') collect(below as Json);
        else if (key === 'image' || key === 'reference') found.add(below);
      }
  };
  for (const rendered of entrypoints) if (rendered.ok) for (const { value } of rendered.objects) collect(value as Json);
  return [...found];
});

/** `images`, or its old name, of a kustomization; `spec.images` of a Flux Kustomization. */
function isImage({ at: { path } }: Step): boolean {
  return path[0] === 'images' || path[0] === 'imageTags' || (path[0] === 'spec' && path[1] === 'images');
}

/** Undefined for what kustomize may well take for more than one name: the name is a regular expression to it. */
function nameIn(step: Step, tree: Tree): string | undefined {
  const name = getString(entryOf(step, tree), ['name']);
  return name !== undefined && !/[\\^$*+?()[\]{}|]/.test(name) ? name : undefined;
}

/** Up to the tag or the digest; a dot stands for any letter, as it does in a regular expression. */
function isOf(image: string, name: string): boolean {
  const isSame = [...name].every(
    (letter, index) => letter === image[index] || (letter === '.' && index < image.length),
  );
  return isSame && ['', ':', '@'].includes(image.charAt(name.length));
}

/** Without tag and digest; the port of a registry stays. */
function nameOf(image: string): string {
  const [name = ''] = image.split('@');
  const colon = name.lastIndexOf(':');
  return colon > name.lastIndexOf('/') ? name.slice(0, colon) : name;
}
