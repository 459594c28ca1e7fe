/**
 * Changes of a clean repository, each of a kind that is written down: what people do, rightly or not. What becomes of it nothing here
 * says: that is for Flux and for the check.
 */

import { type Document, isMap, isScalar, isSeq, type Pair, parseAllDocuments, type YAMLMap } from 'yaml';

/** Texts by path. */
export type Repo = Map<string, string>;
export type Random = (below: number) => number;

/** False where the repository has nothing that can be changed so. */
export type Change = (repo: Repo, random: Random) => boolean;

type Found = { path: string; documents: Document[]; document: Document; root: YAMLMap };

const isManifest = (path: string) => /\.ya?ml$/.test(path) && !path.startsWith('.');
const pick = <T>(random: Random, items: readonly T[]): T | undefined => items[random(items.length)];

function documentsOf(text: string): Document[] {
  const all = parseAllDocuments(text);
  return Array.isArray(all) ? (all as Document[]) : [];
}

function manifests(repo: Repo, fits: (root: YAMLMap) => boolean): Found[] {
  return [...repo].flatMap(([path, text]) => {
    if (!isManifest(path)) return [];
    const documents = documentsOf(text);
    if (documents.some(({ errors }) => errors.length > 0)) return [];
    return documents.flatMap((document) => {
      const root = document.contents;
      return isMap(root) && fits(root) ? [{ path, documents, document, root }] : [];
    });
  });
}

const kindOf = (root: YAMLMap) => String(root.get('kind') ?? '');
const isKustomization = (root: YAMLMap) =>
  kindOf(root) === 'Kustomization' && String(root.get('apiVersion')).startsWith('kustomize.config');
const isObject = (root: YAMLMap) => root.has('kind') && root.has('metadata') && !isKustomization(root);
const isOf =
  (...kinds: string[]) =>
  (root: YAMLMap) =>
    isObject(root) && kinds.includes(kindOf(root));

function write(repo: Repo, { path, documents }: Found): true {
  repo.set(
    path,
    documents
      .map((one) => one.toString({ lineWidth: 0 }))
      .join('---\n')
      .replace(/---\n---\n/g, '---\n'),
  );
  return true;
}

/** Changes one object of those that fit. */
const on =
  (fits: (root: YAMLMap) => boolean, change: (found: Found, random: Random) => boolean | undefined): Change =>
  (repo, random) => {
    const found = pick(random, manifests(repo, fits));
    return found !== undefined && change(found, random) !== false && write(repo, found);
  };

const set =
  (path: (string | number)[], value: unknown) =>
  ({ document }: Found) => {
    document.setIn(path, document.createNode(value));
    return true;
  };

/** A pair somewhere below a field. */
function somePair({ root }: Found, random: Random, below: string, fits: (pair: Pair) => boolean = () => true) {
  const all: { map: YAMLMap; pair: Pair }[] = [];
  const walk = (node: unknown) => {
    if (isMap(node))
      for (const pair of node.items) {
        if (fits(pair)) all.push({ map: node, pair });
        walk(pair.value);
      }
    if (isSeq(node)) node.items.forEach(walk);
  };
  walk(root.get(below, true));
  return pick(random, all);
}

const inSpec =
  (fits: (pair: Pair) => boolean, change: (map: YAMLMap, pair: Pair, document: Document) => void) =>
  (found: Found, random: Random) => {
    const one = somePair(found, random, 'spec', fits);
    if (!one) return false;
    change(one.map, one.pair, found.document);
    return true;
  };

const keyOf = (pair: Pair) => (isScalar(pair.key) ? String(pair.key.value) : '');
const scalarOf = (pair: Pair) => (isScalar(pair.value) ? pair.value.value : undefined);

/** A new file that the root, or the first kustomization there is, lists. */
const add =
  (name: string, ...texts: string[]): Change =>
  (repo) => {
    const [first] = manifests(repo, isKustomization);
    if (!first) return false;
    const folder = first.path.slice(0, first.path.lastIndexOf('/') + 1);
    repo.set(`${folder}${name}`, texts.join('---\n'));
    const resources = first.root.get('resources');
    if (isSeq(resources)) resources.add(first.document.createNode(name));
    else first.document.set('resources', first.document.createNode([name]));
    return write(repo, first);
  };

const object = (
  apiVersion: string,
  kind: string,
  name: string,
  rest: object,
  namespace: string | null = 'cozy-customizer',
) =>
  `${JSON.stringify({ apiVersion, kind, metadata: { name, ...(namespace !== null && { namespace }) }, ...rest }, null, 1)}\n`;

const inKustomization = (change: (found: Found, random: Random) => boolean | undefined): Change =>
  on(isKustomization, change);

const append = (field: string, value: unknown) =>
  inKustomization(({ document, root }) => {
    const list = root.get(field);
    if (isSeq(list)) list.add(document.createNode(value));
    else document.set(field, document.createNode([value]));
    return true;
  });

const annotate = (key: string, value: string, fits = isObject) =>
  on(fits, set(['metadata', 'annotations', key], value));

const flux = (setting: string) => `kustomize.toolkit.fluxcd.io/${setting}`;
const isPackage = isOf('Package');

const text =
  (change: (text: string, random: Random) => string | undefined): Change =>
  (repo, random) => {
    const path = pick(random, [...repo.keys()].filter(isManifest));
    const changed = path === undefined ? undefined : change(repo.get(path) as string, random);
    if (path === undefined || changed === undefined || changed === repo.get(path)) return false;
    repo.set(path, changed);
    return true;
  };

/** A line somewhere, by what it looks like. */
const line = (fits: RegExp, change: (line: string) => string) =>
  text((all, random) => {
    const lines = all.split('\n');
    const index = pick(
      random,
      lines.flatMap((one, at) => (fits.test(one) ? [at] : [])),
    );
    if (index === undefined) return undefined;
    lines[index] = change(lines[index] as string);
    return lines.join('\n');
  });

const listed = (change: (item: string) => string | undefined) =>
  inKustomization(({ root, document }, random) => {
    const list = root.get('resources');
    if (!isSeq(list) || list.items.length === 0) return false;
    const index = random(list.items.length);
    const item = String((list.items[index] as { value?: unknown }).value);
    const changed = change(item);
    if (changed === undefined) list.items.splice(index, 1);
    else list.items[index] = document.createNode(changed);
    return true;
  });

const deployment = (more: object) => ({
  spec: {
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
    ...more,
  },
});

export const changes: { readonly [kind: string]: Change } = {
  // The same in another way, and what is right.
  'a comment': text((all) => `# a comment\n${all}`),
  'a label': on(isObject, set(['metadata', 'labels', 'team'], 'platform')),
  'an annotation': on(isObject, set(['metadata', 'annotations', 'example.org/owner'], 'platform')),
  'a new ConfigMap': add('new.yaml', object('v1', 'ConfigMap', 'new', { data: { a: 'b' } })),
  'a new Deployment': add('new.yaml', object('apps/v1', 'Deployment', 'new', deployment({}))),
  'a new NetworkPolicy': add(
    'new.yaml',
    object('networking.k8s.io/v1', 'NetworkPolicy', 'new', { spec: { podSelector: {} } }),
  ),
  'a file that nothing lists': (repo) => {
    repo.set('unlisted.yaml', object('v1', 'ConfigMap', 'unlisted', {}));
    return true;
  },
  'a file of another kind': (repo) => {
    repo.set('notes.md', '# notes\n');
    return true;
  },
  // Spelling.
  'a misspelt kind': line(/^kind: \w+$/, (one) => `${one}s`),
  'a misspelt group': line(/^apiVersion: [\w.]+\/v/, (one) => one.replace('/', 's/')),
  'another version': line(/^apiVersion: .*v\d/, (one) => one.replace(/v\d+\w*$/, 'v9')),
  'a misspelt field of the spec': on(
    isObject,
    inSpec(
      () => true,
      (_, pair, document) => {
        pair.key = document.createNode(`${keyOf(pair)}x`);
      },
    ),
  ),
  'a misspelt field at the top': line(/^(?:spec|data|metadata):$/, (one) => one.replace(':', 's:')),
  'a misspelt field of a kustomization': inKustomization(({ root, document }, random) => {
    const pair = pick(
      random,
      root.items.filter((one) => !['apiVersion', 'kind'].includes(keyOf(one))),
    );
    if (!pair) return false;
    pair.key = document.createNode(`${keyOf(pair)}x`);
    return true;
  }),
  'a misspelt resource': listed((item) => `x${item}`),
  'a name with capitals': on(isObject, ({ root, document }) => {
    document.setIn(['metadata', 'name'], `X${root.getIn(['metadata', 'name'])}`);
    return true;
  }),
  'a name that is too long': on(isObject, set(['metadata', 'name'], 'a'.repeat(300))),
  'a label with spaces': on(isObject, set(['metadata', 'labels', 'team'], 'two words')),
  'a key of a label with two slashes': on(isObject, set(['metadata', 'labels', 'a/b/c'], 'x')),
  'a number for a label': on(isObject, set(['metadata', 'labels', 'version'], 1)),
  'a number for an annotation': on(isObject, set(['metadata', 'annotations', 'version'], 1.5)),
  'a true for an annotation': on(isObject, set(['metadata', 'annotations', 'on'], true)),
  // Types.
  'a number as a text': on(
    isObject,
    inSpec(
      (pair) => typeof scalarOf(pair) === 'number',
      (_, pair, document) => {
        pair.value = document.createNode(String(scalarOf(pair)));
      },
    ),
  ),
  'a truth as a text': on(
    isObject,
    inSpec(
      (pair) => typeof scalarOf(pair) === 'boolean',
      (_, pair, document) => {
        pair.value = document.createNode(String(scalarOf(pair)));
      },
    ),
  ),
  'a text as a number': on(
    isObject,
    inSpec(
      (pair) => typeof scalarOf(pair) === 'string',
      (_, pair, document) => {
        pair.value = document.createNode(7);
      },
    ),
  ),
  'a text as a list': on(
    isObject,
    inSpec(
      (pair) => typeof scalarOf(pair) === 'string',
      (_, pair, document) => {
        pair.value = document.createNode([scalarOf(pair)]);
      },
    ),
  ),
  'a map as a text': on(
    isObject,
    inSpec(
      (pair) => isMap(pair.value),
      (_, pair, document) => {
        pair.value = document.createNode('text');
      },
    ),
  ),
  'a list as a map': on(
    isObject,
    inSpec(
      (pair) => isSeq(pair.value),
      (_, pair, document) => {
        pair.value = document.createNode({ a: 'b' });
      },
    ),
  ),
  'a null': on(
    isObject,
    inSpec(
      () => true,
      (_, pair) => {
        pair.value = null;
      },
    ),
  ),
  'an empty text': on(
    isObject,
    inSpec(
      (pair) => typeof scalarOf(pair) === 'string',
      (_, pair, document) => {
        pair.value = document.createNode('');
      },
    ),
  ),
  'no spec': on(
    (root) => isObject(root) && root.has('spec'),
    ({ root }) => root.delete('spec'),
  ),
  'an empty spec': on((root) => isObject(root) && root.has('spec'), set(['spec'], {})),
  'a field left out': on(
    isObject,
    inSpec(
      () => true,
      (map, pair) => {
        map.items.splice(map.items.indexOf(pair), 1);
      },
    ),
  ),
  'an item twice': on(
    isObject,
    inSpec(
      (pair) => isSeq(pair.value) && pair.value.items.length > 0,
      (_, pair) => {
        const { items } = pair.value as { items: unknown[] };
        items.push(items[0]);
      },
    ),
  ),
  // YAML itself.
  'a tab': line(/^ {2}\S/, (one) => one.replace(/^ {2}/, '\t')),
  'a broken indentation': line(/^ {4}\S/, (one) => one.slice(1)),
  'a key twice': line(/^ {2}\w+: \S/, (one) => `${one}\n${one}`),
  'a colon too few': line(/^\w+:$/, (one) => one.slice(0, -1)),
  'a quote that is not closed': line(/: [\w./-]+$/, (one) => one.replace(': ', ': "')),
  // Where.
  'another namespace': on(
    (root) => isObject(root) && root.hasIn(['metadata', 'namespace']),
    set(['metadata', 'namespace'], 'kube-system'),
  ),
  'a namespace that is not there': on(
    (root) => isObject(root) && root.hasIn(['metadata', 'namespace']),
    set(['metadata', 'namespace'], 'nowhere'),
  ),
  'no namespace': on(
    (root) => isObject(root) && root.hasIn(['metadata', 'namespace']),
    ({ document }) => document.deleteIn(['metadata', 'namespace']),
  ),
  'a namespace over all': inKustomization(set(['namespace'], 'tools')),
  // Files and lists.
  'a resource left out': listed(() => undefined),
  'a resource twice': inKustomization(({ root }) => {
    const list = root.get('resources');
    if (!isSeq(list) || list.items.length === 0) return false;
    list.add(list.items[0]);
    return true;
  }),
  'a file left out': (repo, random) => {
    const path = pick(
      random,
      [...repo.keys()].filter((one) => isManifest(one) && !/kustomization\.ya?ml$/.test(one)),
    );
    return path !== undefined && repo.delete(path);
  },
  'an object left out': (repo, random) => {
    const found = pick(
      random,
      manifests(repo, isObject).filter(({ documents }) => documents.length > 1),
    );
    if (!found) return false;
    found.documents.splice(found.documents.indexOf(found.document), 1);
    return write(repo, found);
  },
  'an object renamed': on(isObject, ({ root, document }) => {
    document.setIn(['metadata', 'name'], `${root.getIn(['metadata', 'name'])}-2`);
    return true;
  }),
  'a file moved': (repo, random) => {
    const found = pick(
      random,
      manifests(repo, isKustomization).filter(({ root }) => isSeq(root.get('resources'))),
    );
    if (!found) return false;
    const folder = found.path.slice(0, found.path.lastIndexOf('/') + 1);
    const list = found.root.get('resources') as { items: { value?: unknown }[] };
    const index = list.items.findIndex(({ value }) => repo.has(`${folder}${value}`));
    const item = String(list.items[index]?.value);
    if (index < 0 || item.includes('..')) return false;
    repo.set(`${folder}moved/${item}`, repo.get(`${folder}${item}`) as string);
    repo.delete(`${folder}${item}`);
    list.items[index] = found.document.createNode(`moved/${item}`) as { value?: unknown };
    return write(repo, found);
  },
  // Patches, generators, transformers.
  'a patch without a target': append('patches', {
    target: { kind: 'ConfigMap', name: 'nobody' },
    patch: '[{"op":"add","path":"/data/a","value":"b"}]',
  }),
  'a patch of a path that is not there': append('patches', {
    target: { kind: 'Package' },
    patch: '[{"op":"replace","path":"/spec/nowhere","value":"b"}]',
  }),
  'a patch of all labels': append('patches', {
    target: { kind: '.*' },
    patch: '[{"op":"add","path":"/metadata/labels","value":{"a":"b c"}}]',
  }),
  'a strategic patch with a field unknown': append('patches', {
    target: { kind: 'Package' },
    patch: 'apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: any\nspec:\n  componentz: {}\n',
  }),
  'a generator': append('configMapGenerator', { name: 'made', namespace: 'cozy-customizer', literals: ['a=b'] }),
  'a generator of a bad name': append('configMapGenerator', {
    name: 'Made_Up',
    namespace: 'cozy-customizer',
    literals: ['a=b'],
  }),
  'a generator of a bad key': append('configMapGenerator', {
    name: 'made',
    namespace: 'cozy-customizer',
    literals: ['a b=c'],
  }),
  'a generator of a file that is not there': append('secretGenerator', { name: 'made', files: ['nowhere.txt'] }),
  'a prefix': inKustomization(set(['namePrefix'], 'lab-')),
  'a prefix with capitals': inKustomization(set(['namePrefix'], 'Lab-')),
  'labels that are none': inKustomization(set(['commonLabels'], { team: 'a b' })),
  'images of nothing': append('images', { name: 'nothing', newTag: '2' }),
  'a replacement without a source': append('replacements', {
    source: { kind: 'ConfigMap', name: 'nobody' },
    targets: [{ select: { kind: 'Package' }, fieldPaths: ['spec.variant'] }],
  }),
  'a component that is not there': append('components', '../nowhere'),
  // What Flux is told.
  'is not pruned': annotate(flux('prune'), 'disabled'),
  'is not reconciled': annotate(flux('reconcile'), 'disabled'),
  'is merged': annotate(flux('ssa'), 'Merge', isPackage),
  'is ignored': annotate(flux('ssa'), 'Ignore'),
  'is made once': annotate(flux('ssa'), 'IfNotPresent'),
  'is forced': annotate(flux('force'), 'enabled'),
  'a setting that is none': annotate(flux('prune'), 'yes'),
  'a variable': on(isObject, set(['metadata', 'annotations', 'who'], `\${WHO}`)),
  // Packages.
  'another variant': on(isPackage, set(['spec', 'variant'], 'nobody')),
  'a component that is none': on(isPackage, set(['spec', 'components', 'nobody'], { values: { a: 1 } })),
  'a component off': on(isPackage, ({ root, document }) => {
    const all = root.getIn(['spec', 'components']);
    const [first] = isMap(all) ? all.items : [];
    if (!first) return false;
    document.setIn(['spec', 'components', keyOf(first), 'enabled'], false);
    return true;
  }),
  'components as a list': on(isPackage, set(['spec', 'components'], [{ name: 'a' }])),
  'a Package of nobody': add(
    'new.yaml',
    object('cozystack.io/v1alpha1', 'Package', 'nobody.nothing', { spec: { variant: 'default' } }, null),
  ),
  'the same Package twice': (repo, random) => {
    const found = pick(random, manifests(repo, isPackage));
    if (!found) return false;
    repo.set(found.path, `${repo.get(found.path)}\n---\n${found.document.toString().replace(/^---\n/, '')}`);
    return true;
  },
  // Of Kubernetes itself.
  'a selector that does not fit': add(
    'new.yaml',
    object('apps/v1', 'Deployment', 'new', deployment({ selector: { matchLabels: { app: 'b' } } })),
  ),
  'a port too large': add('new.yaml', object('v1', 'Service', 'new', { spec: { ports: [{ port: 70_000 }] } })),
  'a schedule that is none': add(
    'new.yaml',
    object('batch/v1', 'CronJob', 'new', {
      spec: {
        schedule: 'daily',
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } },
        },
      },
    }),
  ),
  'an amount that is none': add(
    'new.yaml',
    object('v1', 'PersistentVolumeClaim', 'new', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1 GB' } } },
    }),
  ),
  'data that is not base64': add('new.yaml', object('v1', 'Secret', 'new', { data: { a: 'plain text' } })),
  'a range that is none': add(
    'new.yaml',
    object('networking.k8s.io/v1', 'NetworkPolicy', 'new', {
      spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0' } }] }] },
    }),
  ),
  'a role of the whole cluster': add(
    'new.yaml',
    object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'new', { rules: [] }, null),
  ),
  'a binding of nothing': add(
    'new.yaml',
    object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'new', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: '' },
    }),
  ),
  'a release without a chart': add(
    'new.yaml',
    object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'new', { spec: { interval: '5m' } }),
  ),
  'an interval that is none': add(
    'new.yaml',
    object('source.toolkit.fluxcd.io/v1', 'HelmRepository', 'new', {
      spec: { interval: 'often', url: 'https://example.org' },
    }),
  ),
  'a kind that nobody has': add('new.yaml', object('example.org/v1', 'Gizmo', 'new', {})),
  'a Namespace of one’s own': add('new.yaml', object('v1', 'Namespace', 'new', {}, null)),
};
