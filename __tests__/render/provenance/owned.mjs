/** Fields that the platform's chart owns, set in every way there is: the finding must be on the line marked `# here`. */
import { check } from './faults.mjs';

const head = (name) => `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: ${name}\n`;
const kustomization = (body, kind = 'Kustomization') =>
  `apiVersion: kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}\nkind: ${kind}\n${body}`;
const indented = (text, by) => text.replace(/^(?=.)/gm, ' '.repeat(by));

/** The field as a merge patch or a resource sets it. */
const fields = {
  variant: (name) => `${head(name)}spec:\n  variant: other # here\n`,
  'resource-policy': (name) => `${head(name)}  annotations:\n    helm.sh/resource-policy: keep # here\nspec: {}\n`,
  'managed-by': (name) => `${head(name)}  labels:\n    app.kubernetes.io/managed-by: me # here\nspec: {}\n`,
};
const pointers = {
  variant: '/spec/variant',
  'resource-policy': '/metadata/annotations/helm.sh~1resource-policy',
  'managed-by': '/metadata/labels/app.kubernetes.io~1managed-by',
};

/** Files of an overlay that set the field, relative to it. `base` holds the Package without it. */
const carriers = {
  resource: (name, field) => ({
    'base/package.yaml': fields[field](name),
    'kustomization.yaml': kustomization('resources: [base]\n'),
  }),
  'patch file': (name, field) => ({
    'patch.yaml': fields[field](name),
    'kustomization.yaml': kustomization('resources: [base]\npatches:\n- path: patch.yaml\n'),
  }),
  'inline patch': (name, field) => ({
    'kustomization.yaml': kustomization(`resources: [base]\npatches:\n- patch: |\n${indented(fields[field](name), 4)}`),
  }),
  'inline patch with a target': (name, field) => ({
    'kustomization.yaml': kustomization(
      `resources:\n- base\npatches:\n- target: {kind: Package}\n  patch: |-\n${indented(fields[field](name), 4)}`,
    ),
  }),
  'strategic patch': (name, field) => ({
    'kustomization.yaml': kustomization(
      `resources: [base]\npatchesStrategicMerge:\n- |\n${indented(fields[field](name), 2)}`,
    ),
  }),
  component: (name, field) => ({
    'c/kustomization.yaml': kustomization(`patches:\n- patch: |-\n${indented(fields[field](name), 4)}`, 'Component'),
    'kustomization.yaml': kustomization('resources: [base]\ncomponents: [c]\n'),
  }),
  'operation in the kustomization': (_name, field) => ({
    'kustomization.yaml': kustomization(
      `resources: [base]\npatches:\n- target: {kind: Package}\n  patch: |-\n    # why\n    - {op: add, path: ${pointers[field]}, value: other} # here\n`,
    ),
  }),
  'operation in a file': (_name, field) => ({
    'operations.yaml': `# why\n- {op: test, path: /kind, value: Package}\n- {op: add, path: ${pointers[field]}, value: other} # here\n`,
    'kustomization.yaml': kustomization(
      'resources: [base]\npatches:\n- target: {kind: Package}\n  path: operations.yaml\n',
    ),
  }),
};

const transformers = {
  'common annotations': 'commonAnnotations:\n  helm.sh/resource-policy: keep # here\n',
  'common labels': 'commonLabels:\n  app.kubernetes.io/managed-by: me # here\n',
  labels: 'labels:\n- includeSelectors: false\n  pairs:\n    app.kubernetes.io/managed-by: me # here\n',
};

/** Every carrier with every field, for each of the Packages. */
function cases(packages) {
  return packages.flatMap((name) => [
    ...Object.entries(carriers).flatMap(([kind, make]) =>
      Object.keys(fields).map((field) => ({ kind: `owned field, ${kind}`, name, files: make(name, field) })),
    ),
    ...Object.entries(transformers).map(([kind, text]) => ({
      kind: `owned field, ${kind}`,
      name,
      files: { 'kustomization.yaml': kustomization(`resources: [base]\n${text}`) },
    })),
  ]);
}

function add(files, dir, { name, files: own }) {
  const base = `${head(name)}  annotations: {why: "so"}\n  labels: {why: "so"}\nspec:\n  components: {}\n`;
  const all = {
    'base/package.yaml': base,
    'base/kustomization.yaml': kustomization('resources: [package.yaml]\n'),
    ...own,
  };
  for (const [file, text] of Object.entries(all)) files.set(`${dir}/${file}`, text);
}

const lineOf = (text) => text.split('\n').findIndex((line) => line.includes('# here')) + 1;

export async function ownedFields(packages, faults) {
  const all = cases(packages);
  const files = new Map();
  for (const [index, one] of all.entries()) add(files, `k${index}`, one);
  const { findings } = await check(
    files,
    all.map((_, index) => `k${index}`),
  );
  for (const [index, { kind, files: own }] of all.entries()) {
    const [file, text] = Object.entries(own).find(([, one]) => one.includes('# here'));
    const expected = `k${index}/${file}:${lineOf(text)}`;
    const mine = findings.filter(
      ({ rule, entrypoints }) => rule === 'chart-owned-field' && entrypoints.includes(`k${index}`),
    );
    const places = mine.map((finding) => `${finding.file}:${finding.line}`);
    const verdict = mine.length === 0 ? 'missing' : places.every((at) => at === expected) ? 'right' : 'elsewhere';
    faults.add(kind, verdict, { expected, places });
  }
}
