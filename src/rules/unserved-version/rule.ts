import { describeBlocked } from '../../cluster/blocked.js';
import { isClosedGroup, isDefinedHere } from '../../cluster/definitions.js';
import { isEmittedByPlatform } from '../../cluster/platform.js';
import type { ObjectRef, Problem, RenderedObject } from '../../core/model.js';
import { label } from '../../core/object.js';
import { rewritten } from '../../core/remedies.js';
import type { Built } from '../../flux/prune.js';
import { validate } from '../../schema/validate.js';
import type { Rule, RuleContext } from '../rule.js';
import { appliedIn } from '../support/applied.js';

const messages = {
  notServed: (object: string, apiVersion: string, blocked: string) =>
    `${object} has apiVersion ${apiVersion}, which the cluster does not serve, so Flux applies ${blocked}`,
  newer: (object: string, apiVersion: string, blocked: string) =>
    `${object} has apiVersion ${apiVersion}, newer than any known; unless the cluster serves it, Flux applies ${blocked}`,
};

export default {
  id: 'unserved-version',
  group: 'schema',
  severity: 'error',
  summary: 'an object has an apiVersion that the cluster does not serve, so nothing is applied',
  messages,
  check(context) {
    for (const [object, rendered] of appliedIn(context)) judge(object, rendered, context);
  },
} satisfies Rule;

function judge(object: RenderedObject, rendered: Built, context: RuleContext): void {
  const { ref } = object;
  const { apiVersion } = ref;
  const served = servedInstead(ref, context);
  if (!served) return;
  const group = apiVersion.includes('/') ? `${apiVersion.split('/')[0]}/` : '';
  const versions = served.versions.map((version) => group + version);
  const blocked = describeBlocked(ref, rendered, context.known.permissions);
  context.report({
    message: (served.isGuess ? messages.newer : messages.notServed)(label(ref), apiVersion, blocked),
    help: `write ${versions.join(' or ')}, whose fields may differ`,
    at: { object, path: ['apiVersion'] },
    ...remedy(object, versions, context),
    ...(served.isGuess && { severity: 'warning' as const }),
  });
}

/** A version that takes the object as it is; what its fields mean there is a person's to know. */
function remedy(
  object: RenderedObject,
  versions: string[],
  { known: { contract } }: RuleContext,
): Pick<Problem, 'remedy'> {
  const fitting = versions.find((apiVersion) => {
    const schema = contract.schemas.find(apiVersion, object.ref.kind);
    return schema.known && validate({ ...object.value, apiVersion }, schema).violations.length === 0;
  });
  const at = { object, path: ['apiVersion'] };
  return fitting === undefined ? {} : { remedy: { ...rewritten(at, fitting), safe: false } };
}

/** The versions that are served; undefined where this one is, or may be. */
function servedInstead(ref: ObjectRef, context: RuleContext): { versions: string[]; isGuess: boolean } | undefined {
  const {
    applied,
    known: { contract, snapshot },
  } = context;
  const { apiVersion, kind } = ref;
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const key = `${group}/${kind}`;
  const seen = snapshot?.kinds && Object.hasOwn(snapshot.kinds, key) ? snapshot.kinds[key] : undefined;
  if (seen && seen.length > 0) return seen.includes(version) ? undefined : { versions: seen, isGuess: false };
  const found = contract.schemas.find(apiVersion, kind);
  if (found.known || found.why !== 'unserved-version' || isDefinedHere(ref, applied)) return undefined;
  const versions = found.served;
  // A version that is newer than the data may have come with a newer Kubernetes, or an operator of one's own.
  const isNewer = versions.every((one) => comesAfter(version, one));
  return {
    versions,
    isGuess: isNewer && !isSurelyOfRelease(group, `${group ? `${group}/` : ''}${versions[0]}`, ref, context),
  };
}

/** Whether nobody but the release brings the kind. */
function isSurelyOfRelease(group: string, served: string, { kind }: ObjectRef, context: RuleContext): boolean {
  if (isClosedGroup(group)) return true;
  const { known } = context;
  const other = known.contract.schemas.find(served, kind);
  if (!other.known || other.builtIn) return false;
  return other.installedBy.some((by) => isEmittedByPlatform(by.split('/')[0] ?? '', known) === true);
}

function comesAfter(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => /^v(\d+)(?:(alpha|beta)(\d+)?)?$/.exec(text));
  if (!a || !b) return true;
  const rank = ([, major, stage, minor]: RegExpExecArray) => [
    Number(major),
    stage === undefined ? 2 : stage === 'beta' ? 1 : 0,
    Number(minor ?? 0),
  ];
  const [left, right] = [rank(a), rank(b)];
  const index = left.findIndex((number, at) => number !== right[at]);
  return index >= 0 && (left[index] as number) > (right[index] as number);
}
