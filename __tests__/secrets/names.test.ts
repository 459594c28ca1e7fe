/** What the name of a field, or of a kind, says of the values that stand there. */
import { expect, test } from '@jest/globals';
import { isReference, isSecretGenerator, mayBeSecret, mayTargetSecret, namesSecret } from '../../src/secrets/names.js';

test.each([
  ['name', true],
  ['secretNames', true],
  ['namespace', true],
  ['secretKeyRef', true],
  ['refs', true],
  ['key', true],
  ['keys', true],
  ['keyId', false],
  ['mountPath', true],
  ['file', true],
  ['defaultMode', true],
  ['items', true],
  ['optional', true],
  ['audience', true],
  ['expirationSeconds', true],
  ['type', true],
  ['kind', true],
  ['enabled', true],
  ['URL', true],
  ['apiKey', false],
  ['named', false],
  ['urls', false],
  ['password', false],
])('below a secret key, %s only says where a value is: %s', (key, expected) => {
  expect(isReference(key)).toBe(expected);
});

test.each([
  ['DB_PASSWORD', false, true],
  ['DB_USER', false, false],
  ['/stringData', false, true],
  ['/stringData/user', false, true],
  ['/stringDatabase', false, false],
  ['/spec/stringData/user', false, false],
  ['/data/user', false, false],
  ['/data/user', true, true],
  ['/data', true, true],
  ['/database', true, false],
  ['/spec/data/user', true, false],
  ['/spec/password', false, true],
  ['/password/length', false, false],
])('%s, in a Secret: %s, names a secret: %s', (name, isOfSecret, expected) => {
  expect(namesSecret(name, isOfSecret)).toBe(expected);
});

test.each([
  ['Secret', true],
  ['secret', true],
  [' SecretList ', true],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Flux writes a variable so
  ['${KIND}', true],
  ['ExternalSecret', false],
  ['SecretStore', false],
  ['ConfigMap', false],
])('an object of kind %j may be a Secret: %s', (kind, expected) => {
  expect(mayBeSecret(kind)).toBe(expected);
});

test.each([
  [undefined, true],
  ['Secret', true],
  ['Sec.*', true],
  ['ConfigMap|Secret', true],
  ['.*Map', true],
  ['ConfigMap', false],
  ['Deployment', false],
])('the target of a patch with kind %s may be a Secret: %s', (kind, expected) => {
  expect(mayTargetSecret({ kind })).toBe(expected);
});

test.each([
  ['secretGenerator', true],
  ['secretGenerators', true],
  ['secret_generator', true],
  ['SecretGenerator', true],
  ['sercetGenerator', true],
  ['mySecretGenerator', false],
  ['configMapGenerator', false],
])('%s makes Secrets: %s', (key, expected) => {
  expect(isSecretGenerator(key)).toBe(expected);
});
