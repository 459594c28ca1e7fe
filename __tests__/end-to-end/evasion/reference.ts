/** What Flux applies of a commit, by the real packages: a Go program that answers line by line (src/engine/parity/applied.go). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { goEnv, hasGo } from '../../../src/build/go.mjs';
import type { JsonObject } from '../../../src/core/model.js';
import { root } from '../../support/cli.js';
import { otherUrls, ownUrls } from './flux.js';
import type { PullRequest } from './repository.js';

export type Answer = {
  error?: string;
  objects: { by: string; value: JsonObject }[];
  undecided: string[];
  failed: string[];
  variables?: { [name: string]: string };
};

/** What the customizer's own Flux Kustomization says, as the platform makes it. */
const entrypoint = {
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name: 'cozystack-customizer', namespace: 'cozy-system' },
  spec: { path: './', prune: true, interval: '1m' },
};

/** Builds the program; undefined where there is no Go toolchain. */
export function startReference(): Reference | undefined {
  const file = join(root, 'src/engine/.build/applied');
  const options = {
    cwd: join(root, 'src/engine/parity'),
    encoding: 'utf8',
    env: goEnv(),
  } as const;
  if (!hasGo()) return undefined;
  const { status, stderr } = spawnSync('go', ['build', '-o', file, './cmd/applied'], options);
  if (status !== 0) throw new Error(stderr);
  // kustomize warns of every old field there.
  return new Reference(spawn(file, { stdio: ['pipe', 'pipe', 'ignore'] }));
}

export class Reference {
  readonly #waiting: ((line: string) => void)[] = [];
  constructor(readonly process: ChildProcess) {
    createInterface({ input: process.stdout as NodeJS.ReadableStream }).on('line', (line) =>
      this.#waiting.shift()?.(line),
    );
  }

  /** The objects that Flux applies of a commit; `existing` are in the cluster before. */
  ask({ folder }: PullRequest, commit: string, existing: readonly JsonObject[] = []): Promise<Answer> {
    const question = {
      repository: folder,
      commit,
      existing,
      entrypoint,
      sources: ['GitRepository/cozy-system/cozystack-customizer'],
      urls: Object.values(ownUrls),
      otherUrls,
    };
    return this.#send(question);
  }

  /** The variables of a Flux Kustomization, if the cluster has these objects. */
  variablesOf(kustomization: JsonObject, objects: readonly JsonObject[]): Promise<Answer> {
    return this.#send({ entrypoint: kustomization, inCluster: objects });
  }

  #send(question: object): Promise<Answer> {
    return new Promise((resolve) => {
      this.#waiting.push((line) => resolve(JSON.parse(line) as Answer));
      this.process.stdin?.write(`${JSON.stringify(question)}\n`);
    });
  }

  stop() {
    this.process.stdin?.end();
  }
}
