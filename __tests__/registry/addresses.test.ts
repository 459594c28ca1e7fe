/** Which addresses are those of the internet, and who in the source may open a connection for charts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isPublicAddress } from '../../src/registry/addresses.js';
import { ask } from '../../src/registry/ask.js';
import { root } from '../support/cli.js';

describe('an address of the internet', () => {
  test.each([
    ...['8.8.8.8', '140.82.121.34', '172.15.255.255', '172.32.0.1', '192.167.255.255', '100.63.0.1', '223.255.255.255'],
    ...['2606:4700::1111', '2a00:1450:4001::200e', '64:ff9b::8c52:7922', '64:ff9b::808:808', '64:ff9b::c000:101'],
  ])('%s is one', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ...[
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.255',
      '169.254.169.254',
      '172.16.0.1',
    ],
    ...['172.31.255.255', '192.0.0.170', '192.168.1.1', '198.19.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::ffff:7f00:1',
      'fc00::1',
      'fd12:3456::1',
      'fe80::1',
      'fe80::1%eth0',
    ],
    ...[
      'fec0::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '2001::1',
      '64:ff9b::7f00:1',
      '64:ff9b::a00:1',
      '64:ff9b::cb00:7101',
      '64:ff9b::',
    ],
    ...['64:ff9b:1::808:808', '100::1', '', 'localhost', '127.1', '8.8.8.8:80'],
  ])('%s is none', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

test('no other host than those that are named is asked', async () => {
  const network = { allowPrivate: true, hosts: new Set(['a.example']), silence: 1, signal: AbortSignal.timeout(1000) };
  await expect(ask(new URL('https://b.example/x'), {}, network)).rejects.toThrow(
    'b.example is no host of this registry',
  );
});

test('one command alone pulls', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const importing = (module: string) =>
    files.filter((file) =>
      new RegExp(`from '[^']*/${module}\\.js'`).test(readFileSync(join(root, 'src', file), 'utf8')),
    );
  expect(importing('pull')).toEqual(['cli/charts.ts']);
  expect(importing('ask')).toEqual(['registry/client.ts', 'registry/pull.ts']);
});
