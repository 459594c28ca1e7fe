/** What comments cite of FACTS.md is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/cli.js';

const src = join(root, 'src');
const cited = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8').replace(/\n\s*(?:\*|\/\/)\s*/g, ' ');
    return [...text.matchAll(/(?:(\w+)\/)?FACTS\.md(?:, ([^);.]+))?/g)].map(
      ([, room, sections]) => [file, room ?? dirname(file).split('/')[0], sections] as const,
    );
  });

test.each(cited)('%s cites %s/FACTS.md, %s', (_, room, sections) => {
  const facts = join(src, String(room), 'FACTS.md');
  expect(existsSync(facts)).toBe(true);
  const headings = [...readFileSync(facts, 'utf8').matchAll(/^## (.*)$/gm)].map(([, heading]) => String(heading));
  const isThere = (section: string) => headings.some((one) => section === one || one.startsWith(`${section} `));
  const all = sections?.trim();
  if (all !== undefined && !isThere(all)) expect(all.split(' and ').filter((one) => !isThere(one))).toEqual([]);
});

test('something is cited', () => {
  expect(cited.length).toBeGreaterThan(20);
});
