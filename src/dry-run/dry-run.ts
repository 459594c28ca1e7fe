/** The stage `dry-run`: a server is had, filled where it is ours, asked, and its answers become problems at their lines. */

import { compare, type Reply } from '../apiserver/expected.js';
import { notKnown, problemsOf, wordsOf } from '../apiserver/refusals.js';
import { messageOf } from '../apiserver/types.js';
import type { Cluster } from '../cluster/cluster.js';
import { noCluster } from '../cluster/configured.js';
import type { Config } from '../config/config.js';
import { defined } from '../core/defined.js';
import type { DryRun, Entrypoint, Finding, NotChecked, Problem, RenderedObject, StageOutcome } from '../core/model.js';
import { getString, inventoryId } from '../core/object.js';
import { isEncrypted } from '../flux/applied.js';
import { type Built, isBuilt } from '../flux/prune.js';
import { DryRunApplier } from './apply.js';
import { Client, ServerUnavailableError } from './client.js';
import { startEnvtest } from './envtest.js';
import { startKind } from './kind.js';
import type { Credentials } from './kubeconfig.js';
import { openCredentials } from './list.js';
import { stage } from './not-asked.js';
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

export type DryRunResult = {
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

/** Whatever goes wrong is said, and leaves the rest of the report as it is. */
export async function dryRun(
  clusters: readonly Cluster[],
  options: DryRunOptions,
  { config, home, findings }: { config: Config; home: string; findings: readonly Finding[] },
): Promise<DryRunResult> {
  const asked: DryRunResult = {
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
    checkChoice(wanted, clusters, options);
    for (const cluster of wanted) {
      await oneCluster(cluster, { options, config, home, findings, signal: controller.signal }, asked);
    }
  } catch (error) {
    if (!(error instanceof ServerUnavailableError)) throw error;
    asked.stage = { name: stage, ran: false, why: error.message };
  } finally {
    clearTimeout(timer);
  }
  return asked;
}

function secondsOf(text: string): number {
  return Number.parseInt(text, 10) * (text.endsWith('m') ? 60 : 1);
}

function checkChoice(
  wanted: readonly Cluster[],
  clusters: readonly Cluster[],
  { where, cluster }: DryRunOptions,
): void {
  if (wanted.length === 0) {
    const names = clusters.map(({ name }) => name);
    throw new ServerUnavailableError(noCluster(cluster ?? '', names), true);
  }
  if (wanted.length < 2 || where === 'kind' || where === 'envtest') return;
  const names = wanted.map(({ name }) => name ?? 'the unnamed one').join(', ');
  throw new ServerUnavailableError(
    `the repository has several clusters (${names}): say with --cluster which one it is`,
    true,
  );
}

type Server = Pick<DryRun, 'server'> & { credentials: Credentials; ours: boolean; stop(): Promise<void> };

async function oneCluster(cluster: Cluster, context: Context, asked: DryRunResult): Promise<void> {
  const { options, signal } = context;
  const built = cluster.head.entrypoints.filter(isBuilt);
  if (built.length === 0) throw new ServerUnavailableError('nothing could be rendered', true);
  options.progress?.(0, 1, `starting ${options.where}`);
  const server = await serverFor(context);
  try {
    const client = new Client(server.credentials, { writes: server.ours, signal });
    try {
      const version = await versionOf(client);
      if (server.ours) await seed(client, cluster);
      const userOf = (entrypoint: Entrypoint) => user(entrypoint, cluster);
      for (const name of new Set(built.map(({ entrypoint }) => userOf(entrypoint)))) await mayActAs(client, name);
      const applier = new DryRunApplier({
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
    return {
      server: 'kubeconfig',
      credentials: await openCredentials(home, where, options.context),
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
    ...defined({ onMade }),
  });
  try {
    const credentials = await openCredentials(home, kubeconfig);
    if (is === 'kept' && !(await isOurs(new Client(credentials, { writes: false, signal }))))
      throw new ServerUnavailableError(
        `the kind cluster "${name}" was not made by this tool, so it is not written to`,
        true,
      );
    return { server: 'kind', credentials, ours: is !== 'existing', stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function versionOf(client: Client): Promise<string> {
  const { status, body } = await client.ask({ method: 'GET', path: '/version' });
  const version = getString(body, ['gitVersion']);
  if (status === 200 && version !== undefined) return version;
  throw new ServerUnavailableError(`what answers there is no API server of Kubernetes (${status})`, true);
}

/** That it may is found out before each object is refused for it. */
async function mayActAs(client: Client, name: string): Promise<void> {
  const answer = await client.ask({ method: 'GET', path: '/version', as: name });
  if (answer.status !== 403) return;
  throw new ServerUnavailableError(`the credentials may not act as ${name}: ${messageOf(answer)}`, true);
}

function user({ account }: Entrypoint, { contract }: Cluster): string {
  const { namespace, name } = account === 'flux' ? fluxAccount : (account ?? contract.rbac.account);
  return `system:serviceaccount:${namespace}:${name}`;
}

type Conclusion = { cluster: Cluster; context: Context; server: Server; version: string; applier: DryRunApplier };

async function conclude(replies: readonly Reply[], conclusion: Conclusion, asked: DryRunResult): Promise<void> {
  const { cluster, server, version } = conclusion;
  const run: DryRun = {
    ...defined({ cluster: cluster.name }),
    server: server.server,
    version,
    asked: replies.length,
    refused: [],
    conflicts: [],
    disagreements: [],
    notes: notesFor(server.server),
  };
  asked.runs.push(run);
  asked.stage = withoutAnswer(replies) ?? asked.stage;
  for (const object of cluster.head.objects.filter(isEncrypted)) {
    const what = `objects of kind ${object.ref.kind} that are encrypted`;
    countNotChecked(asked, what, 'only Flux can decrypt what it sends');
  }
  const there = { cluster, ours: server.ours, version, objects: replies.map(({ object }) => object) };
  for (const reply of replies) if (reply.outcome !== 'unanswered') await tell(reply, { run, asked, conclusion, there });
}

/** A stage that has no answer for some objects has not run. */
function withoutAnswer(replies: readonly Reply[]): DryRunResult['stage'] | undefined {
  const unanswered = replies.flatMap((reply) => (reply.outcome === 'unanswered' ? [reply.why] : []));
  if (unanswered.length === 0) return undefined;
  const reasons = [...new Set(unanswered)].sort().join('; ');
  const why = `${unanswered.length} of ${replies.length} objects got no answer: ${reasons}`;
  return { name: stage, ran: false, why };
}

function countNotChecked({ notChecked }: DryRunResult, what: string, why: string): void {
  const known = notChecked.find((one) => one.what === what && one.why === why);
  if (known) known.count += 1;
  else notChecked.push({ what, why, count: 1 });
}

type Telling = { run: DryRun; asked: DryRunResult; conclusion: Conclusion; there: Parameters<typeof notKnown>[1] };

/** What one answer says, and where it differs from what the rules have said. */
async function tell(
  reply: Exclude<Reply, { outcome: 'unanswered' }>,
  { run, asked, conclusion, there }: Telling,
): Promise<void> {
  const { cluster, context, server } = conclusion;
  const { object, rendered } = reply;
  const about = { object: object.ref, entrypoint: object.entrypoint };
  const { unsaid, contradicted } = compare(reply, context.findings, !server.ours);
  const guess =
    reply.outcome === 'refused' &&
    unsaid.length > 0 &&
    notKnown({ ...reply, refusal: { ...reply.refusal, causes: unsaid } }, there);
  if (guess) return countNotChecked(asked, 'objects that the server refuses', guess);
  for (const { rule } of contradicted) run.disagreements.push({ ...about, server: 'accepts', rule });
  asked.problems.head.push(...contradicted.map((finding) => contradiction(object, finding)));
  if (reply.outcome === 'accepted') {
    run.conflicts.push(...reply.conflicts.map((conflict) => ({ ...about, ...conflict })));
    return;
  }
  const { reason, causes } = reply.refusal;
  const message = causes.map((cause) => wordsOf(cause)).join('; ');
  run.refused.push({ ...about, reason, expected: unsaid.length === 0, message });
  if (unsaid.length === 0) return;
  run.disagreements.push({ ...about, server: 'refuses' });
  const rest = { ...reply, refusal: { reason, causes: unsaid } };
  asked.problems.head.push(...problemsOf(rest, cluster, server.ours));
  asked.problems.base.push(...(await before(object, rendered, conclusion)));
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

function contradiction(object: RenderedObject, { rule, field }: Finding): Problem {
  const { kind, name } = object.ref;
  return {
    rule: 'accepted-by-server',
    message: `${kind} "${name}" is accepted by the API server, although "${rule}" reports that it is refused`,
    help: 'correct the facts of the cluster in the configuration; if they are right, report a bug of the linter',
    at: { object, path: field },
  };
}
