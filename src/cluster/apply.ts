/** The requests that Flux would make, in its order and in the name of the account it uses, all as dry runs (flux.md §2.1-2.4). */
import { isSetTo, stageOf } from '../contract/flux.js';
import type { Schemas } from '../contract/schemas.js';
import type { Built } from '../facts/pruned.js';
import { isApplied } from '../facts/refusal.js';
import type { Entrypoint, JsonObject, RenderedObject } from '../model.js';
import { isObject } from '../object.js';
import { type Conflict, conflictsIn, type Refusal, refusalIn } from './answers.js';
import { type Answer, type Client, inParallel, Unanswered } from './client.js';
import { addressOf, Discovery } from './discovery.js';
import { asSent } from './sent.js';

export type Reply = { object: RenderedObject; rendered: Built } /** `written`: for real, on a cluster of our own. */ & (
  | { outcome: 'accepted'; conflicts: Conflict[]; written: boolean }
  | { outcome: 'refused'; refusal: Refusal }
  | { outcome: 'unanswered'; why: string }
);

export type ApplyOptions = {
  client: Client;
  schemas: Schemas;
  /** The user that applies what an entrypoint renders. */
  userOf(entrypoint: Entrypoint): string;
  progress?: (done: number, total: number) => void;
};

/** As many requests at a time as a server answers without falling behind. */
const atOnce = 8;
const secondsUntilEstablished = 60;

export class Applier {
  readonly #discovery: Discovery;

  constructor(private readonly options: ApplyOptions) {
    this.#discovery = new Discovery(options.client);
  }

  /** Throws `Unanswered` where the server does not answer at all. */
  async all(entrypoints: readonly Built[]): Promise<Reply[]> {
    const asked = entrypoints.flatMap((rendered) =>
      rendered.objects
        .filter((object) => isApplied(object) && !isEncrypted(object))
        .map((object) => ({ object, rendered })),
    );
    const replies: Reply[] = [];
    for (const stage of [1, 2, 3] as const) {
      const here = asked.filter(({ object }) => stageOf(object.ref) === stage);
      const heard = await inParallel(here, atOnce, async ({ object, rendered }, index) => {
        this.options.progress?.(replies.length + index, asked.length);
        return { object, rendered, ...(await this.#reply(object, rendered.entrypoint)) } as Reply;
      });
      replies.push(...(stage === 1 ? await this.#writeFirst(heard) : heard));
    }
    return replies;
  }

  /** What the server says of one more object, without anything being written. */
  async one(object: RenderedObject, rendered: Built): Promise<Reply> {
    return { object, rendered, ...(await this.#reply(object, rendered.entrypoint)) } as Reply;
  }

  async #reply(object: RenderedObject, entrypoint: Entrypoint): Promise<object> {
    try {
      return await this.#ask(object, entrypoint);
    } catch (error) {
      if (error instanceof Unanswered && !error.whole) return { outcome: 'unanswered', why: error.message };
      throw error;
    }
  }

  async #ask(object: RenderedObject, entrypoint: Entrypoint): Promise<object> {
    const { client, userOf } = this.options;
    const { ref } = object;
    const served = await this.#discovery.find(ref);
    if (!served) {
      const message = `no matches for kind "${ref.kind}" in version "${ref.apiVersion}"`;
      return { outcome: 'refused', refusal: { reason: 'unknown-kind', causes: [{ path: ['apiVersion'], message }] } };
    }
    const path = addressOf(ref, served);
    const as = userOf(entrypoint);
    if (isSetTo(object.value, 'ssa', 'IfNotPresent')) {
      const { status } = await client.ask({ method: 'GET', path, as });
      if (status === 200) return { outcome: 'accepted', conflicts: [], written: false };
    }
    const first = await this.#patch(object, entrypoint, path, { force: false });
    const conflicts = conflictsIn(first, object);
    const answer = conflicts ? await this.#patch(object, entrypoint, path, { force: true }) : first;
    if (answer.status < 300) return { outcome: 'accepted', conflicts: conflicts ?? [], written: false };
    if (isTimeout(answer)) return { outcome: 'unanswered', why: 'the server ran into its own time limit (504)' };
    if (served.namespaced && ref.namespace === undefined && (answer.status === 404 || answer.status === 405)) {
      const causes = [{ path: ['metadata', 'namespace'], message: 'namespace not specified' }];
      return { outcome: 'refused', refusal: { reason: 'no-namespace', causes } };
    }
    return { outcome: 'refused', refusal: refusalIn(answer, object) };
  }

  #patch(
    object: RenderedObject,
    entrypoint: Entrypoint,
    path: string,
    { force, write = false }: { force: boolean; write?: boolean },
  ): Promise<Answer> {
    const { client, userOf, schemas } = this.options;
    return client.ask({
      method: 'PATCH',
      path,
      query: {
        fieldManager: 'kustomize-controller',
        force: String(force),
        ...(!write && { dryRun: 'All' }),
      },
      type: 'application/apply-patch+yaml',
      body: asSent(object, entrypoint, schemas),
      as: userOf(entrypoint),
    });
  }

  /** On a cluster of our own the first stage is applied, as what follows could not be judged without it. */
  async #writeFirst(replies: Reply[]): Promise<Reply[]> {
    if (!this.options.client.writes) return replies;
    const written = await inParallel(replies, atOnce, (reply) => this.#write(reply));
    this.#discovery.forget();
    return written;
  }

  async #write(reply: Reply): Promise<Reply> {
    if (reply.outcome !== 'accepted') return reply;
    const { object, rendered } = reply;
    const served = await this.#discovery.find(object.ref);
    if (!served) return reply;
    const path = addressOf(object.ref, served);
    try {
      const answer = await this.#patch(object, rendered.entrypoint, path, { force: true, write: true });
      if (answer.status >= 300) return { object, rendered, outcome: 'refused', refusal: refusalIn(answer, object) };
      if (object.ref.kind === 'CustomResourceDefinition')
        await untilEstablished(this.options.client, path, secondsUntilEstablished);
      return { ...reply, written: true };
    } catch (error) {
      if (!(error instanceof Unanswered) || error.whole) throw error;
      return { object, rendered, outcome: 'unanswered', why: error.message };
    }
  }
}

/** Flux decrypts it before it asks, and nobody else can. */
export function isEncrypted({ value }: RenderedObject): boolean {
  return isObject(value.sops);
}

function isTimeout({ status, body }: Answer): boolean {
  return status === 504 || body.reason === 'Timeout';
}

/** Throws `Unanswered` for a definition that is not served in time. */
export async function untilEstablished(client: Client, path: string, seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1000;
  let why = '';
  for (;;) {
    const { body } = await client.ask({ method: 'GET', path });
    const conditions = ((body.status as JsonObject | undefined)?.conditions ?? []) as JsonObject[];
    const isTrue = (type: string) => conditions.find((one) => one.type === type)?.status === 'True';
    if (isTrue('Established')) return;
    const refused = conditions.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
    why = String(refused?.message ?? why);
    if (refused || Date.now() > end) {
      const name = decodeURIComponent(path.split('/').at(-1) ?? '');
      throw new Unanswered(
        `the definition ${name} is not served ${refused ? `: ${why}` : `after ${seconds} s`}`.replace(' :', ':'),
        false,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
