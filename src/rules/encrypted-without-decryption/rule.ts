import { describeBlocked } from '../../cluster/blocked.js';
import type { Entrypoint, FieldPath, Json, RenderedObject } from '../../core/model.js';
import { isObject, label, lookUp } from '../../core/object.js';
import { platformName } from '../../cozystack/catalog.js';
import { platformValuesText } from '../../cozystack/package.js';
import type { Schemas } from '../../cozystack/schemas.js';
import { isApplied } from '../../flux/applied.js';
import { declaredOne } from '../../flux/flux-objects.js';
import type { Built } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  refused: (object: string, applied: string) =>
    `${object} is encrypted, but Flux does not decrypt it, so it is refused and Flux applies ${applied}`,
  applied: (object: string) =>
    `${object} is encrypted, but Flux does not decrypt it, so it applies the ciphertext and reports Ready`,
};

export default {
  id: 'encrypted-without-decryption',
  group: 'secrets',
  severity: 'error',
  summary:
    'a manifest is encrypted with SOPS, but Flux does not decrypt it: it is refused, or the ciphertext is applied',
  messages,
  check(context) {
    for (const rendered of context.entrypoints) {
      const encrypted = rendered.ok ? rendered.objects.filter(isApplied).filter(isEncrypted) : [];
      if (!rendered.ok || encrypted.length === 0) continue;
      const decrypts = isDecrypted(rendered.entrypoint, context);
      if (decrypts === undefined)
        context.notChecked('encrypted objects', 'it is not known whether Flux decrypts them', {
          count: encrypted.length,
          ...(encrypted[0] && { object: encrypted[0] }),
        });
      if (decrypts === false) for (const object of encrypted) tell(object, rendered, context);
    }
  },
} satisfies Rule;

function tell(
  object: RenderedObject,
  rendered: Built,
  { report, known: { permissions, contract } }: RuleContext,
): void {
  report({
    message: isRefused(object, contract.schemas)
      ? messages.refused(label(object.ref), describeBlocked(object.ref, rendered, permissions))
      : messages.applied(label(object.ref)),
    help: helpFor(rendered.entrypoint),
    at: { object, path: encryptedAt(object.value) },
  });
}

/** By its own Flux Kustomization, or, of the customizer's, by what is known of the cluster. */
function isDecrypted(
  entrypoint: Entrypoint,
  { entrypoints, tree, known: { facts, permissions } }: RuleContext,
): boolean | undefined {
  const { name, namespace } = entrypoint.kustomization;
  if (name === undefined)
    return permissions.isCustomizer(entrypoint) ? Boolean(facts.get('decryption').value) : undefined;
  const rendered = entrypoints
    .flatMap((one) => (one.ok ? one.objects : []))
    .find(
      ({ ref }) =>
        ref.kind === 'Kustomization' &&
        ref.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/') &&
        ref.name === name &&
        ref.namespace === namespace,
    );
  const value = rendered?.value ?? declaredOne(entrypoint, tree)?.value;
  return value && lookUp(value, ['spec', 'decryption']) !== undefined;
}

function isRefused(object: RenderedObject, schemas: Schemas): boolean {
  if (isSecret(object)) return encryptedAt(object.value)[0] === 'data' && lookUp(object.value, ['sops']) !== undefined;
  const schema = schemas.find(object.ref.apiVersion, object.ref.kind);
  return !(schema.known && schema.unknownFields === 'dropped');
}

function helpFor({ kustomization: { name } }: Entrypoint): string {
  return name === undefined
    ? `set ${platformValuesText}.customizer.kustomization.decryption of Package "${platformName}"; if Flux decrypts already, set cluster.decryption: true in the configuration`
    : `set spec.decryption of Flux Kustomization "${name}", or remove the object`;
}

/** SOPS leaves its own key at the root; in a generated Secret a whole file may be encrypted. */
function isEncrypted(object: RenderedObject): boolean {
  return isObject(lookUp(object.value, ['sops'])) || (isSecret(object) && hiddenIn(object.value) !== undefined);
}

function isSecret({ ref }: RenderedObject): boolean {
  return ref.kind === 'Secret' && ref.apiVersion === 'v1';
}

function encryptedAt(value: Json): FieldPath {
  return (
    firstCipher(lookUp(value, ['data']) ?? null, ['data']) ?? hiddenIn(value) ?? firstCipher(value, []) ?? ['sops']
  );
}

/** A value of `data` that is a file encrypted with SOPS. */
function hiddenIn(value: Json): FieldPath | undefined {
  const data = lookUp(value, ['data']);
  const keys = isObject(data) ? Object.keys(data) : [];
  const found = keys.find((key) => {
    const text = Buffer.from(String((data as { [key: string]: Json })[key]), 'base64').toString('latin1');
    return text.includes('ENC[AES256_GCM,') && text.includes('sops');
  });
  return found === undefined ? undefined : ['data', found];
}

function firstCipher(value: Json, path: FieldPath): FieldPath | undefined {
  if (typeof value === 'string') return value.startsWith('ENC[AES256_GCM,') ? path : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    if (path.length === 0 && key === 'sops') continue;
    const found = firstCipher((value as { [key: string | number]: Json })[key] as Json, [...path, key]);
    if (found) return found;
  }
  return undefined;
}
