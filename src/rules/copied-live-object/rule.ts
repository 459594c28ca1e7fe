import type { FieldPath, FixProposal, Json, RenderedObject } from '../../core/model.js';
import { label, lookUp } from '../../core/object.js';
import type { Schemas } from '../../cozystack/schemas.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  refused: (object: string, field: string, why: string) =>
    `${object} has the ${field} of a live object, which the API server refuses${why}, so Flux applies nothing together with it`,
  ignored: (object: string, fields: readonly string[]) =>
    `${object} has ${fields.join(', ')} of a live object, which the API server ignores`,
};

export default {
  id: 'copied-live-object',
  group: 'schema',
  severity: 'error',
  summary: 'a manifest has fields that the API server sets, copied from a live object',
  messages,
  check(context) {
    for (const object of context.objects.filter(isApplied)) judge(object, context);
  },
} satisfies Rule;

function judge(object: RenderedObject, { report, known: { contract } }: RuleContext): void {
  const refused = refusals.filter(([path]) => isLeft(object, path) || isSentEmpty(object, path, contract.schemas));
  const ignored = harmless.filter((path) => isLeft(object, path));
  const left = [...refused.map(([path]) => path), ...ignored];
  const remedy: FixProposal = {
    title: 'remove what the API server sets',
    safe: true,
    changes: left.map((path) => ({ do: 'remove', at: { object, path } })),
  };
  for (const [path, why, unless] of refused) {
    report({
      message: messages.refused(label(object.ref), nameOf(path), why),
      ...(unless && { severity: 'warning' as const }),
      help: 'remove it, and all other fields that the API server sets',
      at: { object, path, part: 'key' },
      remedy,
    });
  }
  const first = ignored[0];
  if (!first || refused.length > 0) return;
  report({
    severity: 'notice',
    message: messages.ignored(label(object.ref), ignored.map(nameOf)),
    help: 'remove it; it looks copied from the cluster',
    at: { object, path: first, part: 'key' },
    remedy,
  });
}

/** `unless`: it is accepted for as long as it is that very object. */
const refusals: [path: FieldPath, why: string, unless?: true][] = [
  [['metadata', 'resourceVersion'], ' as a conflict'],
  [['metadata', 'uid'], ' in every other cluster', true],
  [['metadata', 'managedFields'], ''],
];

/** Generators of manifests write `creationTimestamp: null` and `status: {}`, so only what says something counts. */
const harmless: FieldPath[] = [
  ['metadata', 'creationTimestamp'],
  ['metadata', 'generation'],
  ['metadata', 'selfLink'],
  ['status'],
];

function nameOf(path: FieldPath): string {
  return String(path.at(-1));
}

function isLeft({ value, ref }: RenderedObject, path: FieldPath): boolean {
  if (path[0] === 'status' && ref.kind === 'CustomResourceDefinition') return false;
  const found = lookUp(value, path);
  return found !== undefined && !isEmpty(found);
}

/** Of kinds that are built in Flux sends no empty list; of all others it sends what stands there, and even that is refused. */
function isSentEmpty({ value, ref }: RenderedObject, path: FieldPath, schemas: Schemas): boolean {
  const schema = schemas.find(ref.apiVersion, ref.kind);
  if (schema.known && schema.unknownFields === 'dropped') return false;
  return path.at(-1) === 'managedFields' && Array.isArray(lookUp(value, path));
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.values(value).every(isEmpty));
}
