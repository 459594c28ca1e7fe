/** Directories that cannot be built, or that are read only in part. */
import { kustomization } from '../../support/trees.js';
import { type Attacks, harmless, note, taken, tree } from './shapes.js';

const commit = '0123456789012345678901234567890123456789';
const url = `https://evil.example/p.yaml?ref=${commit}`;
const listed = (fields: Record<string, unknown>) => ({ 'kustomization.yaml': kustomization(fields) });
const calm = tree([note, harmless]);
const unjudged = [
  'unverifiable-change',
  'remote-base',
  'unbuildable-kustomization',
  'limit-reached',
  'chart-owned-field',
];
const withFields = (fields: Record<string, unknown>) => ({
  base: calm,
  head: tree([note, taken], listed({ resources: ['object-0.yaml', 'object-1.yaml'], ...fields })),
  rules: unjudged,
});

export const remoteBases: Attacks = {
  'a file by a URL with a commit': withFields({ resources: ['object-1.yaml', url] }),
  'a component': withFields({ components: [url] }),
  'a transformer': withFields({ transformers: [url] }),
  'a generator': withFields({ generators: [url] }),
  'a repository over ssh with a commit': withFields({
    resources: ['object-1.yaml', `ssh://git@evil.example/a/b//c?ref=${commit}`],
  }),
  'in a directory below': {
    base: tree([note], {
      'kustomization.yaml': kustomization({ resources: ['below'] }),
      'below/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
      'below/a.yaml': JSON.stringify(harmless),
    }),
    head: tree([note], {
      'kustomization.yaml': kustomization({ resources: ['below'] }),
      'below/kustomization.yaml': kustomization({ resources: ['a.yaml', url] }),
      'below/a.yaml': JSON.stringify(taken),
    }),
    rules: unjudged,
  },
};

/** The directory cannot be built before the change either. */
const oldRefusal = (fields: Record<string, unknown>, more: Record<string, string> = {}) => ({
  base: tree([note, harmless], { ...listed({ resources: ['object-0.yaml', 'object-1.yaml'], ...fields }), ...more }),
  head: tree([note, taken], { ...listed({ resources: ['object-0.yaml', 'object-1.yaml'], ...fields }), ...more }),
  rules: unjudged,
});
const large = 'a'.repeat(5 * 1024 * 1024);

export const oldRefusals: Attacks = {
  'a remote base': oldRefusal({ components: [url] }),
  'a file over the limit': oldRefusal(
    { resources: ['object-0.yaml', 'object-1.yaml', 'large.yaml'] },
    { 'large.yaml': `${JSON.stringify(note).replace('"note"', '"large"')}\n#${large}\n` },
  ),
  'a file over the limit in a generator': oldRefusal(
    { configMapGenerator: [{ name: 'dashboard', files: ['large.json'] }] },
    { 'large.json': `"${large}"` },
  ),
  'a file that is not there': oldRefusal({ resources: ['object-0.yaml', 'object-1.yaml', 'absent.yaml'] }),
  'a field that kustomize does not know': oldRefusal({ resource: ['object-0.yaml'] }),
  'a patch that is no patch': oldRefusal({ patches: [{ patch: '- op: none' }] }),
};
