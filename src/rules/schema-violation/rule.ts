import { ownedIn } from '../../cluster/owned-values.js';
import { defined } from '../../core/defined.js';
import type { FieldPath, Problem, RenderedObject } from '../../core/model.js';
import { groupOf, isWithin, label } from '../../core/object.js';
import { quoted, renamed, rewritten } from '../../core/remedies.js';
import { isWrittenInPart } from '../../cozystack/catalog.js';
import { platformName } from '../../cozystack/ownership.js';
import { isPackage } from '../../cozystack/package.js';
import { needsCel } from '../../schema/constraints.js';
import type { KnownSchema } from '../../schema/types.js';
import { type Violation, validateOnce } from '../../schema/validate.js';
import type { Rule, RuleContext } from '../rule.js';
import { isFilledByOthers } from '../support/other-owner.js';

const messages = {
  doesNotFit: (object: string, violation: string) => `${object}: ${violation}`,
  unknownField: (object: string, field: string, outcome: string) => `${field} in ${object}; ${outcome}`,
  bindsNobody: (object: string, field: string, outcome: string) =>
    `${field} in ${object}; ${outcome}, and the binding grants no rights`,
};

export default {
  id: 'schema-violation',
  group: 'schema',
  severity: 'error',
  summary: 'an object does not fit the schema of its kind: the API server refuses it, or Flux drops the field',
  messages,
  check(context) {
    const { schemas } = context.known.contract;
    for (const object of context.objects) {
      const { apiVersion, kind } = object.ref;
      const schema = schemas.find(apiVersion, kind);
      if (schema.known) judge(object, schema, context);
      else {
        const why = schema.why === 'unserved-version' ? 'no schema for this version' : 'no schema for this kind';
        context.notChecked(`${apiVersion} ${kind}`, why, { object });
      }
    }
  },
} satisfies Rule;

function judge(object: RenderedObject, schema: KnownSchema, context: RuleContext): void {
  const {
    report,
    notChecked,
    known: { contract },
  } = context;
  const { violations, skipped } = validateOnce(object.value, schema, {
    partial: isWrittenInPart(object, contract.catalog),
  });
  for (const violation of violations) {
    if (violation.unlessFilled && mayBeFilled(object, violation.path, context)) {
      notChecked('values', 'a null in place of a map or a list that others may have filled', { object });
      continue;
    }
    const isEmpty = violation.dropped === true && wasToBind(object, violation);
    report({
      message: messageOf(label(object.ref), violation, isEmpty),
      ...defined({ help: violation.help, quotes: violation.quotes, unsent: violation.dropped }),
      ...(violation.dropped && !isEmpty && { severity: 'warning' as const }),
      at: { object, path: violation.path, part: violation.part },
      ...remedy(object, violation),
    });
  }
  for (const { why, count } of skipped) if (why !== needsCel) notChecked('values', why, { count, object });
}

function messageOf(object: string, { message, outcome }: Violation, isEmpty: boolean): string {
  if (outcome === undefined) return messages.doesNotFit(object, message);
  return (isEmpty ? messages.bindsNobody : messages.unknownField)(object, message, outcome);
}

/** Whether somebody else may have filled what is null here: the platform's chart, its administrator, or whom the snapshot has seen. */
function mayBeFilled(object: RenderedObject, path: FieldPath, { known, applied }: RuleContext): boolean {
  const { contract, facts, snapshot } = known;
  const { name } = object.ref;
  if (!isWrittenInPart(object, contract.catalog)) return false;
  // Every Package of the platform has a variant, which the chart sets.
  if (!isPackage(object) || path.length === 1 || isFilledByOthers(name, path, snapshot)) return true;
  if (name === platformName && !snapshot) return true;
  return ownedIn(name, { contract, facts, objects: applied }).some(({ field }) => isWithin(field, path));
}

/** A binding may have no subjects, so nothing refuses the one whose subjects are dropped. */
function wasToBind({ ref, value }: RenderedObject, { instead }: Violation): boolean {
  const isBinding = groupOf(ref.apiVersion) === 'rbac.authorization.k8s.io' && ref.kind.endsWith('RoleBinding');
  return (
    isBinding && value.subjects === undefined && instead !== undefined && 'key' in instead && instead.key === 'subjects'
  );
}

function remedy(object: RenderedObject, { path, instead, kind }: Violation): Pick<Problem, 'remedy'> {
  const at = { object, path };
  if (!instead || path.length === 0) return {};
  if ('key' in instead) return { remedy: renamed(at, instead.key) };
  const { value } = instead;
  if (kind !== 'type' || typeof value !== 'string') return { remedy: rewritten(at, value) };
  return { remedy: quoted(at, value) };
}
