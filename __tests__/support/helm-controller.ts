/** helm-controller's render as a second opinion: Helm's own action with the post-renderer that every release has (helm-controller/main.go). */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goEnv } from '../../src/build/go.mjs';
import type { JsonObject } from '../../src/core/model.js';
import { isObject } from '../../src/core/object.js';
import { root } from './cli.js';

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
  const { stdout, status, stderr } = spawnSync(program(), {
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

/** It is built once for each text that it has; that takes a minute or two. */
function program(): string {
  const source = join(root, '__tests__/support/helm-controller');
  const hash = createHash('sha256');
  for (const name of ['main.go', 'go.mod', 'go.sum']) hash.update(readFileSync(join(source, name)));
  const file = join(root, '.cache/bin', `helm-controller-${hash.digest('hex').slice(0, 12)}`);
  const args = ['build', '-p=2', '-o', file, '.'];
  if (!existsSync(file)) execFileSync('go', args, { cwd: source, env: goEnv(), stdio: 'inherit' });
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
