/** The requests that Flux would make, in its order and in the name of the account it uses, all as dry runs (flux/FACTS.md). */

import type { Reply } from '../apiserver/expected.js';
import { type Conflict, conflictsIn, refusalIn } from '../apiserver/status.js';
import type { ApiResponse } from '../apiserver/types.js';
import { defined } from '../core/defined.js';
import type { Entrypoint, JsonObject, RenderedObject } from '../core/model.js';
import { isApplication } from '../cozystack/application.js';
import { isPackage } from '../cozystack/package.js';
import type { Schemas } from '../cozystack/schemas.js';
import { isApplied, isEncrypted } from '../flux/applied.js';
import type { Built } from '../flux/prune.js';
import { toApplyRequest } from '../flux/request.js';
import { isSetTo, stageOf } from '../flux/settings.js';
import { type Client, inParallel, ServerUnavailableError } from './client.js';
import { addressOf, Discovery } from './discovery.js';

export type ApplyOptions = {
  client: Client;
  schemas: Schemas;
  /** The user that applies what an entrypoint renders. */
  userOf(entrypoint: Entrypoint): string;
  progress?: (done: number, total: number) => void;
};

type Wanted = { object: RenderedObject; rendered: Built };
type How = { entrypoint: Entrypoint; force: boolean; write?: boolean; as: string | undefined };

/** As many requests at a time as a server answers without falling behind. */
const atOnce = 8;
const secondsUntilEstablished = 60;
const nameOfNew = 'customizer-lint-made-anew';

export class DryRunApplier {
  readonly #discovery: Discovery;

  constructor(private readonly options: ApplyOptions) {
    this.#discovery = new Discovery(options.client);
  }

  /** Throws `Unanswered` where the server does not answer at all. */
  async all(entrypoints: readonly Built[]): Promise<Reply[]> {
    const replies: Reply[] = [];
    const stages = inStages(entrypoints);
    const total = stages.reduce((sum, { asked }) => sum + asked.length, 0);
    for (const { stage, asked } of stages) {
      const heard = await inParallel(asked, atOnce, async ({ object, rendered }, index) => {
        this.options.progress?.(replies.length + index, total);
        return { object, rendered, ...(await this.#reply(object, rendered.entrypoint)) } as Reply;
      });
      replies.push(...(stage === 1 ? await this.#writeFirst(heard) : heard));
    }
    return replies;
  }

  /**
   * Leaves what was applied before the change on a cluster of our own, so that it is a change to the server too: of what may
   * not be changed any more, of what is there and need not be made. What it refuses was not there. A Package that nobody has
   * made is not made by this either.
   */
  async plant(entrypoints: readonly Built[]): Promise<void> {
    for (const { stage, asked } of inStages(entrypoints)) {
      await inParallel(asked, atOnce, ({ object, rendered }) => this.#plant(object, rendered.entrypoint));
      if (stage === 1) this.#discovery.forget();
    }
  }

  async #plant(object: RenderedObject, entrypoint: Entrypoint): Promise<void> {
    const { client } = this.options;
    try {
      const served = await this.#discovery.find(object.ref);
      if (!served) return;
      const path = addressOf(object.ref, served);
      const isThere = await this.#isThere(path);
      if (isPackage(object) ? !isThere : isThere && keepsWhatIsThere(object)) return;
      const answer = await this.#patch(object, path, { entrypoint, force: true, write: true, as: undefined });
      if (answer.status < 300 && object.ref.kind === 'CustomResourceDefinition')
        await untilEstablished(client, path, secondsUntilEstablished);
    } catch (error) {
      if (!(error instanceof ServerUnavailableError) || error.whole) throw error;
    }
  }

  async #isThere(path: string, as?: string): Promise<boolean> {
    const { status } = await this.options.client.ask({ method: 'GET', path, ...defined({ as }) });
    return status === 200;
  }

  /** What the server says of one more object, without anything being written. */
  async one(object: RenderedObject, rendered: Built): Promise<Reply> {
    return { object, rendered, ...(await this.#reply(object, rendered.entrypoint)) } as Reply;
  }

  async #reply(object: RenderedObject, entrypoint: Entrypoint): Promise<object> {
    try {
      return await this.#ask(object, entrypoint);
    } catch (error) {
      if (error instanceof ServerUnavailableError && !error.whole) return { outcome: 'unanswered', why: error.message };
      throw error;
    }
  }

  async #ask(object: RenderedObject, entrypoint: Entrypoint): Promise<object> {
    const { userOf, client } = this.options;
    const { ref } = object;
    // Asked what it would do it does it (cozystack/FACTS.md, Applications).
    if (isApplication(object) && !client.writes)
      return { outcome: 'unanswered', why: 'the server of applications takes no dry run: it would make the object' };
    const served = await this.#discovery.find(ref);
    if (!served) {
      const message = `no matches for kind "${ref.kind}" in version "${ref.apiVersion}"`;
      return { outcome: 'refused', refusal: { reason: 'unknown-kind', causes: [{ path: ['apiVersion'], message }] } };
    }
    const path = addressOf(ref, served);
    const as = userOf(entrypoint);
    const accepted = (conflicts: Conflict[] = []) => ({ outcome: 'accepted', conflicts, written: false });
    if (keepsWhatIsThere(object) && (await this.#isThere(path, as))) return accepted();
    const first = await this.#patch(object, path, { entrypoint, force: false, as });
    const conflicts = conflictsIn(first, object);
    const answer = conflicts ? await this.#patch(object, path, { entrypoint, force: true, as }) : first;
    if (answer.status < 300) return accepted(conflicts);
    if (isTimeout(answer)) return { outcome: 'unanswered', why: 'the server ran into its own time limit (504)' };
    if (served.namespaced && ref.namespace === undefined && (answer.status === 404 || answer.status === 405)) {
      const causes = [{ path: ['metadata', 'namespace'], message: 'namespace not specified' }];
      return { outcome: 'refused', refusal: { reason: 'no-namespace', causes } };
    }
    if (isMadeAnew(object, entrypoint, answer) && (await this.#isThere(path))) {
      const made = await this.#anew(object, path, { entrypoint, as });
      return made.status < 300 ? accepted() : { outcome: 'refused', refusal: refusalIn(made, object) };
    }
    return { outcome: 'refused', refusal: refusalIn(answer, object) };
  }

  /** Flux deletes it first, which the account has to be allowed to; under another name the server takes it for new. */
  async #anew(object: RenderedObject, path: string, how: { entrypoint: Entrypoint; as: string }): Promise<ApiResponse> {
    const { client } = this.options;
    const gone = await client.ask({ method: 'DELETE', path, query: { dryRun: 'All' }, as: how.as });
    if (gone.status >= 300) return gone;
    const metadata = { ...(object.value.metadata as JsonObject), name: nameOfNew };
    const value = { ...object.value, metadata };
    const other = path.slice(0, path.lastIndexOf('/') + 1) + nameOfNew;
    return this.#patch({ ...object, value }, other, { ...how, force: true });
  }

  #patch(object: RenderedObject, path: string, how: How): Promise<ApiResponse> {
    const { client, schemas } = this.options;
    const { entrypoint, force, write = false, as } = how;
    return client.ask({
      method: 'PATCH',
      path,
      query: {
        fieldManager: 'kustomize-controller',
        force: String(force),
        ...(!write && { dryRun: 'All' }),
      },
      type: 'application/apply-patch+yaml',
      body: toApplyRequest(object, entrypoint, schemas),
      ...defined({ as }),
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
    const { entrypoint } = rendered;
    try {
      const as = this.options.userOf(entrypoint);
      const answer = await this.#patch(object, path, { entrypoint, force: true, write: true, as });
      if (answer.status >= 300) return { object, rendered, outcome: 'refused', refusal: refusalIn(answer, object) };
      if (object.ref.kind === 'CustomResourceDefinition')
        await untilEstablished(this.options.client, path, secondsUntilEstablished);
      return { ...reply, written: true };
    } catch (error) {
      if (!(error instanceof ServerUnavailableError) || error.whole) throw error;
      return { object, rendered, outcome: 'unanswered', why: error.message };
    }
  }
}

/** What Flux asks for, in its order. */
function inStages(entrypoints: readonly Built[]): { stage: 1 | 2 | 3; asked: Wanted[] }[] {
  const all = entrypoints.flatMap((rendered) =>
    rendered.objects
      .filter((object) => isApplied(object) && !isEncrypted(object))
      .map((object) => ({ object, rendered })),
  );
  return ([1, 2, 3] as const).map((stage) => ({
    stage,
    asked: all.filter(({ object }) => stageOf(object.ref) === stage),
  }));
}

function keepsWhatIsThere({ value }: RenderedObject): boolean {
  return isSetTo(value, 'ssa', 'IfNotPresent');
}

/** As Flux does with what is set to be forced, for any object that is invalid or conflicts (fluxcd/pkg/ssa, IsImmutableError). */
function isMadeAnew({ value, ref }: RenderedObject, { forces }: Entrypoint, { status }: ApiResponse): boolean {
  if (status !== 422 && status !== 409) return false;
  return (forces || isSetTo(value, 'force', 'enabled')) && ref.kind !== 'CustomResourceDefinition';
}

function isTimeout({ status, body }: ApiResponse): boolean {
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
      throw new ServerUnavailableError(
        `the definition ${name} is not served ${refused ? `: ${why}` : `after ${seconds} s`}`.replace(' :', ':'),
        false,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
