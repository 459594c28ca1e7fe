/**
 * Evasions by number: the harmful change, how it is delivered, how the folder it is in comes to be applied, how all that is
 * written, and what of it is there before. Every choice is made by the seed and the number alone.
 */
import { stringify } from 'yaml';
import type { JsonObject } from '../../../src/core/model.js';
import { randomOf } from '../../support/random.mjs';
import { deliveries } from './deliveries.js';
import { disguises } from './disguises.js';
import { applyByFlux, type FluxPlan, leftAlone, ownUrls, toggles } from './flux.js';
import { type Content, Folder } from './folder.js';
import { type Harm, harms, tuned } from './harms.js';
import { folderNames } from './names.js';
import type { Random } from './writing.js';

export type Tree = Record<string, Content>;
export type Evasion = {
  n: number;
  /** What was chosen, dimension by dimension: `delivery: manifest`. */
  labels: string[];
  /** Whether everything about the harm comes with the change. */
  isNew: boolean;
  harm: Harm;
  base: Tree;
  head: Tree;
  /** True if the repository shows that the change is harmless; then an error is a false alarm. */
  isControl?: boolean;
  /** True if the check must be red even if the reference cannot decide. */
  isRedIfUnknown?: boolean;
  /** Trees that the reference renders instead: with plain text for ciphertext, or without a flaw. */
  truth?: { base: Tree; head: Tree };
  /** The commits of base and head; without it, the head is one commit on the base. */
  history?: History;
};

/** Commits by name, each after its parents, and which of them a pull request has. */
export type History = {
  commits: Record<string, { parents: string[]; files: Tree }>;
  base: string;
  head: string;
  /** True if the runner has the merge commit of GitHub; else the action makes it. */
  hasMerge: boolean;
  /** The base branch before it was changed; its merge is the one that the runner has. */
  oldBase?: string;
  /** The commit that the event names as the base, if it is older than the tip. */
  named?: string;
};

const carriers = ['base', 'component', 'flux', 'flux', 'flux'] as const;
type Carrier = (typeof carriers)[number];
const changes = ['added', 'altered', 'altered'] as const;
const controls = [
  'not referenced',
  'left alone',
  'suspended',
  'another repository',
  'ignored by Flux',
  'not named by Flux',
] as const;
type Control = (typeof controls)[number];

type Plan = {
  harm: string;
  delivery: string;
  /** From the inside out. */
  chain: { carrier: Carrier; folder: string; flux: FluxPlan }[];
  change: (typeof changes)[number];
  /** The step whose object differs between base and head where the change alters what is there: 0 is the harm itself. */
  altered: number;
  control?: Control;
  alone: string;
  odd: number;
  seed: number;
};

/** A plan is drawn with every other thing kept plain most of the time, so that what is odd stands alone as well as together. */
function draw(random: Random): Plan {
  const harm = random.pick(Object.keys(harms));
  const target = harms[harm] as Harm;
  const fitting = Object.keys(deliveries).filter((name) => deliveries[name]?.fits?.(target) ?? true);
  const delivery = random.chance(0.25) ? 'manifest' : random.pick(fitting);
  const depth = random.pick([0, 1, 1, 1, 2, 2, 3]);
  const chain = Array.from({ length: depth }, (_, n) => step(random, n));
  if (deliveries[delivery]?.needsFlux) {
    if (chain.length === 0) chain.push(step(random, 0));
    (chain[0] as Plan['chain'][number]).carrier = 'flux';
  }
  // What a Flux Kustomization without an account of its own applies, it applies with all rights.
  if (harm === 'forbidden namespace') for (const one of chain) if (one.carrier === 'flux') one.carrier = 'base';
  const isAlone = harm === 'forbidden namespace' && deliveries[delivery]?.needsFlux;
  const control = random.chance(0.2) ? random.pick(controls) : undefined;
  if (control === 'suspended' || control === 'another repository') {
    const flux = chain.find(({ carrier }) => carrier === 'flux')?.flux;
    if (flux) Object.assign(flux, control === 'suspended' ? { isSuspended: true } : { isOtherRepository: true });
  }
  const change = random.pick(changes);
  const altered = random.below(chain.filter(({ carrier }) => carrier === 'flux').length + 1);
  const flux = chain.filter(({ carrier }) => carrier === 'flux')[altered - 1]?.flux;
  if (flux?.toggle === 'nothing') flux.toggle = 'path';
  return {
    harm: isAlone ? 'variant' : harm,
    delivery: isAlone ? 'manifest' : delivery,
    chain,
    change,
    altered,
    ...(control && { control }),
    alone: random.pick(Object.keys(leftAlone)),
    odd: random.pick([0, 0.1, 0.3, 0.6]),
    seed: random.below(2 ** 31),
  };
}

function step(random: Random, n: number): Plan['chain'][number] {
  const kind = random.chance(0.6) ? 'plain' : random.pick(Object.keys(folderNames));
  return {
    carrier: random.pick(carriers),
    folder: folderNames[kind]?.(n) ?? 'apps',
    flux: {
      toggle: random.chance(0.4) ? 'path' : random.pick(Object.keys(toggles) as (keyof typeof toggles)[]),
      delivery: random.chance(0.3) ? 'manifest' : random.pick(Object.keys(deliveries)),
      source: random.chance(0.6) ? 'the platform’s' : random.pick(Object.keys(ownUrls)),
      isOtherRepository: false,
      isSuspended: false,
    },
  };
}

/** The tree before the change, or after it. */
function assemble(plan: Plan, active: boolean): { tree: Tree; labels: Set<string> } {
  const random = randomOf(plan.seed);
  const fork = () => randomOf(random.below(2 ** 31));
  const labels = new Set<string>();
  const tree: Tree = { ...always };
  const isActive = (level: number) => active || plan.change === 'added' || plan.altered !== level;
  let folder = new Folder(plan.chain[0]?.folder ?? '.', fork(), plan.odd);
  deliverHarm(plan, folder, isActive(0), fork());
  let level = 0;
  plan.chain.forEach(({ carrier, flux }, at) => {
    const outer = new Folder(plan.chain[at + 1]?.folder ?? '.', fork(), plan.odd);
    const isComponent = carrier === 'component';
    Object.assign(tree, folder.finish(isComponent ? 'Component' : 'Kustomization'));
    for (const label of folder.labels) labels.add(label);
    if (carrier === 'flux') applyByFlux(outer, folder, at, flux, isActive(++level));
    else outer.add(isComponent ? 'components' : 'resources', outer.way(folder.path));
    if (plan.control === 'ignored by Flux' && at === 0) tree['.sourceignore'] = `/${folder.path}/\n`;
    folder = outer;
  });
  folder.add('resources', folder.named('metallb-of-the-base.yaml', stringify(calmPackage)));
  Object.assign(tree, folder.finish());
  for (const label of folder.labels) labels.add(label);
  return { tree, labels };
}

/** So that no verdict depends on what the linter assumes of the cluster. */
const configuration = { cluster: { release: 'v1.6.2', variant: 'isp-full' } };
const note = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'note', namespace: 'cozy-customizer' },
  data: { a: 'b' },
};
const always: Tree = { 'calm/note.yaml': stringify(note), '.customizer-lint.yaml': stringify(configuration) };
const calmPackage: JsonObject = {
  ...tuned,
  metadata: { name: 'cozystack.linstor', annotations: (tuned.metadata as JsonObject).annotations as JsonObject },
  spec: { components: {} },
};

function deliverHarm(plan: Plan, folder: Folder, active: boolean, random: Random) {
  const harm = harms[plan.harm] as Harm;
  const object = plan.control === 'left alone' ? (leftAlone[plan.alone]?.(harm.object) ?? harm.object) : harm.object;
  deliveries[plan.delivery]?.deliver(folder, { ...harm, object }, active);
  if (plan.control !== 'not referenced') return;
  for (const field of Object.keys(folder.fields)) delete folder.fields[field];
  folder.add('resources', folder.named(`note-${random.below(100)}.yaml`, stringify(note)));
}

/** The evasion of a number, by the way it is written. */
export function writtenOf(seed: number, n: number): Evasion {
  const plan = draw(randomOf(seed * 100_003 + n));
  const chance = randomOf(seed * 100_003 + n + 50_000_017);
  const disguise = chance.chance(0.25) ? chance.pick(Object.keys(disguises)) : undefined;
  const before = assemble(plan, false);
  const after = assemble(plan, true);
  const plain = new Folder('.', randomOf(1), 0);
  plain.add('resources', plain.named('metallb-of-the-base.yaml', stringify(calmPackage)));
  const skeleton = { ...always, ...plain.finish() };
  const base = plan.change === 'added' ? skeleton : before.tree;
  return {
    n,
    harm: harms[plan.harm] as Harm,
    base,
    head: disguise ? (disguises[disguise]?.(after.tree, base, chance) ?? after.tree) : after.tree,
    isNew: plan.change === 'added',
    labels: [...labelsOf(plan, after.labels), ...(disguise ? [`disguise: ${disguise}`] : [])],
  };
}

function labelsOf(plan: Plan, written: Set<string>): string[] {
  const flux = plan.chain.filter(({ carrier }) => carrier === 'flux');
  return [
    `harm: ${plan.harm}`,
    `delivery: ${plan.delivery}`,
    `chain: ${plan.chain.map(({ carrier }) => carrier).join(' in ') || 'the root'}`,
    `change: ${plan.change === 'added' ? 'added' : `altered at ${plan.altered === 0 ? 'the harm' : 'a Flux object'}`}`,
    ...flux.map(({ flux: { toggle } }) => `Flux field: ${toggle}`),
    ...flux.map(({ flux: { delivery } }) => `Flux delivery: ${delivery}`),
    ...plan.chain.map(({ folder }) => `folder: ${folder}`),
    ...(plan.control ? [`control: ${plan.control}`] : []),
    ...written,
  ];
}
