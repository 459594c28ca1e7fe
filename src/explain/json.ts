/** All that `explain` knows, for programs. */
import { defined } from '../core/defined.js';
import type { FieldPath, Json, RenderedObject } from '../core/model.js';
import { inventoryId } from '../core/object.js';
import { maskText } from '../secrets/mask.js';
import { maskedValue } from '../secrets/masked-values.js';
import type { FieldOutcome } from '../simulate/outcome.js';
import { belowData } from './below.js';
import type { Explained, ExplainedField } from './text.js';

export function explainData(explained: readonly Explained[]) {
  return explained.map(({ object, cluster, fate, fields }) => ({
    id: inventoryId(object.ref),
    ...object.ref,
    entrypoint: object.entrypoint,
    ...defined({ cluster }),
    action: fate.action,
    ...(fate.why !== undefined && { why: maskText(fate.why) }),
    ...(fate.unsure !== undefined && { unsure: maskText(fate.unsure) }),
    fields: fields.map((field) => fieldData(field, object)),
  }));
}

function fieldData(field: ExplainedField, object: RenderedObject) {
  const { path, written, contract, removal, fate } = field;
  const masked: Masked = (key, value, at = path) =>
    value === undefined ? {} : { [key]: maskedValue(object, at, value) };
  return {
    path,
    ...(written && {
      ...masked('value', written.value),
      ...(written.removed && { removed: true }),
      setBy: written.setBy,
      ...defined({ alias: written.alias }),
    }),
    ...(contract && { contract: { ...contract, ...masked('set', contract.set) } }),
    ...(fate && applyData(field, fate, masked)),
    ...(removal && {
      remove: {
        outcome: removal.outcome,
        ...(removal.why !== undefined && { why: maskText(removal.why) }),
        ...masked('after', removal.after),
        ...defined({ owners: removal.owners }),
        others: removal.others.map((change) => ({
          path: change.path,
          ...masked('before', change.before, change.path),
          ...masked('after', change.after, change.path),
        })),
      },
    }),
    ...(field.below && { below: belowData(field.below) }),
  };
}

type Masked = (key: string, value: Json | undefined, at?: FieldPath) => { [key: string]: Json };

function applyData({ sentAs }: ExplainedField, fate: FieldOutcome, masked: Masked) {
  const { outcome, path, from, ownersBefore, ownersAfter, replaced } = fate;
  return {
    ownersBefore,
    ownersAfter,
    apply: {
      outcome,
      ...masked('before', fate.before, path),
      ...masked('after', fate.after, path),
      ...(from.length > 0 && { from }),
      ...(replaced && { replaced: { path: replaced.path, ...masked('value', replaced.value, replaced.path) } }),
      ...defined({ as: sentAs }),
    },
  };
}
