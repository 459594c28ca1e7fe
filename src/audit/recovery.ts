/**
 * How fields get back to their owner: the commands, in an order in which nothing is taken again on the way (simulate/FACTS.md,
 * After a takeover).
 * Each was tried on the API server without a server (`__tests__/end-to-end/audit.test.ts`).
 */

import { settingPrefix } from '../core/flux-api.js';
import type { FieldPath, Json, JsonObject } from '../core/model.js';
import { formatPath, getString, isObject, lookUp } from '../core/object.js';
import { platformName } from '../cozystack/catalog.js';
import { cozystackVersion } from '../cozystack/package.js';
import { managedIn } from '../simulate/managed-fields.js';
import { manager as flux } from '../simulate/reconcile.js';
import { type Audit, type AuditFinding, isLeftAlone, isSerious } from './audit.js';
import { platformRelease } from './expected.js';
import type { Live, LivePackage } from './live.js';

/** A command for a POSIX shell, or something to be done in another way. */
export type RecoveryStep = { why: string; command?: string };

const helm = 'helm-controller';

/** None where nothing is to be restored. */
export function recoveryOf({ findings, helm: method }: Audit, live: Live): RecoveryStep[] {
  const serious = findings.filter(isSerious);
  if (serious.length === 0) return [];
  const packages = live.packages.filter(({ name }) => serious.some((one) => one.package === name));
  const of = ({ name }: LivePackage) => serious.filter((one) => one.package === name && one.kind !== 'doomed');
  const charts = packages.filter((one) => one.name !== platformName && of(one).length > 0);
  const held = packages.filter(isApplied);
  const commit = inRepository(serious);
  const fetched = 'once Flux has fetched that commit (kubectl get gitrepositories -A), ';
  const next = `${commit.length > 0 ? fetched : ''}let Flux go on`;
  return [
    ...held.flatMap((one) => hold(one, held, true, 'keep Flux from taking it again meanwhile')),
    ...packages.filter((one) => needsMerge(one, serious)).map(protect),
    ...packages.filter(({ name }) => name === platformName).flatMap((one) => giveToAdministrator(one, of(one))),
    ...(charts.length > 0 && method !== 'Update' ? reapply(live) : []),
    ...(method === 'Update' ? charts.flatMap((one) => giveToHelm(one, of(one), live)) : []),
    ...commit,
    ...held.flatMap((one) => hold(one, held, false, next)),
  ];
}

/** Flux would take it again at once, from the commit that it has. */
function isApplied({ value }: LivePackage): boolean {
  return managedIn(value).some(({ manager }) => manager === flux);
}

function hold(one: LivePackage, held: readonly LivePackage[], suspend: boolean, why: string): RecoveryStep[] {
  const names = held.map(kustomizationOf);
  const { namespace, name } = kustomizationOf(one);
  const isFirst =
    names.findIndex((other) => other.namespace === namespace && other.name === name) === held.indexOf(one);
  if (!isFirst) return [];
  const patch = quoted(JSON.stringify({ spec: { suspend } }));
  return [
    {
      why,
      command: `kubectl --namespace ${quoted(namespace)} patch kustomizations.kustomize.toolkit.fluxcd.io ${quoted(name)} --type merge --patch ${patch}`,
    },
  ];
}

/** The customizer's own, unless a label of Flux says which. */
function kustomizationOf({ value }: LivePackage): { namespace: string; name: string } {
  const label = (key: string) => getString(value, ['metadata', 'labels', settingPrefix + key]);
  return { namespace: label('namespace') ?? 'cozy-system', name: label('name') ?? 'cozystack-customizer' };
}

/** What kubectl writes without this, Flux takes over and removes. */
function needsMerge(one: LivePackage, serious: readonly AuditFinding[]): boolean {
  if (isLeftAlone(one.value, [])) return false;
  const mine = serious.filter((other) => other.package === one.name);
  return mine.some(({ kind }) => kind === 'doomed') || (one.name === platformName && mine.length > 0);
}

function protect({ name }: LivePackage): RecoveryStep {
  return {
    why: 'make Flux leave alone what kubectl sets in it, also before the commit that says so is there',
    command: `kubectl annotate packages.cozystack.io ${quoted(name)} --overwrite ${settingPrefix}ssa=Merge`,
  };
}

/** A field that has the right value already is only applied to be had by two; a patch would change nothing, and so own nothing. */
function giveToAdministrator({ name }: LivePackage, findings: readonly AuditFinding[]): RecoveryStep[] {
  if (findings.length === 0) return [];
  const wrong = findings.filter(isWrong);
  const isLost = findings.some(({ kind }) => kind === 'lost');
  const known = wrong.filter(({ set }) => set !== undefined);
  const open = wrong.filter(({ set }) => set === undefined);
  const object = `packages.cozystack.io ${quoted(name)}`;
  return [
    ...(known.length > 0 ? [{ why: 'write what the platform is', command: patchCommand(object, known) }] : []),
    ...open.map(({ fields: [field] }) => ({
      why: `write ${formatPath(field ?? [])} as it was when the platform was installed; what it was is not known here, cluster.variant in the configuration tells it`,
    })),
    ...(isLost
      ? [
          {
            why: `bring back all else that Flux has removed: kubectl apply --server-side --force-conflicts -f FILE, with the file that the Package was made from`,
          },
        ]
      : [
          {
            why: 'have kubectl own what is there, so that it stays when git lets go of it',
            command: `kubectl get ${object} --output json | kubectl apply --server-side --force-conflicts --filename -`,
          },
        ]),
  ];
}

/** Server-side apply takes all that the chart sets, from whomever. The two annotations have to be equal. */
function reapply({ contract }: Live): RecoveryStep[] {
  const { namespace, name } = platformRelease(contract);
  const kubectl = (verb: string) =>
    `kubectl --namespace ${namespace} ${verb} helmreleases.helm.toolkit.fluxcd.io ${name}`;
  const annotations = ['requestedAt', 'forceAt'].map((key) => `reconcile.fluxcd.io/${key}=$now`).join(' ');
  const commands = [
    'now=$(date +%s)',
    `${kubectl('annotate')} --overwrite ${annotations}`,
    // The request counts as handled when the upgrade begins.
    `${kubectl('wait')} --for=jsonpath='{.status.lastHandledForceAt}'=$now`,
    `${kubectl('wait')} --for=condition=Ready --timeout=15m`,
  ];
  return [
    {
      why: 'have Helm apply the platform chart again, which takes its fields back',
      command: commands.join(' && '),
    },
  ];
}

/** On a cluster that was born before 1.5 Helm patches what its chart changes, and nothing else: it is not of any help here. */
function giveToHelm({ name, value }: LivePackage, findings: readonly AuditFinding[], live: Live): RecoveryStep[] {
  const { namespace, name: release } = platformRelease(live.contract);
  const object = `packages.cozystack.io ${quoted(name)}`;
  const wrong = findings.filter(isWrong);
  const [known, open] = [wrong.filter(({ set }) => set !== undefined), wrong.filter(({ set }) => set === undefined)];
  const right = findings.filter((one) => !isWrong(one));
  return [
    ...(known.length > 0
      ? [
          {
            why: 'write what the chart sets, in the name of Helm, which on this cluster does not by itself',
            command: `${patchCommand(object, known)} --field-manager=${helm}`,
          },
        ]
      : []),
    ...(right.length > 0 ? [applyAsHelm(name, value, right)] : []),
    ...open.map(({ fields: [field] }) => ({
      why: `write ${formatPath(field ?? [])} of ${name} in the same way, with kubectl patch --field-manager=${helm} and the value that helm --namespace ${namespace} get manifest ${release} shows`,
    })),
  ];
}

/** A manifest stands for all that its manager has applied before, so that is in it too. */
function applyAsHelm(name: string, value: JsonObject, findings: readonly AuditFinding[]): RecoveryStep {
  const applied = managedIn(value).filter(({ manager, operation }) => manager === helm && operation === 'Apply');
  const fields = [...applied.flatMap((entry) => entry.fields), ...findings.flatMap((one) => one.fields)];
  const spec: JsonObject = { apiVersion: cozystackVersion, kind: 'Package', metadata: { name } };
  for (const field of fields) {
    const there = lookUp(value, field);
    if (there !== undefined && there !== null) put(spec, field, isObject(there) ? {} : there);
  }
  return {
    why: 'the value is the chart’s, only its owner is not: apply it in the name of Helm',
    command: `printf %s ${quoted(JSON.stringify(spec))} | kubectl apply --server-side --force-conflicts --field-manager=${helm} --filename -`,
  };
}

function isWrong({ now, set, fields: [field] }: AuditFinding): boolean {
  if (!now || now.path.length !== field?.length || now.value === null) return true;
  return set === undefined || JSON.stringify(now.value) !== JSON.stringify(set);
}

function patchCommand(object: string, findings: readonly AuditFinding[]): string {
  const patch: JsonObject = Object.create(null);
  for (const { fields, set } of findings) for (const field of fields) put(patch, field, set as Json);
  return `kubectl patch ${object} --type merge --patch ${quoted(JSON.stringify(patch))}`;
}

function put(target: JsonObject, path: FieldPath, value: Json): void {
  let node = target;
  for (const step of path.slice(0, -1)) {
    const below = Object.hasOwn(node, step) ? node[step] : undefined;
    // Keys are those of a live object: one may be `__proto__`.
    const next: JsonObject = isObject(below) ? below : Object.create(null);
    node[step] = next;
    node = next;
  }
  const last = String(path.at(-1));
  if (!(isObject(value) && isObject(node[last]))) node[last] = value;
}

function inRepository(findings: readonly AuditFinding[]): RecoveryStep[] {
  const taken = findings.filter(({ kind, by }) => kind === 'taken' && by.some(({ manager }) => manager === flux));
  const unprotected = findings.filter((one) => one.kind === 'doomed' || one.package === platformName);
  const names = [...new Set(unprotected.map((one) => one.package))];
  return [
    ...taken.map((one) => ({
      why: `in the repository, take ${formatPath(one.fields[0] ?? [])} out of the manifest of ${one.package}`,
    })),
    ...names.map((name) => ({
      why: `in the repository, give the manifest of ${name} the annotation ${settingPrefix}ssa: Merge`,
    })),
    ...(taken.length + names.length > 0 ? [{ why: 'commit that and push it' }] : []),
  ];
}

/** One word for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
