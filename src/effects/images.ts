/** Images that objects name, and where they are fetched from. */

import type { FieldPath, Json, JsonObject } from '../core/model.js';
import { getString, isObject } from '../core/object.js';
import { oncePer } from '../core/once.js';
import type { Applied } from '../flux/applied.js';
import { nodesIn } from './change.js';

export type Image = { path: FieldPath; repository: string };

/**
 * Registry and repository of an image, without tag and digest, as the container runtime reads it: `nginx:1` is
 * `docker.io/library/nginx` (github.com/distribution/reference, `ParseNormalizedNamed`).
 */
export function repositoryOf(image: string): string {
  const [name = ''] = image.trim().split('@');
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  const hasRegistry = /[.:]/.test(first) || first === 'localhost';
  const registry = hasRegistry ? first : 'docker.io';
  const rest = hasRegistry ? name.slice(slash + 1) : name;
  const colon = rest.lastIndexOf(':');
  const path = colon > rest.lastIndexOf('/') ? rest.slice(0, colon) : rest;
  const isOfficial = registry === 'docker.io' && !path.includes('/');
  return `${registry === 'index.docker.io' ? 'docker.io' : registry}/${isOfficial ? 'library/' : ''}${path}`;
}

/**
 * The images of an object: a text with the key `image`, and a map as charts take it, with `repository` beside `tag`, `registry` or
 * `digest`, or below a key that has the word image.
 */
export function imagesIn(value: JsonObject): Image[] {
  const images: Image[] = [];
  for (const node of nodesIn(value)) {
    if (!isObject(node.value)) continue;
    const { image, repository, reference } = node.value;
    if (typeof image === 'string' && image !== '')
      images.push({ path: [...node.path, 'image'], repository: repositoryOf(image) });
    if (typeof repository === 'string' && repository !== '' && isImageMap(node.value, node.path))
      images.push({ path: [...node.path, 'repository'], repository: joined(node.value, repository) });
    images.push(...namedImages(node.value, node.path));
    // A volume of an image.
    if (node.path.at(-1) === 'image' && typeof reference === 'string' && reference !== '')
      images.push({ path: [...node.path, 'reference'], repository: repositoryOf(reference) });
    images.push(...registriesOf(node.value, node.path));
  }
  return images;
}

/** Keys that name an image by a text of their own: `imageName`, `sidecarImage`, `imageRepository`, and all below `images`. */
const imageKey = /^(?!image$)(?:image(?:name|repository|ref|reference|url)?|\w{1,40}image(?:name|repository|ref)?)$/i;
const reference =
  /^(?:oci:\/\/|docker:\/\/)?[\w.-]{1,100}(?::\d{1,5})?(?:\/[\w.-]{1,100}){1,8}(?::[\w.-]{1,128})?(?:@sha\d{3}:[\da-f]{32,128})?$/;
/** In an argument: `--acme-http01-solver-image=r.example/x:1`. */
const imageArgument = /^-{1,2}[\w.-]{0,80}image[=:](?<image>\S{1,300})$/i;

function namedImages(map: JsonObject, path: FieldPath): Image[] {
  const isBelowImages = /^images$/i.test(String(path.at(-1)));
  return Object.entries(map).flatMap(([key, value]): Image[] => {
    if (Array.isArray(value)) return value.flatMap((item, index) => argumentImage(item, [...path, key, index]));
    const isNamed = (isBelowImages && key !== 'image') || imageKey.test(key);
    if (typeof value !== 'string' || !isNamed || !reference.test(value)) return [];
    return [{ path: [...path, key], repository: repositoryOf(value.replace(/^(?:oci|docker):\/\//, '')) }];
  });
}

function argumentImage(item: Json, path: FieldPath): Image[] {
  const image = typeof item === 'string' ? imageArgument.exec(item)?.groups?.image : undefined;
  return image === undefined ? [] : [{ path, repository: repositoryOf(image) }];
}

/** A registry by itself, as charts take it for all of their images. */
function registriesOf(map: JsonObject, path: FieldPath): Image[] {
  if (Object.hasOwn(map, 'repository')) return [];
  return Object.entries(map).flatMap(([key, value]) =>
    /registry$/i.test(key) && typeof value === 'string' && value !== ''
      ? [{ path: [...path, key], repository: `${value.replace(/^[a-z]{1,10}:\/\//, '').replace(/\/$/, '')}/*` }]
      : [],
  );
}

function isImageMap(map: JsonObject, path: FieldPath): boolean {
  return (
    ['tag', 'registry', 'digest', 'pullPolicy'].some((key) => Object.hasOwn(map, key)) ||
    /image/i.test(String(path.at(-1)))
  );
}

function joined(map: JsonObject, repository: string): string {
  const registry = getString(map, ['registry']);
  return repositoryOf(registry ? `${registry}/${repository}` : repository);
}

/** All repositories of images that the objects name. */
export const repositoriesIn = oncePer(
  (objects: readonly Applied[]): ReadonlySet<string> =>
    new Set(objects.flatMap(({ value }) => imagesIn(value).map(({ repository }) => repository))),
);
