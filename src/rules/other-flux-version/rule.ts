import { describeBlocked } from '../../cluster/blocked.js';
import { isBrought } from '../../cluster/definitions.js';
import type { FieldPath, FixStep, JsonObject, Problem, RenderedObject } from '../../core/model.js';
import { formatPath, groupOf, label, lookUp } from '../../core/object.js';
import { isApplied } from '../../flux/applied.js';
import type { Built } from '../../flux/prune.js';
import { validate } from '../../schema/validate.js';
import type { Rule, RuleContext } from '../rule.js';
import { type ChangedField, changedFields, changeOf, fieldsIn, oldGroups } from './old-fields.js';

const messages = {
  oldApi: (object: string, apiVersion: string, applied: string) =>
    `${object} is of ${apiVersion}, an API that Flux has removed, so Flux applies ${applied}`,
  refusedField: (object: string, field: string, version: string, applied: string) =>
    `${object}: ${field} has the form of ${version}, which is refused, so Flux applies ${applied}`,
  ineffectiveField: (object: string, field: string, version: string, outcome: string | undefined) =>
    `${object}: ${field} has the form of ${version}, and ${outcome}`,
};

export default {
  id: 'other-flux-version',
  group: 'schema',
  severity: 'error',
  summary: 'an object, or a field of a Flux Kustomization, is of a version of Flux that the cluster does not have',
  messages,
  check(context) {
    for (const rendered of context.entrypoints) {
      for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
        if (!rendered.ok) continue;
        if (Object.hasOwn(oldGroups, groupOf(object.ref.apiVersion))) judgeObject(object, rendered, context);
        else if (isKustomization(object)) judgeFields(object, rendered, context);
      }
    }
  },
} satisfies Rule;

/** The one finding about an object of an old API has a note at every field that it sets. */
function judgeObject(object: RenderedObject, rendered: Built, context: RuleContext): void {
  const { apiVersion, kind } = object.ref;
  const group = groupOf(apiVersion);
  const now = oldGroups[group];
  if (!now || isBrought(object.ref, context.known)) return;
  const found = context.known.contract.schemas.find(`${now.group}/none`, kind);
  const version = !found.known && found.why === 'unserved-version' ? found.served[0] : undefined;
  const isFirst = group === 'kustomize.fluxcd.io' && kind === 'Kustomization';
  const notes = isFirst
    ? changedFields.flatMap((row) => fieldsIn(object.value, row).map((path) => ({ path, message: `v1: ${row.v1}` })))
    : [];
  context.report({
    message: messages.oldApi(
      label(object.ref),
      apiVersion,
      describeBlocked(object.ref, rendered, context.known.permissions),
    ),
    help: version ? `write ${now.group}/${version}, ${now.help}` : `remove it; no kind of ${now.group} replaces it`,
    at: { object, path: ['apiVersion'] },
    ...(version && objectRemedy(object, `${now.group}/${version}`, isFirst, context)),
    related: notes.map(({ path, message }) => ({ message, at: { object, path, part: 'key' } })),
    insteadOf: [
      { rules: ['unknown-kind', 'unserved-version', 'schema-violation'], path: [] },
      { rules: ['copied-live-object'], path: ['status'] },
    ],
  });
}

/** Somebody changed no more than the apiVersion. What the API server refuses is for the schema to say. */
function judgeFields(
  object: RenderedObject,
  rendered: Built,
  { report, known: { contract, permissions } }: RuleContext,
): void {
  const { apiVersion, kind } = object.ref;
  const schema = contract.schemas.find(apiVersion, kind);
  if (!schema.known) return;
  const refused = validate(object.value, schema).violations.map(({ path }) => path);
  for (const path of refused) {
    const row = changeOf(path);
    if (!row || !isOther(row, object, path)) continue;
    const field = path.slice(0, row.path.length);
    report({
      message: messages.refusedField(
        label(object.ref),
        formatPath(field),
        row.of,
        describeBlocked(object.ref, rendered, permissions),
      ),
      help: row.v1,
      at: { object, path: field, part: isGone(row) ? 'key' : 'value' },
      ...fieldRemedy(row, object, field),
      insteadOf: [{ rules: ['schema-violation'], path: field }],
    });
  }
  for (const row of changedFields.filter(({ without }) => without !== undefined)) {
    // What waits for everything passes over healthChecks, which has a rule of its own.
    if (row.path[1] === 'healthChecks' && lookUp(object.value, ['spec', 'wait']) === true) continue;
    for (const path of fieldsIn(object.value, row)) {
      if (!isOther(row, object, path) || refused.some((other) => path.every((step, at) => other[at] === step)))
        continue;
      report({
        severity: 'warning',
        message: messages.ineffectiveField(label(object.ref), formatPath(path), row.of, row.without),
        help: row.v1,
        at: { object, path, part: isGone(row) ? 'key' : 'value' },
        ...fieldRemedy(row, object, path),
      });
    }
  }
}

/** The whole of it in the new form; nothing where a part of that is for a person to decide. */
function objectRemedy(
  object: RenderedObject,
  apiVersion: string,
  isFirst: boolean,
  context: RuleContext,
): Pick<Problem, 'remedy'> {
  const changes = (isFirst ? changedFields : []).flatMap((row) =>
    fieldsIn(object.value, row)
      .filter((path) => isOther(row, object, path) || path[0] === 'status')
      .map((path) => (path[0] === 'status' ? [removal(object, path)] : inNewForm(row, object, path))),
  );
  if (!changes.every((change) => change !== undefined)) return {};
  if (!isFirst && !fits({ ...object.value, apiVersion }, apiVersion, object.ref.kind, context)) return {};
  const version: FixStep = { do: 'set', at: { object, path: ['apiVersion'] }, value: apiVersion };
  return { remedy: { title: `convert it to ${apiVersion}`, safe: false, changes: [version, ...changes.flat()] } };
}

function fits(value: JsonObject, apiVersion: string, kind: string, { known: { contract } }: RuleContext): boolean {
  const schema = contract.schemas.find(apiVersion, kind);
  return schema.known && validate(value, schema).violations.length === 0;
}

function fieldRemedy(row: ChangedField, object: RenderedObject, path: FieldPath): Pick<Problem, 'remedy'> {
  const changes = inNewForm(row, object, path);
  const safe = row.path.at(-1) !== 'prune';
  return changes ? { remedy: { title: `write ${formatPath(path)} in the form of v1`, safe, changes } } : {};
}

function inNewForm(
  { path: [, name, below] }: ChangedField,
  object: RenderedObject,
  path: FieldPath,
): FixStep[] | undefined {
  const value = lookUp(object.value, path);
  if (name === 'dependsOn' && typeof value === 'string') {
    const [one = '', other] = value.split('/');
    const item: JsonObject = other === undefined ? { name: one } : { name: other, namespace: one };
    return [{ do: 'set', at: { object, path }, value: item }];
  }
  if (name === 'healthChecks') return [{ do: 'add', at: { object, path: [...path, 'apiVersion'] }, value: 'apps/v1' }];
  // A label that told what was to be pruned; who had none did not prune.
  if (name === 'prune') return value === '' ? undefined : [{ do: 'set', at: { object, path }, value: true }];
  if (name === 'serviceAccount') return accountName(object, path);
  const isUseless = ['generate', 'validation', 'ignore', 'buildMetadata', 'annotations'].includes(String(name));
  return isUseless || ['apiGroup', 'substituteStrategy'].includes(String(below)) ? [removal(object, path)] : undefined;
}

/** An account of another namespace cannot be named any more. */
function accountName(object: RenderedObject, path: FieldPath): FixStep[] | undefined {
  const [name, namespace] = ['name', 'namespace'].map((field) => lookUp(object.value, [...path, field]));
  if (typeof name !== 'string' || (namespace !== undefined && namespace !== object.ref.namespace)) return undefined;
  const at = { object, path: [...path, 'name'] };
  const move: FixStep = { do: 'move', at, to: [...path.slice(0, -1), 'serviceAccountName'] };
  return namespace === undefined ? [move] : [move, removal(object, path)];
}

function removal(object: RenderedObject, path: FieldPath): FixStep {
  return { do: 'remove', at: { object, path } };
}

/** A field that is there in another form is wrong by its value. */
function isGone({ path }: ChangedField): boolean {
  return path.at(-1) !== '*' && path.at(-1) !== 'prune';
}

function isOther(row: ChangedField, { value }: RenderedObject, path: FieldPath): boolean {
  const found = lookUp(value, path.slice(0, row.path.length));
  return found !== undefined && (row.isOther?.(found) ?? false);
}

function isKustomization({ ref }: RenderedObject): boolean {
  return ref.kind === 'Kustomization' && groupOf(ref.apiVersion) === 'kustomize.toolkit.fluxcd.io';
}
