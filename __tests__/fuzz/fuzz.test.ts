/** Fuzz targets of the TypeScript side: what was found before, then a fixed number of inputs (FUZZ_MINUTES: for so long). */
import { describe, test } from '@jest/globals';
import { comments } from './comments.js';
import { names } from './names.js';
import { positions } from './positions.js';
import { reports } from './reports.js';
import { fuzz, type Target } from './target.js';

const minutes = Number(process.env.FUZZ_MINUTES ?? 0);

describe('any input is borne by', () => {
  test.each([comments, positions, names, reports] as Target<never>[])(
    '$name',
    async (target) => {
      const count = await fuzz(target);
      if (minutes > 0) console.log(`${target.name}: ${count} inputs in ${minutes} minutes`);
    },
    (minutes + 2) * 60_000,
  );
});
