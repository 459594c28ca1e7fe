/** Flux objects that make Flux objects without an end. */
import { expect, test } from '@jest/globals';
import type { Entrypoint } from '../../src/core/model.js';
import { follow, maxEntrypoints } from '../../src/discover/follow.js';

test('more directories than any repository has are cut, and none of them is built', async () => {
  const entrypoints = Array.from(
    { length: maxEntrypoints + 1 },
    (_, index): Entrypoint => ({
      ...{ path: `apps/${index}`, why: 'because', kustomization: {} },
    }),
  );
  const built: string[] = [];
  const build = async (entrypoint: Entrypoint) => {
    built.push(entrypoint.path);
    return { ok: true as const, entrypoint, objects: [], files: [] } as never;
  };
  const followed = async (found: Entrypoint[]) => follow([], () => ({ entrypoints: found, skipped: [] }), build);
  const cut = await followed(entrypoints);
  expect([cut.cut, cut.entrypoints.length, built.length]).toEqual(['directories', maxEntrypoints, 0]);
  const whole = await followed(entrypoints.slice(1));
  expect([whole.cut, whole.entrypoints.length, built.length]).toEqual([undefined, maxEntrypoints, maxEntrypoints]);
});
