import type { FieldPath, Json, Rendered, RenderedObject } from '../../core/model.js';
import { isObject, lookUp } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { isUnresolved } from '../../schema/walk.js';
import { sopsDocuments } from '../../secrets/sops.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  othersEncrypted: (name: string) => `Secret "${name}" is not encrypted, and others here are`,
  toldToDecrypt: (name: string) => `Secret "${name}" is not encrypted, and Flux is told to decrypt here`,
  readable: (name: string) => `Secret "${name}" can be read by everybody who reads the repository`,
};

/** If nothing is encrypted, it is advice: one notice for all that the base has too, and one for each that is new. Else each is likely a slip. */
export default {
  id: 'plain-secret',
  group: 'secrets',
  // Another password in the same place is no other problem.
  compares: 'field',
  severity: 'warning',
  summary: 'a Secret in git that everybody who reads the repository can read',
  messages,
  check(context) {
    const found = plainOnes(context.everywhere);
    if (encryptsOthers(context)) reportEach(found, context);
    else advise(found, context);
  },
} satisfies Rule;

type Found = { object: RenderedObject; path: FieldPath };

const help =
  'encrypt it with SOPS, or create it in the cluster; replace the value, as the old one stays in the history of git';

function reportEach(found: readonly Found[], { objects, tree, report }: RuleContext): void {
  const says = sopsDocuments(tree).length > 0 ? messages.othersEncrypted : messages.toldToDecrypt;
  for (const { object, path } of found.filter((one) => objects.includes(one.object)))
    report({ message: says(object.ref.name), help, at: { object, path, part: 'key' } });
}

function advise(found: readonly Found[], { objects, base, report }: RuleContext): void {
  const old = new Set(base?.objects.flatMap(plainOne).map(keyOf));
  for (const one of found.filter(({ object }) => objects.includes(object))) {
    const { object, path } = one;
    const isNew = base !== undefined && !old.has(keyOf(one));
    report({
      severity: 'notice',
      message: messages.readable(object.ref.name),
      help,
      at: { object, path, part: 'key' },
      ...(!isNew && { joins: 'all' }),
    });
  }
}

function keyOf({ object: { ref, entrypoint }, path }: Found): string {
  return JSON.stringify([entrypoint, ref.namespace, ref.name, path]);
}

/** A file of SOPS, or what is to decrypt one. */
function encryptsOthers({ tree, everywhere, known: { facts } }: RuleContext): boolean {
  return sopsDocuments(tree).length > 0 || facts.get('decryption').value === true || decrypts(everywhere);
}

/** Every cluster asks for it. */
const decrypts = oncePer((everywhere: readonly Rendered[]) =>
  everywhere.some(
    (rendered) =>
      rendered.ok &&
      rendered.objects.some(
        ({ ref, value }) => ref.kind === 'Kustomization' && isObject(lookUp(value, ['spec', 'decryption'])),
      ),
  ),
);

const plainOnes = oncePer((everywhere: readonly Rendered[]) =>
  everywhere.flatMap((rendered) => (rendered.ok ? rendered.objects.flatMap(plainOne) : [])),
);

/** The first of its values that can be read. Whether it is worth hiding is not guessed at. */
function plainOne(object: RenderedObject): Found[] {
  const { ref, value } = object;
  if (ref.kind !== 'Secret' || ref.apiVersion !== 'v1' || isObject(value.sops)) return [];
  for (const field of ['stringData', 'data']) {
    const values = lookUp(value, [field]);
    const key =
      isObject(values) && Object.keys(values).find((name) => isReadable(values[name] ?? null, field === 'data'));
    if (key) return [{ object, path: [field, key] }];
  }
  return [];
}

function isReadable(value: Json, isEncoded: boolean): boolean {
  if (typeof value !== 'string' || value.trim() === '' || isUnresolved(value)) return false;
  const text = isEncoded ? Buffer.from(value, 'base64').toString('latin1') : value;
  if (isUnresolved(text)) return false;
  // A whole file that SOPS or age has encrypted.
  return !(text.includes('ENC[AES256_GCM,') && text.includes('sops')) && !/-----BEGIN (?:AGE|PGP) \w+/.test(text);
}
