/** Objects of charts as they are printed for other tools: without what is secret, and still of their kinds. */
import type { FieldPath, Json, JsonObject } from '../core/model.js';
import { isObject, refOf } from '../core/object.js';
import { hidden, isSecretKey } from '../secrets/mask.js';
import { maskedValue } from '../secrets/masked-values.js';
import { withoutSecrets } from '../secrets/values.js';

/**
 * Texts below a key that says so are hidden, numbers there are 0; what a Secret holds in `data` is Base64 of the sign for what is hidden.
 * `secrets` are hidden wherever they stand, but for what names an object.
 */
export function shownObjects(objects: readonly JsonObject[], secrets: ReadonlySet<string>): JsonObject[] {
  const values = withoutSecrets(
    objects.map((object) => ({ value: withoutKeyed(object) })),
    secrets,
  );
  return values.map(({ value }, index) => withIdentity(value, objects[index] ?? {}));
}

/** As messages name it too. */
function withIdentity(shown: JsonObject, object: JsonObject): JsonObject {
  const { apiVersion, kind, namespace, name } = refOf(object);
  const metadata = isObject(shown.metadata)
    ? {
        ...shown.metadata,
        ...(isObject(object.metadata) && 'name' in object.metadata && { name }),
        ...(namespace && { namespace }),
      }
    : shown.metadata;
  return { ...shown, apiVersion, kind, ...(metadata !== undefined && { metadata }) };
}

function withoutKeyed(object: JsonObject): JsonObject {
  // The fields of a definition have names that say what is secret in others.
  if (object.kind === 'CustomResourceDefinition') return object;
  const isSecret = object.kind === 'Secret';
  const about = { ref: { kind: String(object.kind) }, value: object };
  const visit = (value: Json, path: FieldPath, isKeyed: boolean): Json => {
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index], isKeyed));
    if (isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => {
          const isOwn = isSecret && path.length === 0 && (key === 'data' || key === 'stringData');
          return [key, visit(item, [...path, key], isKeyed || isOwn || (isSecretKey(key) && !isReference(item)))];
        }),
      );
    if (isKeyed) return hiddenValue(value, isSecret && path[0] === 'data');
    // In a reference the keys above it say nothing of it.
    const at = path.some((step) => typeof step === 'string' && isSecretKey(step)) ? [] : path;
    return typeof value === 'string' ? maskedValue(about, at, value) : value;
  };
  return visit(object, [], false) as JsonObject;
}

/** That there is nothing, anybody may know. */
function hiddenValue(value: Json, isData: boolean): Json {
  if (typeof value === 'string' && value !== '') return isData ? Buffer.from(hidden).toString('base64') : hidden;
  return typeof value === 'number' ? 0 : value;
}

/** Which Secret it is, and how it is mounted or made: Kubernetes' own kinds, and cert-manager's, have such maps below such keys. */
const ofReferences = new Set(
  `name namespace secretName key items path mode defaultMode optional audience expirationSeconds apiVersion kind apiGroup uid
  algorithm encoding size rotationPolicy`.split(/\s+/),
);

function isReference(value: Json): boolean {
  if (Array.isArray(value)) return value.every(isReference);
  if (!isObject(value)) return false;
  const known = Object.entries(value).every(
    ([key, item]) => ofReferences.has(key) && (key !== 'items' || isReference(item)),
  );
  return known && Object.keys(value).length > 0;
}
