import type { Problem, RenderedObject } from '../../core/model.js';
import { quoted, renamed, rewritten } from '../../core/remedies.js';
import { type Violation, validate } from '../../schema/validate.js';
import type { Rule } from '../rule.js';

export default {
  id: 'schema-violation',
  severity: 'error',
  summary: 'an object does not fit the schema of its kind: the API server refuses it, or Flux drops the field',
  check({ objects, report, notChecked, known: { contract } }) {
    for (const object of objects) {
      const { apiVersion, kind, name } = object.ref;
      const schema = contract.schemas.find(apiVersion, kind);
      if (!schema.known) {
        notChecked(
          `${apiVersion} ${kind}`,
          schema.why === 'unserved-version' ? 'no schema for this version' : 'no schema for this kind',
        );
        continue;
      }
      const guessed = () => !schema.builtIn && !contract.schemas.isTheSameEverywhere(apiVersion, kind);
      const { violations, skipped } = validate(object.value, schema, {
        partial: isShared(object),
      });
      for (const violation of violations) {
        report({
          message: `${kind} "${name}": ${violation.message}`,
          ...(violation.help && { help: violation.help }),
          ...(violation.dropped && { severity: 'warning' as const }),
          at: { object, path: violation.path, part: violation.part },
          ...remedy(object, violation),
          ...(guessed() && { assumes: ['release' as const] }),
        });
      }
      for (const { why, count } of skipped) notChecked('values', why, count);
    }

    /** A manifest of an object that others write too leaves out what is theirs, so nothing is missing from it. */
    function isShared({ ref }: RenderedObject): boolean {
      return (
        ref.kind === 'Package' || (ref.kind === 'PackageSource' && contract.catalog.source(ref.name) !== undefined)
      );
    }
  },
} satisfies Rule;

function remedy(object: RenderedObject, { path, instead, kind }: Violation): Pick<Problem, 'remedy'> {
  const at = { object, path };
  if (!instead || path.length === 0) return {};
  if ('key' in instead) return { remedy: renamed(at, instead.key) };
  const { value } = instead;
  if (kind === 'enum' || typeof value !== 'string') return { remedy: rewritten(at, value) };
  return { remedy: quoted(at, value) };
}
