import type { FieldPath, Json, Rendered, RenderedObject } from '../../core/model.js';
import { isObject, lookUp } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { isUnresolved } from '../../schema/walk.js';
import { sopsDocuments } from '../../secrets/sops.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  othersEncrypted: (name: string) => `Secret "${name}" is not encrypted, and others here are`,
  toldToDecrypt: (name: string) => `Secret "${name}" is not encrypted, and Flux is told to decrypt here`,
  readable: (name: string, more: number) =>
    `Secret "${name}"${more > 0 ? ` and ${more} more` : ''} can be read by everybody who reads the repository`,
};

/** Where nothing is encrypted it is advice, one notice for all of a run; else each is likely a slip. */
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
    else reportOnce(found, context);
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

function reportOnce(found: readonly Found[], { objects, report }: RuleContext): void {
  const [first] = found;
  // Those of another cluster are that one's to report.
  if (!first || !objects.includes(first.object)) return;
  const { object, path } = first;
  const more = new Set(found.map(({ object: { ref } }) => `${ref.namespace}/${ref.name}`)).size - 1;
  report({
    severity: 'notice',
    message: messages.readable(object.ref.name, more),
    help,
    at: { object, path, part: 'key' },
  });
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
