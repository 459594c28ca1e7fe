/** What files and folders may be called, and how a kustomization or a Flux object may spell the way to them. */
import type { Random } from './writing.js';

const nfd = 'u\u0308';
const nfc = '\u00fc';

/** By what is odd about it; `n` tells the files of a folder apart. A lone surrogate U+DC80..DCFF stands for a byte that is no UTF-8. */
export const fileNames: Record<string, (n: number) => string> = {
  yaml: (n) => `f${n}.yaml`,
  yml: (n) => `f${n}.yml`,
  json: (n) => `f${n}.json`,
  txt: (n) => `f${n}.txt`,
  'upper case': (n) => `F${n}.YAML`,
  'mixed case': (n) => `f${n}.Yaml`,
  'no extension': (n) => `f${n}`,
  'another extension': (n) => `f${n}.${['conf', 'patch', 'tpl', 'md', 'png', 'lock', 'yaml.bak', 'sh', 'gz'][n % 9]}`,
  space: (n) => `f ${n}.yaml`,
  'space at the end': (n) => `f${n}.yaml `,
  tab: (n) => `f${n}.yaml\tz`,
  'tab before': (n) => `\tf${n}.yaml`,
  'line break': (n) => `f\n${n}.yaml`,
  'carriage return': (n) => `f${n}.yaml\r`,
  quote: (n) => `f"${n}'.yaml`,
  backslash: (n) => `f\\${n}.yaml`,
  'leading dash': (n) => `-f${n}.yaml`,
  'dot file': (n) => `.f${n}.yaml`,
  'dot at the end': (n) => `f${n}.`,
  dots: (n) => `..f${n}..yaml`,
  'composed letter': (n) => `${nfc}${n}.yaml`,
  'decomposed letter': (n) => `${nfd}${n}.yaml`,
  'right to left': (n) => `f\u202e${n}.yaml`,
  'no-break space': (n) => `f\u00a0${n}.yaml`,
  'zero width': (n) => `f\u200b${n}.yaml`,
  emoji: (n) => `f\u{1f600}${n}.yaml`,
  'line separator': (n) => `f\u2028${n}.yaml`,
  percent: (n) => `f%2e${n}.yaml`,
  hash: (n) => `f#${n}.yaml`,
  'question mark': (n) => `f${n}?ref=x`,
  colon: (n) => `f:${n}.yaml`,
  star: (n) => `*${n}.yaml`,
  brackets: (n) => `[f${n}].yaml`,
  variable: (n) => `\${f${n}}.yaml`,
  'at sign': (n) => `f@${n}.yaml`,
  deep: (n) => `a/b/c/d/e/f${n}.yaml`,
  'hidden folder': (n) => `.h/f${n}.yaml`,
  'folder of GitHub': (n) => `.github/f${n}.yaml`,
  'folder like a file': (n) => `x${n}.yaml/f.yaml`,
  'folder with a tab': (n) => `x\t${n}/f.yaml`,
  'folder of dots': (n) => `.../f${n}.yaml`,
  'prototype key': (n) => ['__proto__', 'constructor', 'toString', 'hasOwnProperty'][n % 4] as string,
  'configuration of the linter': (n) => `.customizer-lint.${n}.yaml`,
  'flux sync': (n) => (n === 0 ? 'flux-system/gotk-sync.yaml' : `flux-system/f${n}.yaml`),
  'encrypted by name': (n) => `f${n}.sops.yaml`,
  'long name': (n) => `${'f'.repeat(200)}${n}.yaml`,
  license: (n) => (n === 0 ? 'LICENSE' : `README${n}.md`),
};

export const folderNames: Record<string, (n: number) => string> = {
  plain: (n) => `apps${n}`,
  deep: (n) => `a/b${n}/c`,
  hidden: (n) => `.apps${n}`,
  'of GitHub': (n) => `.github/x${n}`,
  space: (n) => `my apps ${n}`,
  tab: (n) => `apps\t${n}`,
  'like a file': (n) => `apps${n}.yaml`,
  'of clusters': (n) => `clusters/c${n}`,
  'not ASCII': (n) => `${nfd}pps${n}`,
  'upper case': (n) => `APPS${n}`,
  'flux-system': (n) => `flux-system${n}`,
  tests: (n) => `docs/examples${n}`,
  'node modules': (n) => `node_modules/x${n}`,
  'line break': (n) => `a\nb${n}`,
  vendor: (n) => `vendor/charts${n}`,
  dots: (n) => `..${n}`,
};

/** A way from the folder of a kustomization to a file or folder below the repository's root. */
export function spellReference(from: string, to: string, random: Random): { text: string; label: string } {
  const plain = relative(from, to);
  if (random.chance(0.7)) return { text: plain, label: '' };
  const ways: Record<string, string> = {
    './': `./${plain}`,
    './/': `.//${plain}`,
    'a/../': `nowhere/../${plain}`,
    '././': `././${plain}`,
    'over the parent': from === '.' ? `./${plain}` : `../${from.split('/').at(-1)}/${plain}`,
    'double slash': plain.replace('/', '//'),
    'slash at the end': `${plain}/`,
    'dot at the end': `${plain}/.`,
  };
  const label = random.pick(Object.keys(ways));
  return { text: ways[label] ?? plain, label };
}

/** `spec.path` of a Flux object. */
export function spellPath(path: string, random: Random): { text: string; label: string } {
  if (random.chance(0.5)) return { text: `./${path}`, label: '' };
  const ways: Record<string, string> = {
    bare: path,
    'from the root': `/${path}`,
    'slash at the end': `./${path}/`,
    'over another': `./nowhere/../${path}`,
    'dot at the end': `${path}/.`,
    'double slash': `//${path}`,
    'above the root': `../../${path}`,
    './/': `.//${path}//`,
  };
  const label = random.pick(Object.keys(ways));
  return { text: ways[label] ?? path, label };
}

export function relative(from: string, to: string): string {
  const [a, b] = [from, to].map((path) => (path === '.' ? [] : path.split('/'))) as [string[], string[]];
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  return [...a.slice(same).map(() => '..'), ...b.slice(same)].join('/') || '.';
}
