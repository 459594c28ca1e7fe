/** helm-controller's render as a second opinion: Helm's own action with the post-renderer that every release has (helm-controller/main.go). */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { goEnv, hasGo } from '../../src/build/go.mjs';
import type { JsonObject } from '../../src/core/model.js';
import { isObject } from '../../src/core/object.js';
import { root } from './cli.js';
import { isLong } from './sample.js';

export type ControllerRequest = {
  /** The file of a packed chart. */
  archive: string;
  name: string;
  namespace: string;
  values: JsonObject;
  kubeVersion: string;
};

type ControllerAnswer = { objects: JsonObject[]; hooks: JsonObject[] | null; failed?: string };

/** The objects in the order of Helm, hooks last, without the labels that tell of the release; or why it fails. */
export function renderedByController(requests: readonly ControllerRequest[]): (JsonObject[] | { failed: string })[] {
  const { stdout, status, stderr } = spawnSync(helmController(), {
    input: requests.map((request) => JSON.stringify(request)).join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: {},
  });
  if (status !== 0) throw new Error(stderr);
  const answers = stdout.split('\n').filter(Boolean);
  return answers.map((line) => {
    const { objects, hooks, failed } = JSON.parse(line) as ControllerAnswer;
    return failed === undefined ? [...objects, ...(hooks ?? [])].flatMap(itemsOf).map(withoutLabels) : { failed };
  });
}

const source = join(root, '__tests__/support/helm-controller');
const texts = ['main.go', 'go.mod', 'go.sum'].map((name) => readFileSync(join(source, name), 'utf8'));
const file = join(
  root,
  '.cache/bin',
  `helm-controller-${createHash('sha256').update(texts.join('')).digest('hex').slice(0, 12)}`,
);

/** Why it is not asked, where that is so. The short run does not wait for a build. */
export const whyNoController = !hasGo()
  ? 'Go is not installed'
  : existsSync(file) || isLong()
    ? undefined
    : 'it is not built yet, which npm test -- --samples=6 does';

/** Its file. It is built once for each text that it has, which takes a minute or two. */
export function helmController(): string {
  if (existsSync(file)) return file;
  // Two suites may build it at once.
  const own = `${file}-${process.pid}`;
  execFileSync('go', ['build', '-p=2', '-o', own, '.'], { cwd: source, env: goEnv(), stdio: 'inherit' });
  renameSync(own, file);
  return file;
}

/** Helm's client takes all for a list that has items. */
function itemsOf(object: JsonObject): JsonObject[] {
  if (!Array.isArray(object.items)) return [object];
  const kind = String(object.kind).replace(/List$/, '');
  const like = { kind, apiVersion: object.apiVersion ?? null };
  return object.items
    .filter(isObject)
    .map((item) => ('kind' in item || 'apiVersion' in item ? item : { ...like, ...item }));
}

function withoutLabels(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || !('labels' in metadata)) return object;
  const { labels, ...rest } = metadata;
  const others = isObject(labels)
    ? Object.entries(labels).filter(([name]) => !/^helm\.toolkit\.fluxcd\.io\/(?:name|namespace)$/.test(name))
    : [];
  return { ...object, metadata: { ...rest, ...(others.length > 0 && { labels: Object.fromEntries(others) }) } };
}
