/** Where charts may come from: what is in them is the same everywhere, and an archive that means harm is refused. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Header, type HeaderData } from 'tar';
import { readArchive } from '../../src/charts/archive.js';
import { type ChartStore, openChartFolder, openCharts } from '../../src/charts/store.js';
import { digestOf } from '../../src/registry/manifest.js';
import { chartsFolder, makeArtifact, tarOf, writeArtifact } from '../support/artifact.js';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  folders.push(folder);
  return folder;
}

const open = (where: string) => openCharts(where, { home: '', env: {} });

async function openBytes(bytes: Uint8Array, name = 'charts.tgz'): Promise<ChartStore> {
  const file = join(newFolder(), name);
  writeFileSync(file, bytes);
  return open(file);
}

/** What a store has, of every folder that anybody may ask for. */
function contentOf(store: ChartStore) {
  const asked = [
    '',
    'core',
    'core/platform',
    'core/platform/',
    './system//metallb',
    'system',
    '../library/names',
    'nowhere',
    'core/platform/Chart.yaml',
    'core/platform/Chart.yaml/x',
  ];
  return asked.map((folder) => [
    folder,
    store.files(folder).map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]),
  ]);
}

describe('what is in the charts does not depend on what they come in', () => {
  const whole = contentOf(openChartFolder(chartsFolder));

  test('there is something to compare', () => {
    expect(whole.find(([folder]) => folder === 'core/platform')?.[1]?.length).toBeGreaterThan(2);
    expect(whole.find(([folder]) => folder === './system//metallb')?.[1]?.length).toBeGreaterThan(4);
    expect(whole.find(([folder]) => folder === 'nowhere')?.[1]).toEqual([]);
  });

  test.each([
    ['as the artifact has it', ''],
    ['in packages/', 'packages'],
    ['below one folder', 'top'],
    ['as GitHub packs a checkout', 'cozystack-1.6.2/packages'],
  ])('%s', async (_, prefix) => {
    const tar = tarOf(chartsFolder, prefix);
    expect(contentOf(await openBytes(gzipSync(tar)))).toEqual(whole);
    expect(contentOf(await openBytes(tar, 'charts.tar'))).toEqual(whole);
  });

  test('an OCI layout', async () => {
    expect(contentOf(await open(writeArtifact(newFolder(), makeArtifact())))).toEqual(whole);
  });

  test('what Flux leaves out of an artifact, and links, are left out', async () => {
    const folder = newFolder();
    const platform = join(folder, 'core/platform');
    mkdirSync(join(platform, '.git'), { recursive: true });
    mkdirSync(join(platform, 'files'));
    for (const name of ['Chart.yaml', '.gitignore', 'logo.png', '.git/config', 'files/a', 'files/b.zip', 'files.yaml'])
      writeFileSync(join(platform, name), name);
    symlinkSync('Chart.yaml', join(platform, 'link'));
    symlinkSync('/etc', join(platform, 'etc'));
    const expected = ['Chart.yaml', 'files/a', 'files.yaml'];
    const names = (store: ChartStore) => store.files('core/platform').map(({ path }) => path);
    expect(names(await open(folder))).toEqual(expected);
    expect(names(await openBytes(tarOf(folder)))).toEqual(expected);
    symlinkSync('core', join(folder, 'linked'));
    for (const store of [await open(folder), await openBytes(tarOf(folder))])
      expect(['linked', 'linked/platform', 'core/platform/link'].map((one) => store.files(one))).toEqual([[], [], []]);
  });
});

type Entry = Partial<HeaderData> & { body?: Buffer };
const chart: Entry = { path: 'core/platform/Chart.yaml', body: Buffer.from('name: platform\n') };

/** As no program writes it. */
function tarWith(...entries: Entry[]): Buffer {
  const blocks = entries.flatMap(({ body = Buffer.alloc(0), ...data }) => {
    const header = new Header({ mode: 0o644, type: 'File', size: body.length, mtime: new Date(0), ...data });
    header.encode();
    const padding = Buffer.alloc((512 - (body.length % 512)) % 512);
    return [header.block as Buffer, body, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

describe('an archive that means harm', () => {
  test('the charts alone are none', async () => {
    expect((await openBytes(tarWith(chart))).files('core').length).toBe(1);
  });

  test.each<[string, Entry[], RegExp]>([
    ['a way out', [{ path: '../evil' }], /a name that is not allowed in an artifact: "\.\.\/evil"/],
    ['a way out in the middle', [{ path: 'core/../../evil' }], /a name that is not allowed/],
    ['a way out at the end', [{ path: 'core/..' }], /a name that is not allowed/],
    ['an absolute path', [{ path: '/etc/passwd' }], /a name that is not allowed/],
    ['a backslash', [{ path: 'core\\x' }], /a name that is not allowed/],
    [
      'a hard link',
      [{ path: 'x', type: 'Link', linkpath: 'core/platform/Chart.yaml' }],
      /neither file nor folder: "x" \(Link\)/,
    ],
    ['a device', [{ path: 'x', type: 'CharacterDevice' }], /neither file nor folder: "x" \(CharacterDevice\)/],
    ['a pipe', [{ path: 'x', type: 'FIFO' }], /neither file nor folder/],
    ['a file that is a folder', [{ path: 'core/platform' }], /"core\/platform" as a file and as a folder/],
    ['a folder that is a file', [{ path: 'core/platform/Chart.yaml/x' }], /as a file and as a folder/],
    ['too many folders', [{ path: `${'a/'.repeat(65)}b` }], /a path of more than 1024 characters or 64 folders/],
  ])('%s', async (_, entries, words) => {
    await expect(openBytes(tarWith(chart, ...entries))).rejects.toThrow(words);
  });

  test('a name that is not UTF-8', async () => {
    const tar = tarWith(chart, { path: 'core/x' });
    const at = tar.indexOf('core/x');
    tar[at + 5] = 0xff;
    const header = tar.subarray(at, at + 512);
    header.write('        ', 148, 'latin1');
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    await expect(openBytes(tar)).rejects.toThrow('a name that is not allowed');
  });

  test('a long name', async () => {
    const name = Buffer.from(`core/${'x'.repeat(2000)}\0`);
    const long: Entry = { path: '././@LongLink', type: 'NextFileHasLongPath', body: name };
    await expect(openBytes(tarWith(chart, long, { path: 'core/x' }))).rejects.toThrow('more than 1024 characters');
    const longer: Entry = { ...long, body: Buffer.alloc((1 << 20) + 1, 'x') };
    await expect(openBytes(tarWith(chart, longer, { path: 'core/x' }))).rejects.toThrow('longer than 1 MiB');
  });

  test('what unpacks to far more than it is', async () => {
    const bomb = gzipSync(Buffer.alloc((256 << 20) + 1), { level: 1 });
    expect(bomb.length).toBeLessThan(4 << 20);
    await expect(openBytes(bomb)).rejects.toThrow('has more than 256 MiB unpacked');
    await expect(openBytes(gzipSync(gzipSync(tarWith(chart))))).rejects.toThrow('is packed with gzip twice');
  });

  test('more entries than anybody has', async () => {
    const block = tarWith({ path: 'x' }).subarray(0, 512);
    const many = Buffer.concat([...Array(50_001).fill(block), Buffer.alloc(1024)]);
    await expect(openBytes(many)).rejects.toThrow('has more than 50000 entries');
  });

  test.each<[string, Buffer, RegExp]>([
    ['nothing', Buffer.alloc(0), /is no tar that can be read|has no charts/],
    [
      'a text',
      Buffer.from('core/platform/Chart.yaml'.repeat(100)),
      /is no tar that can be read \(\.tar, \.tar\.gz, \.tgz\)/,
    ],
    [
      'half of a tar',
      tarWith({ ...chart, body: Buffer.alloc(4096, 'x') }).subarray(0, 2048),
      /is no tar that can be read/,
    ],
    ['half of a gzip', gzipSync(tarWith(chart)).subarray(0, 60), /is no gzip that can be read/],
    ['charts of something else', tarWith({ path: 'core/other/Chart.yaml' }), /has no charts of Cozystack/],
    [
      'two folders at the top',
      tarWith({ ...chart, path: `a/${chart.path}` }, { path: 'b/x' }),
      /has no charts of Cozystack/,
    ],
  ])('%s', async (_, bytes, words) => {
    await expect(openBytes(bytes)).rejects.toThrow(words);
  });

  test('of two files of one name the last counts, as where they are unpacked', async () => {
    const store = await openBytes(tarWith(chart, { ...chart, body: Buffer.from('second') }));
    expect(store.files('core/platform').map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['second']);
  });

  test('the names of objects are names of files as others are', async () => {
    const store = await openBytes(tarWith(chart, { path: '__proto__/constructor', body: Buffer.from('x') }));
    expect(store.files('__proto__').map(({ path }) => path)).toEqual(['constructor']);
    expect(store.files('constructor')).toEqual([]);
  });

  test('is read once for all folders', async () => {
    const root = await readArchive(tarWith(chart), 'it');
    expect([...root.keys()]).toEqual(['core']);
  });
});

describe('an OCI layout', () => {
  const artifact = makeArtifact();
  const changed = async (change: (folder: string) => void) => {
    const folder = writeArtifact(newFolder(), artifact);
    change(folder);
    return open(folder);
  };
  const blob = (folder: string, digest: string) => join(folder, 'blobs/sha256', digest.slice(7));

  test.each<[string, (folder: string) => void, RegExp]>([
    ['without an index', (folder) => rmSync(join(folder, 'index.json')), /index\.json does not exist/],
    [
      'with an index that is no JSON',
      (folder) => writeFileSync(join(folder, 'index.json'), '{'),
      /index\.json is not JSON/,
    ],
    [
      'with several',
      (folder) => writeFileSync(join(folder, 'index.json'), '{"manifests":[{},{}]}'),
      /has not one manifest/,
    ],
    [
      'with a path for a digest',
      (folder) => writeFileSync(join(folder, 'index.json'), '{"manifests":[{"digest":"sha256:../../x","size":1}]}'),
      /has no digest of SHA-256/,
    ],
    ['without its manifest', (folder) => rmSync(blob(folder, artifact.digest)), /does not exist/],
    [
      'with another manifest',
      (folder) => writeFileSync(blob(folder, artifact.digest), '{}'),
      /has the digest sha256:44136fa3/,
    ],
    ['without its layer', (folder) => rmSync(blob(folder, artifact.layer.digest)), /does not exist/],
    [
      'with another layer',
      (folder) => writeFileSync(blob(folder, artifact.layer.digest), Buffer.alloc(artifact.layer.bytes.length)),
      /has the digest sha256:/,
    ],
    [
      'with a longer layer',
      (folder) => writeFileSync(blob(folder, artifact.layer.digest), Buffer.alloc(1e6)),
      /has 1000000 bytes, and \d+ at most/,
    ],
    [
      'with a shorter layer',
      (folder) => writeFileSync(blob(folder, artifact.layer.digest), ''),
      /has 0 bytes, and the manifest says/,
    ],
    [
      'with a link for a layer',
      (folder) => {
        const layer = blob(folder, artifact.layer.digest);
        renameSync(layer, join(folder, 'elsewhere'));
        symlinkSync(join(folder, 'elsewhere'), layer);
      },
      /does not exist/,
    ],
  ])('%s', async (_, change, words) => {
    await expect(changed(change)).rejects.toThrow(words);
  });

  test('is the one that charts pull writes', () => {
    expect(digestOf(artifact.manifest)).toBe(artifact.digest);
    const folder = writeArtifact(newFolder(), artifact);
    expect(readdirSync(join(folder, 'blobs/sha256')).length).toBe(3);
    expect(readFileSync(join(folder, 'oci-layout'), 'utf8')).toContain('1.0.0');
  });
});

test('what is larger than charts are is not read', async () => {
  const file = join(newFolder(), 'charts.tar');
  writeFileSync(file, '');
  truncateSync(file, (256 << 20) + 1);
  await expect(open(file)).rejects.toThrow('charts.tar has more than 256 MiB');
  const folder = newFolder();
  mkdirSync(join(folder, 'core/platform'), { recursive: true });
  for (const name of ['Chart.yaml', 'a', 'b']) writeFileSync(join(folder, 'core/platform', name), '');
  const store = await open(folder);
  truncateSync(join(folder, 'core/platform/a'), 100 << 20);
  writeFileSync(join(folder, 'core/platform/b'), 'x');
  expect(() => store.files('core/platform')).toThrow(/core\/platform has more than 20000 files or 100 MiB/);
});

test('what is not there is said', async () => {
  await expect(open('/nowhere/charts.tgz')).rejects.toThrow('/nowhere/charts.tgz does not exist');
});
