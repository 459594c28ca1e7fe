import type { FieldPath, Json, Rendered, RenderedObject } from '../../core/model.js';
import { isObject, lookUp } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { isUnresolved } from '../../schema/walk.js';
import { sopsDocuments } from '../../secrets/sops.js';
import type { Rule, RuleContext } from '../rule.js';

/** Where nothing is encrypted it is advice, one notice for all of a run; else each is likely a slip. */
export default {
  id: 'plain-secret',
  // Another password in the same place is no other problem.
  compares: 'field',
  severity: 'warning',
  summary: 'a Secret in git that everybody who reads the repository can read',
  check(context) {
    const { everywhere, objects, report } = context;
    const found = plainOnes(everywhere);
    const help =
      'encrypt it with SOPS, or have it made in the cluster; then replace the value, which stays in the history of git';
    if (encryptsOthers(context)) {
      const others = sopsDocuments(context.tree).length > 0 ? 'others here are' : 'Flux is told to decrypt here';
      for (const { object, path } of found.filter((one) => objects.includes(one.object)))
        report({
          message: `Secret "${object.ref.name}" is not encrypted, and ${others}`,
          help,
          at: { object, path, part: 'key' },
        });
      return;
    }
    const [first] = found;
    // Those of another cluster are that one's to report.
    if (!first || !objects.includes(first.object)) return;
    const { object, path } = first;
    const more = new Set(found.map(({ object: { ref } }) => `${ref.namespace}/${ref.name}`)).size - 1;
    report({
      severity: 'notice',
      message: `Secret "${object.ref.name}"${more > 0 ? ` and ${more} more` : ''} can be read by everybody who reads the repository`,
      help,
      at: { object, path, part: 'key' },
    });
  },
} satisfies Rule;

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
function plainOne(object: RenderedObject): { object: RenderedObject; path: FieldPath }[] {
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
