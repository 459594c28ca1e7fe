/** The API server without a server, as it is shipped: what a real one answered to the same writes, and what it costs to ask. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplyEngine } from '../../src/engine/host/apply-engine.js';
import type { Operation } from '../../src/engine/host/apply-protocol.js';
import { Budget, defaultLimits } from '../../src/engine/host/budget.js';
import { someOf } from '../support/sample.js';
import { agree } from './apply/answers.js';
import { definitions } from './apply/kinds.js';
import { again, recorded } from './apply/recorded.js';

const home = join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/engine');
let engine: ApplyEngine;

beforeAll(async () => {
  engine = await ApplyEngine.open(home);
  await engine.define(definitions);
});

afterAll(() => engine?.close());

const reset: Operation = { op: 'reset' };
const ref = { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', name: 'p' };

function create(variant: string): Operation {
  const { name, ...type } = ref;
  return { op: 'create', manager: 'helm-controller', object: { ...type, metadata: { name }, spec: { variant } } };
}

// Recorded by RECORD=1 SEED=1 SEQUENCES=250 npm run test:cluster -- apply-parity
test('every recorded sequence is answered as the API server answered it', async () => {
  const all = recorded();
  expect(all.length).toBeGreaterThanOrEqual(200);
  const kept = someOf(all, 1, ({ sequence }) => `${sequence.seed}`);
  await engine.ask([reset]);
  const answers = await again(
    engine,
    kept.map(({ sequence }) => sequence),
    kept.map(({ answers }) => answers),
  );
  const different = kept.flatMap(({ sequence, answers: theirs }, index) => {
    const at = theirs.findIndex(({ answer }, step) => !agree(answer, answers[index]?.[step]));
    return at < 0 ? [] : [{ seed: sequence.seed, step: at, server: theirs[at]?.answer, module: answers[index]?.[at] }];
  });
  expect(different).toEqual([]);
});

test('the same operations give the same bytes in another instance', async () => {
  const other = await ApplyEngine.open(home);
  try {
    await other.define(definitions);
    const operations = [reset, create('a'), create('b'), { op: 'get', ref } as const];
    expect(await other.ask(operations)).toEqual(await engine.ask(operations));
  } finally {
    await other.close();
  }
});

describe('the host', () => {
  test('calls at the same time are answered each by its own', async () => {
    const [, first, second] = await Promise.all([
      engine.ask([reset]),
      engine.ask([create('a')]),
      engine.ask([{ op: 'get', ref }]),
    ]);
    expect([first?.[0]?.status, second?.[0]?.status]).toEqual([201, 200]);
  });

  test('a wrong call throws, and the next one is answered', async () => {
    await expect(engine.define([{ kind: 'CustomResourceDefinition' }])).rejects.toThrow('no version is stored');
    await expect(engine.ask([{ op: 'restore', name: 'never' }])).rejects.toThrow('there is no snapshot "never"');
    expect(await engine.ask([reset])).toEqual([{ status: 200 }]);
  });

  test('what takes too long ends its thread', async () => {
    const impatient = await ApplyEngine.open(home, new Budget({ ...defaultLimits, seconds: 0.001 }));
    await expect(impatient.define(definitions)).rejects.toThrow('the 0.001 s for the whole run are used up');
    await expect(impatient.ask([reset])).rejects.toThrow(/ended|used up/);
  });

  test('a module that is not there is said so', async () => {
    await expect(ApplyEngine.open('/nowhere')).rejects.toThrow('ENOENT');
  });
});
