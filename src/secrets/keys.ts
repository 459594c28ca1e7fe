/** Names of keys, variables and options whose values are secret, misspelt ones as well. */
import { remembering } from '../core/once.js';
import { isNear } from '../core/suggest.js';

const secretWords =
  /(?:password|passwd|passphrase|passcode|pwd|secret|token|apikey|privatekey|accesskey|accesskeyid|secretkey|signingkey|encryptionkey|masterkey|authkey|sshkey|credential|bearer|authorization|htpasswd|kubeconfig|dockerconfigjson|dockercfg|connectionstring|dsn|pgpass|clientkey|keydata|masterauth|webhookurl)s?(?:hash|value|data|base64|string|text)?\d*$/;
/** `requirepass`, `DBPASS`; not `bypass`, nor `pass` as a part of another word. */
const endsInPass = /(?:^|[^a-z\d]|require|root|admin|user|my|db|sudo|smtp|mail|redis|key|store)(?:pass|pw)\d*$/;
/** `existingSecret`, `imagePullSecrets`: what stands there is a name. */
const nameOfSecret = /(?:existing|pull|tls|ca|cert|certificate|external|ingress)[-_.]?secrets?$/i;

/** The end of a name decides; a text may have words of any length. */
const longest = 200;

/** True if the value of such a key, or of a variable of that name, is secret. */
export const isSecretKey = remembering((name: string): boolean => {
  const key = name.slice(-longest);
  if (nameOfSecret.test(key)) return false;
  const words = key.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  return secretWords.test(words.replace(/[^a-z\d]/g, '')) || endsInPass.test(words) || isMisspelt(words);
});

const wordsOf = /[\w.-]+/g;
/** A key in quotes may have other signs within: `"key@data"`. */
const quotedOf = /"[^"\n]{1,200}"|'[^'\n]{1,200}'/g;

/** False if no key in the text is secret, for certain. */
export function mayHaveSecretKey(text: string): boolean {
  for (const words of [wordsOf, quotedOf])
    for (const [word] of text.matchAll(words)) if (isSecretKey(word)) return true;
  return false;
}

/** Words of which a near miss is a slip: those long enough that no other word is near. */
const targets = [
  ...['password', 'passwd', 'passphrase', 'passcode', 'secret', 'token', 'apikey', 'privatekey', 'accesskey'],
  ...['secretkey', 'signingkey', 'encryptionkey', 'masterkey', 'credential', 'credentials', 'authorization'],
  ...['htpasswd', 'kubeconfig', 'connectionstring'],
];
/** Those in which two slips are still near no other word. */
const longTargets = new Set(['password', 'passphrase', 'credential', 'credentials', 'authorization']);
/** Near, but words of their own. */
const otherWords =
  /^(?:taken|toke|secrete|secure|passport|accesses|encryption|private|access|kubeconform)$|(?:refs?|names?)$/;

/** True if the last words of the key are a near miss of a secret one: `pasword`, `db_passwordd`, `apiTokn`. */
function isMisspelt(words: string): boolean {
  const parts = words.replace(/\d+$/, '').split(/[^a-z\d]+/);
  return [1, 2].some((count) => {
    const end = parts.slice(-count).join('');
    if (parts.length < count || end.length < 4 || end.length > 20 || otherWords.test(end)) return false;
    return targets.some((word) => isNear(end, word, longTargets.has(word) ? 2 : 1));
  });
}
