/** `customizer-lint audit`: who has the fields of a cluster's Packages. 0 nothing is taken, 1 something is, 2 not done. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSerious, audit as judge } from '../audit/audit.js';
import { type LiveOptions, liveOf } from '../audit/live.js';
import { recoveryOf } from '../audit/recovery.js';
import { auditJson, auditText } from '../audit/report.js';
import type { Cluster } from '../cluster/cluster.js';
import { toldFact } from '../cluster/facts.js';
import { configFile } from '../config/config.js';
import { defined } from '../core/defined.js';
import { kustomizationNames } from '../core/kustomization.js';
import { type FieldPath, type JsonObject, type Location, UsageError } from '../core/model.js';
import { lookUp } from '../core/object.js';
import { isPackage } from '../cozystack/package.js';
import { ServerUnavailableError } from '../dry-run/client.js';
import { listPackages, openCredentials } from '../dry-run/list.js';
import { loadWorkspace } from '../lint/load.js';
import { Locator } from '../yaml/locator.js';
import { oneCluster, wantsColor, workspaceOptions, write } from './common.js';
import { readLive } from './objects.js';
import type { Program } from './program.js';
import { startProgress } from './progress.js';
import type { Call } from './root.js';

export async function audit(args: Call, program: Program): Promise<number> {
  const { values } = args;
  const { home } = program;
  if ((values.live === undefined) === (values.kubeconfig === undefined))
    throw new UsageError(
      'audit of what? either --live FILE, made with kubectl get packages -o yaml --show-managed-fields, or --kubeconfig FILE',
    );
  if (values.context !== undefined && values.kubeconfig === undefined)
    throw new UsageError('--context needs --kubeconfig');
  const from = values.live ?? 'the cluster';
  const objects = values.kubeconfig === undefined ? readLive(from) : await ask(values.kubeconfig, values.context, home);
  if (!objects.some(isLivePackage)) throw new UsageError(`there is no Package of Cozystack in ${from}`);
  const live = { from, data: join(home, 'schemas'), ...defined({ release: values.release }) };
  if (!isRepository(args)) return report(objects, live, args, program);
  const progress = startProgress(program.stderr);
  const options = await workspaceOptions(args, program, progress);
  return loadWorkspace(options, ({ clusters, trees }) => {
    progress.stop();
    const repository = { cluster: oneCluster(clusters, values), locator: new Locator(trees) };
    return report(objects, live, args, program, repository);
  }).finally(progress.stop);
}

type Repository = { cluster: Cluster; locator: Locator };

function report(
  objects: JsonObject[],
  options: LiveOptions,
  args: Call,
  program: Program,
  repository?: Repository,
): number {
  const { values } = args;
  const live = liveOf(objects, { ...options, ...(repository && { known: repository.cluster }) });
  const found = judge(live, repository?.cluster.head.objects);
  const facts = [toldFact(live.facts.get('release'), live.contract), live.facts.get('variant')];
  const all = { audit: found, recovery: recoveryOf(found, live), facts };
  const written = {
    color: wantsColor(values, program),
    locate: (name: string, path: FieldPath) => locate(name, path, repository),
  };
  write(values.format?.at(-1) === 'json' ? auditJson(all, written) : auditText(all, written), args, program);
  return found.findings.some(isSerious) ? 1 : 0;
}

function locate(name: string, path: FieldPath, repository: Repository | undefined): Location | undefined {
  const manifests = repository?.cluster.head.objects.filter(isPackage) ?? [];
  const object = manifests.find(({ ref, value }) => ref.name === name && lookUp(value, path) !== undefined);
  return object && repository?.locator.locate({ object, path }).at;
}

/** An administrator may run this anywhere, in a home directory too: what does not look like a repository is not read. */
function isRepository({ directory, values }: Call): boolean {
  if (directory !== '.' || values.config !== undefined || values.path !== undefined) return true;
  const signs = [configFile, '.git', ...kustomizationNames, 'clusters'];
  return signs.some((name) => existsSync(join(directory, name)));
}

function isLivePackage({ apiVersion, kind }: JsonObject): boolean {
  return isPackage({ ref: { apiVersion: String(apiVersion), kind: String(kind), name: '' } });
}

const longest = 120;

async function ask(file: string, context: string | undefined, home: string): Promise<JsonObject[]> {
  try {
    const credentials = await openCredentials(home, file, context);
    const objects = await listPackages(credentials, AbortSignal.timeout(longest * 1000));
    return objects;
  } catch (error) {
    if (error instanceof ServerUnavailableError) throw new UsageError(error.message);
    throw error;
  }
}
