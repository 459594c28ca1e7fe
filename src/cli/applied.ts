/**
 * `render --as-applied`: objects as Flux sends them to the API server, in the order in which it does; but for the null of
 * `creationTimestamp`, and for a `targetPort` of 0, which the API server takes for the port.
 */
import { stringify } from 'yaml';
import type { Cluster } from '../cluster/cluster.js';
import { jsonText, printable } from '../core/escape.js';
import type { JsonObject, ObjectRef } from '../core/model.js';
import { isApplied, isEncrypted } from '../flux/applied.js';
import { inApplyOrder } from '../flux/apply-order.js';
import { isBuilt } from '../flux/prune.js';
import { toApplyRequest } from '../flux/request.js';
import { loadWorkspace } from '../lint/load.js';
import type { Sent } from '../simulate/reconcile.js';
import { wantedClusters, workspaceOptions, write } from './common.js';
import type { Program } from './program.js';
import { startProgress } from './progress.js';
import type { Call } from './root.js';
import { printBuildErrors } from './session.js';

export async function renderApplied(args: Call, program: Program): Promise<number> {
  const { values } = args;
  const progress = startProgress(program.stderr);
  const options = await workspaceOptions(args, program, progress);
  return loadWorkspace(options, ({ clusters, rendered }) => {
    progress.stop();
    const isBroken = printBuildErrors(rendered.head, program);
    const wanted = wantedClusters(clusters, values);
    const sent = wanted.flatMap(sentTo);
    for (const one of sent) if (isEncrypted(one)) warnOfEncrypted(one.ref, program);
    const objects = sent.map(({ value }) => value);
    write(values.format?.at(-1) === 'json' ? jsonText(objects) : ofClusters(wanted), args, program);
    return isBroken ? 1 : 0;
  }).finally(progress.stop);
}

/** Each Flux Kustomization applies what is its own in order; the order among them is that of `render`. */
function sentTo({ head, contract }: Cluster): Sent[] {
  return head.entrypoints.filter(isBuilt).flatMap(({ entrypoint, objects }) =>
    inApplyOrder(objects.filter(isApplied)).map((object) => ({
      ref: object.ref,
      value: toApplyRequest(object, entrypoint, contract.schemas),
    })),
  );
}

/** Of several clusters a comment names each. */
function ofClusters(clusters: readonly Cluster[]): string {
  const parts = clusters.map((cluster) => ({ cluster, text: yaml(sentTo(cluster).map(({ value }) => value)) }));
  const named = ({ name }: Cluster) =>
    clusters.length > 1 && name !== undefined ? `# cluster ${printable(name)}\n` : '';
  return parts
    .filter(({ text }) => text !== '')
    .map(({ cluster, text }) => named(cluster) + text)
    .join('---\n');
}

/** Texts that kubectl, which reads YAML 1.1, would take for something else are quoted. */
function yaml(objects: readonly JsonObject[]): string {
  return objects
    .map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' }))
    .join('---\n');
}

function warnOfEncrypted({ kind, namespace, name }: ObjectRef, program: Program): void {
  const label = [kind, namespace, name].filter(Boolean).join('/');
  program.stderr.write(
    `warning  ${printable(label)} is encrypted, and is printed so; what Flux makes of it is not known\n`,
  );
}
