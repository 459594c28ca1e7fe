/** Flux's reconcile of a repository on a test's API server: the driver on Flux's own packages (__tests__/end-to-end/cluster/flux). */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../end-to-end/cluster/build.mjs';
import type { Cluster } from './cluster.js';

export type Reference = { id: string; v: string };

// biome-ignore lint/suspicious/noExplicitAny: objects are of every kind, and a test reads what it expects to be there
export type LiveObject = any;

export type FluxKustomization = {
  metadata: { name: string; namespace: string };
  spec: {
    path?: string;
    prune?: boolean;
    force?: boolean;
    serviceAccountName?: string | undefined;
    [field: string]: unknown;
  };
};

export type ReconcileRequest = {
  kustomization: FluxKustomization;
  /** What the answer to the reconcile before said: without it nothing is pruned. */
  inventory?: readonly Reference[];
} & ({ directory: string } | { objects: readonly unknown[] });

export type Reconciled = {
  ready: boolean;
  /** Of the Ready condition. */
  reason: 'ReconciliationSucceeded' | 'ArtifactFailed' | 'BuildFailed' | 'ReconciliationFailed' | 'PruneFailed';
  /** Of the Ready condition; paths of the temporary directory stand as $TMPDIR. */
  message: string;
  /** As the controller's events name them: `Package/cozystack.metallb` is `configured`. */
  changes: { object: string; action: string }[];
  inventory: Reference[];
  /** Those of the inventories, before and after, as they are in the cluster now. */
  objects: LiveObject[];
};

/** Reconciles once, as the service account that the Flux Kustomization names. Takes a fraction of a second. */
export async function reconcile(cluster: Cluster, request: ReconcileRequest): Promise<Reconciled> {
  const driver = join(build('flux'), 'fluxreconcile');
  const { status, stdout, stderr } = await run(driver, [cluster.kubeconfig], JSON.stringify(request));
  if (status !== 0) throw new Error(`fluxreconcile: ${stderr}`);
  const answer: Reconciled = JSON.parse(stdout);
  return { ...answer, message: temporary(answer.message) };
}

/** The message without the name of the temporary directory, which differs each time. */
export function temporary(message: string): string {
  return message.replaceAll(tmpdir(), '$TMPDIR').replace(/\$TMPDIR\/kustomization-\d+/g, '$TMPDIR/kustomization');
}

type Output = { status: number | null; stdout: string; stderr: string };

function run(program: string, args: string[], input: string): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'pipe' });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text) => {
        output[name] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...output }));
    child.stdin.end(input);
  });
}
