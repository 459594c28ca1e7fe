/** The stage `dry-run`: a server is had, filled where it is ours, asked, and its answers become problems at their lines. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../config/config.js';
import type { Cluster } from '../facts/clusters.js';
import { ownedWhenApplied } from '../facts/enabling.js';
import { isPackage } from '../facts/platform.js';
import { type Built, isBuilt } from '../facts/pruned.js';
import { appliedBefore, isEncrypted } from '../facts/refusal.js';
import type {
  DryRun,
  Entrypoint,
  Fact,
  FactName,
  Finding,
  NotChecked,
  Problem,
  RefusalReason,
  RenderedObject,
  StageOutcome,
} from '../model.js';
import { inventoryId, spell, textAt } from '../object.js';
import type { Cause } from './answers.js';
import { Applier, type Reply } from './apply.js';
import { Client, messageOf, Unanswered } from './client.js';
import { compare } from './compare.js';
import { startEnvtest } from './envtest.js';
import { startKind } from './kind.js';
import type { Credentials } from './kubeconfig.js';
import { notesFor } from './notes.js';
import { fluxAccount, isOurs, seed } from './seed.js';

export type DryRunOptions = {
  /** `kind`, `kind:NAME` of one that is there, `envtest`, or the path of a kubeconfig. */
  where: string;
  context?: string;
  /** Which of the repository's clusters, where there are several. */
  cluster?: string;
  keep?: boolean;
  onMade?: (name: string) => void;
  progress?: (done: number, total: number, what: string) => void;
};

export type Asked = {
  stage: StageOutcome;
  runs: DryRun[];
  problems: { head: Problem[]; base: Problem[] };
  notChecked: NotChecked[];
};

type Context = {
  options: DryRunOptions;
  config: Config;
  home: string;
  findings: readonly Finding[];
  signal: AbortSignal;
};

export const stage = 'dry-run';

/** Where nobody asks for it. */
export const notAsked: StageOutcome = { name: stage, ran: false, why: 'no cluster was given', optional: true };

/** Whatever goes wrong is said, and leaves the rest of the report as it is. */
export async function dryRun(
  clusters: readonly Cluster[],
  options: DryRunOptions,
  { config, home, findings }: { config: Config; home: string; findings: readonly Finding[] },
): Promise<Asked> {
  const asked: Asked = {
    stage: { name: stage, ran: true },
    runs: [],
    problems: { head: [], base: [] },
    notChecked: [],
  };
  const wanted = clusters.filter(({ name }) => options.cluster === undefined || name === options.cluster);
  const controller = new AbortController();
  const limit = config.dryRun.timeout ?? '10m';
  const late = new Error(`it took longer than ${limit}`);
  const timer = setTimeout(() => controller.abort(late), secondsOf(limit) * 1000);
  try {
    checkChoice(wanted, options);
    for (const cluster of wanted) {
      await oneCluster(cluster, { options, config, home, findings, signal: controller.signal }, asked);
    }
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    asked.stage = { name: stage, ran: false, why: error.message };
  } finally {
    clearTimeout(timer);
  }
  return asked;
}

function secondsOf(text: string): number {
  return Number.parseInt(text, 10) * (text.endsWith('m') ? 60 : 1);
}

function checkChoice(wanted: readonly Cluster[], { where, cluster }: DryRunOptions): void {
  if (wanted.length === 0) throw new Unanswered(`the repository has no cluster "${cluster}"`, true);
  if (wanted.length < 2 || where === 'kind' || where === 'envtest') return;
  const names = wanted.map(({ name }) => name ?? 'the unnamed one').join(', ');
  throw new Unanswered(`the repository has several clusters (${names}): say with --cluster which one it is`, true);
}

type Server = Pick<DryRun, 'server'> & { credentials: Credentials; ours: boolean; stop(): Promise<void> };

async function oneCluster(cluster: Cluster, context: Context, asked: Asked): Promise<void> {
  const { options, signal } = context;
  const built = cluster.head.entrypoints.filter(isBuilt);
  if (built.length === 0) throw new Unanswered('nothing could be rendered', true);
  options.progress?.(0, 1, `starting ${options.where}`);
  const server = await serverFor(context);
  try {
    const client = new Client(server.credentials, { writes: server.ours, signal });
    try {
      const version = await versionOf(client);
      if (server.ours) await seed(client, cluster);
      const userOf = (entrypoint: Entrypoint) => user(entrypoint, cluster);
      for (const name of new Set(built.map(({ entrypoint }) => userOf(entrypoint)))) await mayActAs(client, name);
      const applier = new Applier({
        client,
        schemas: cluster.contract.schemas,
        userOf,
        progress: (done, total) => options.progress?.(done, total, `asking ${options.where}`),
      });
      if (server.ours && cluster.base) await applier.plant(cluster.base.entrypoints.filter(isBuilt));
      const replies = await applier.all(built);
      await conclude(replies, { cluster, context, server, version, applier }, asked);
    } finally {
      client.close();
    }
  } finally {
    await server.stop();
  }
}

async function serverFor({ options, config, home, signal }: Context): Promise<Server> {
  const { where, keep, onMade } = options;
  if (where === 'envtest') {
    const { credentials, stop } = await startEnvtest(signal);
    return { server: 'envtest', credentials, ours: true, stop };
  }
  if (where !== 'kind' && !where.startsWith('kind:')) {
    const file = resolve(where);
    if (!existsSync(file)) throw new Unanswered(`there is no kubeconfig ${where}`, true);
    return {
      server: 'kubeconfig',
      credentials: await open(home, file, options.context),
      ours: false,
      stop: async () => {},
    };
  }
  const existing = where.slice('kind:'.length);
  const { kubeconfig, name, is, stop } = await startKind({
    ...config.dryRun,
    signal,
    ...(existing && { existing }),
    ...(keep && { keep }),
    ...(onMade && { onMade }),
  });
  try {
    const credentials = await open(home, kubeconfig);
    if (is === 'kept' && !(await isOurs(new Client(credentials, { writes: false, signal }))))
      throw new Unanswered(`the kind cluster "${name}" was not made by this tool, so it is not written to`, true);
    return { server: 'kind', credentials, ours: is !== 'existing', stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function open(home: string, file: string, context?: string): Promise<Credentials> {
  const bundle = pathToFileURL(join(home, 'dist', 'cluster', 'index.js')).href;
  const { openKubeconfig } = (await import(/* webpackIgnore: true */ bundle)) as typeof import('./kubeconfig.js');
  try {
    return openKubeconfig(file, context);
  } catch (error) {
    throw new Unanswered(`the kubeconfig is of no use: ${(error as Error).message}`, true);
  }
}

async function versionOf(client: Client): Promise<string> {
  const { status, body } = await client.ask({ method: 'GET', path: '/version' });
  const version = textAt(body, ['gitVersion']);
  if (status === 200 && version !== undefined) return version;
  throw new Unanswered(`what answers there is no API server of Kubernetes (${status})`, true);
}

/** That it may is found out before each object is refused for it. */
async function mayActAs(client: Client, name: string): Promise<void> {
  const answer = await client.ask({ method: 'GET', path: '/version', as: name });
  if (answer.status !== 403) return;
  throw new Unanswered(`the credentials may not act as ${name}: ${messageOf(answer)}`, true);
}

function user({ account }: Entrypoint, { contract }: Cluster): string {
  const { namespace, name } = account === 'flux' ? fluxAccount : (account ?? contract.rbac.account);
  return `system:serviceaccount:${namespace}:${name}`;
}

type Conclusion = { cluster: Cluster; context: Context; server: Server; version: string; applier: Applier };

async function conclude(replies: readonly Reply[], conclusion: Conclusion, asked: Asked): Promise<void> {
  const { cluster, context, server, version } = conclusion;
  const { name } = cluster;
  const run: DryRun = {
    ...(name !== undefined && { cluster: name }),
    ...{ server: server.server, version, asked: replies.length },
    ...{ refused: [], conflicts: [], disagreements: [], notes: notesFor(server.server) },
  };
  asked.runs.push(run);
  const unknown = (what: string, why: string) => {
    const known = asked.notChecked.find((one) => one.what === what && one.why === why);
    if (known) known.count += 1;
    else asked.notChecked.push({ what, why, count: 1 });
  };
  const unanswered = replies.filter(({ outcome }) => outcome === 'unanswered') as Extract<
    Reply,
    { outcome: 'unanswered' }
  >[];
  if (unanswered.length > 0) {
    const reasons = [...new Set(unanswered.map(({ why }) => why))].sort().join('; ');
    const why = `${unanswered.length} of ${replies.length} objects got no answer: ${reasons}`;
    asked.stage = { name: stage, ran: false, why };
  }
  for (const object of cluster.head.objects.filter(isEncrypted))
    unknown(`objects of kind ${object.ref.kind} that are encrypted`, 'only Flux can decrypt what it sends');
  for (const reply of replies) {
    if (reply.outcome === 'unanswered') continue;
    const { object, rendered } = reply;
    const about = { object: object.ref, entrypoint: object.entrypoint };
    const { unsaid, contradicted } = compare(reply, context.findings, !server.ours);
    const guess = reply.outcome === 'refused' && unsaid.length > 0 && notKnown(reply, replies, conclusion);
    if (guess) {
      unknown('objects that the server refuses', guess);
      continue;
    }
    for (const { rule } of contradicted) run.disagreements.push({ ...about, server: 'accepts', rule });
    asked.problems.head.push(...contradicted.map((finding) => contradiction(object, finding)));
    if (reply.outcome === 'accepted') {
      run.conflicts.push(...reply.conflicts.map((conflict) => ({ ...about, ...conflict })));
      continue;
    }
    const { reason, causes } = reply.refusal;
    const message = causes.map((cause) => wordsOf(cause)).join('; ');
    run.refused.push({ ...about, reason, expected: unsaid.length === 0, message });
    if (unsaid.length === 0) continue;
    run.disagreements.push({ ...about, server: 'refuses' });
    const rest = { ...reply, refusal: { reason, causes: unsaid } };
    asked.problems.head.push(...problemsOf(rest, cluster, server.ours));
    asked.problems.base.push(...(await before(object, rendered, conclusion)));
  }
}

/** Whether the same was refused before the change, so that it is not the change's doing. */
async function before(
  object: RenderedObject,
  { entrypoint }: Built,
  { cluster, applier, server }: Conclusion,
): Promise<Problem[]> {
  const rendered = cluster.base?.entrypoints.find(
    (one): one is Built => isBuilt(one) && one.entrypoint.path === entrypoint.path,
  );
  const old = rendered?.objects.find(({ ref }) => inventoryId(ref) === inventoryId(object.ref));
  if (!rendered || !old) return [];
  const reply = await applier.one(old, rendered);
  return reply.outcome === 'refused' ? problemsOf(reply, cluster, server.ours) : [];
}

/** Why a refusal says nothing: the server lacks what the cluster may have. */
function notKnown(
  reply: Reply & { outcome: 'refused' },
  replies: readonly Reply[],
  { cluster, server, version }: Conclusion,
) {
  const { object, rendered, refusal } = reply;
  const { ref } = object;
  const brings = (kind: string, fits: (other: RenderedObject) => boolean) =>
    replies.some((other) => other.object.ref.kind === kind && fits(other.object));
  if (refusal.reason === 'missing-namespace' && brings('Namespace', (other) => other.ref.name === ref.namespace))
    return 'their Namespace comes with the repository, and is not there yet';
  if (refusal.reason === 'unknown-kind') {
    const isIts = ({ value }: RenderedObject) => textAt(value, ['spec', 'names', 'kind']) === ref.kind;
    if (brings('CustomResourceDefinition', isIts))
      return 'the definition of their kind comes with the repository, and is not there yet';
    if (server.ours && cluster.contract.schemas.find(ref.apiVersion, ref.kind).known)
      return 'their kind is not on by default';
    const known = cluster.contract.schemas.find(ref.apiVersion, ref.kind);
    if (server.ours && !known.known)
      return known.why === 'unknown-kind'
        ? 'nobody knows their kind'
        : `their version may be served by a Kubernetes that is newer than ${version}`;
  }
  if (server.ours && refusal.reason === 'forbidden') {
    if (isPackage(object) && !cluster.snapshot && refusal.causes.some(({ message }) => / cannot create /.test(message)))
      return 'whether such a Package is there nobody knows without a snapshot';
    const place = ref.kind === 'Namespace' ? ref.name : ref.namespace;
    const owned = cluster.facts.get('ownedNamespaces').value as string[];
    if (place !== undefined && owned.includes(place) && !ownedWhenApplied(cluster).includes(place))
      return 'their namespace is owned only once another part of the change is applied';
    const { access } = cluster.permissions;
    const verbs = ['patch', 'create'] as const;
    if (verbs.some((verb) => access(rendered.entrypoint, verb, ref).allowed === 'unknown'))
      return 'the rights of the account are not known';
  }
  return undefined;
}

function problemsOf(reply: Reply & { outcome: 'refused' }, cluster: Cluster, ours: boolean): Problem[] {
  const { object, rendered, refusal } = reply;
  const { ref } = object;
  const { reason, causes } = refusal;
  const stopped = appliedBefore(ref, rendered, cluster.permissions);
  const facts = ours ? assumedFor(reason, object, cluster) : [];
  return causes.map((cause) => ({
    rule: 'refused-by-server',
    message: `${ref.kind} "${ref.name}": ${said[reason]}, so Flux applies ${stopped}: ${wordsOf(cause)}`,
    help: / immutable$/.test(cause.message) ? helpWithImmutable : helps[reason],
    at: { object, path: cause.path },
    ...(facts.length > 0 && { assumes: facts }),
  }));
}

/** With the field that the server names. */
function wordsOf({ path, message, named }: Cause): string {
  return named ? `${spell(path)}: ${message}` : message;
}

const said: Record<RefusalReason, string> = {
  forbidden: 'the API server does not allow it to the account',
  policy: 'a policy of the cluster refuses it',
  invalid: 'the API server takes it for invalid',
  'unknown-field': 'it does not fit the schema that the API server has',
  'unknown-kind': 'the API server does not serve its kind in that version',
  'no-namespace': 'the API server misses its namespace',
  'missing-namespace': 'its namespace is not in the cluster',
  conflict: 'the API server takes it for a change of another state',
  webhook: 'the API server cannot ask a webhook about it',
  other: 'the API server refuses it',
};

const helps: Record<RefusalReason, string> = {
  forbidden: 'take it out, or have an administrator give the account that right before this is merged',
  policy: 'change what the policy is about, or ask who keeps it',
  invalid: 'correct the field',
  'unknown-field': 'correct the field, or take it out',
  'unknown-kind': 'use a version that is served, or first merge what brings the kind',
  'no-namespace': 'write metadata.namespace',
  'missing-namespace': 'correct the name, or have the namespace made before this is merged',
  conflict: 'take resourceVersion, uid and what else was copied from a cluster out of metadata',
  webhook: 'see whether its service runs: until it does, Flux cannot apply this either',
  other: 'read what the server says',
};

const helpWithImmutable =
  'undo the change, or give the object another name; with the annotation kustomize.toolkit.fluxcd.io/force: enabled Flux deletes it and makes it anew';

/** What a cluster of our own was filled by. */
function assumedFor(reason: RefusalReason, { ref }: RenderedObject, { name, facts, contract }: Cluster): Fact[] {
  const rest: Partial<Record<RefusalReason, FactName[]>> = {
    forbidden: ref.kind === 'Package' ? ['variant', 'optionalPackages', 'packages'] : ['ownedNamespaces', 'roles'],
    'missing-namespace': ['ownedNamespaces'],
  };
  const lookup = contract.schemas.find(ref.apiVersion, ref.kind);
  const changes = lookup.known && !lookup.builtIn && !contract.schemas.isTheSameEverywhere(ref.apiVersion, ref.kind);
  const names: FactName[] = [...(rest[reason] ?? []), ...(changes ? (['release'] as const) : [])];
  return names
    .map((fact) => facts.get(fact))
    .filter(({ source }) => source === 'assumed')
    .map((fact) => ({ ...fact, ...(name !== undefined && { cluster: name }) }));
}

function contradiction(object: RenderedObject, { rule, field }: Finding): Problem {
  const { kind, name } = object.ref;
  return {
    rule: 'accepted-by-server',
    message: `The API server accepts ${kind} "${name}", although "${rule}" says that it is refused`,
    help: 'look at the facts of the cluster in the configuration; where they are right, please report it',
    at: { object, path: field },
  };
}
