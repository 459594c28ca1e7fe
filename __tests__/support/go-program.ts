/** Programs of the tests that ask a part which nobody here wrote, by a request and an answer a line, each with its own go.mod. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { goEnv } from '../../src/build/go.mjs';
import { root } from './cli.js';

/** A folder beside this file, with main.go, go.mod and go.sum. */
export class GoProgram {
  readonly #source: string;
  readonly #file: string;

  constructor(name: string) {
    this.#source = join(root, '__tests__/support', name);
    const texts = ['main.go', 'go.mod', 'go.sum'].map((one) => readFileSync(join(this.#source, one), 'utf8'));
    const sum = createHash('sha256').update(texts.join('')).digest('hex').slice(0, 12);
    this.#file = join(root, '.cache/bin', `${name}-${sum}`);
  }

  get isBuilt(): boolean {
    return existsSync(this.#file);
  }

  /** Its file. It is built once for each text that it has, which takes a minute or two. */
  build(): string {
    if (this.isBuilt) return this.#file;
    // Two suites may build it at once.
    const own = `${this.#file}-${process.pid}`;
    execFileSync('go', ['build', '-p=2', '-o', own, '.'], { cwd: this.#source, env: goEnv(), stdio: 'inherit' });
    renameSync(own, this.#file);
    return this.#file;
  }

  /** The answer to each request, without an environment. */
  ask<Answer>(requests: readonly object[]): Answer[] {
    const { stdout, status, stderr } = spawnSync(this.build(), {
      input: requests.map((request) => JSON.stringify(request)).join('\n'),
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      env: {},
    });
    if (status !== 0) throw new Error(stderr);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Answer);
  }
}
