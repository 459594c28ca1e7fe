/** What a real API server answered, kept in a file, and the same steps asked of the module. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { JsonObject } from '../../../src/core/model.js';
import type { ApplyEngine } from '../../../src/engine/host/apply-engine.js';
import type { Operation } from '../../../src/engine/host/apply-protocol.js';
import { after, type Plain, plainly, type Said } from './answers.js';
import { operationOf, type Sequence } from './sequences.js';

const file = join(fileURLToPath(new URL('.', import.meta.url)), 'recorded.json.br');

/** A sequence with the server's answers and times. */
export type Recorded = { sequence: Sequence; answers: Pick<Said, 'answer' | 'time'>[] };

export function record(sequences: readonly Sequence[], asked: readonly Said[][]): void {
  const kept = sequences.map((sequence, index): Recorded => {
    const answers = (asked[index] ?? []).map(({ answer, time }) => ({ answer, ...(time && { time }) }));
    const { schema, ...kind } = sequence.kind;
    return { sequence: { ...sequence, kind }, answers };
  });
  writeFileSync(file, brotliCompressSync(JSON.stringify(kept)));
}

export function recorded(): Recorded[] {
  return JSON.parse(brotliDecompressSync(readFileSync(file)).toString());
}

/** The module's answers to the same steps, at the same times: all sequences in one call for each step. */
export async function again(
  engine: ApplyEngine,
  sequences: readonly Sequence[],
  said: readonly (readonly Pick<Said, 'time'>[])[],
): Promise<Plain[][]> {
  const out: Plain[][] = sequences.map(() => []);
  const live: (JsonObject | undefined)[] = [];
  const times: (string | undefined)[] = [];
  const longest = Math.max(...sequences.map(({ steps }) => steps.length));
  for (let at = 0; at < longest; at++) {
    const those = sequences.flatMap((one, index) => (one.steps[at] ? [{ one, index }] : []));
    const operations = those.flatMap(({ one, index }): Operation[] => {
      const now = said[index]?.[at]?.time ?? times[index] ?? '2026-01-01T00:00:00Z';
      times[index] = now;
      return [{ op: 'clock', now, step: 0 }, operationOf(one, one.steps[at] as Sequence['steps'][number], live[index])];
    });
    const answers = (await engine.ask(operations)).filter((_, index) => index % 2 === 1);
    those.forEach(({ one, index }, position) => {
      const answer = answers[position];
      const step = one.steps[at];
      if (!answer || !step) return;
      out[index]?.push(JSON.parse(JSON.stringify(plainly(answer, live[index]))));
      live[index] = after(step, answer, live[index]);
    });
  }
  return out;
}
