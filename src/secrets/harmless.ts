/** Texts that hold no secret as far as their words go, told without parsing them: most manifests are no more than keys and names. */
import type { KnownSecrets } from '../core/model.js';
import { isSecretKey } from './mask.js';

/** `key: value`, `- value`, `- key:`, a comment or nothing: of signs that mean nothing else in YAML. */
const line =
  /^ *(?:#[ -~]*|(?:- +)*(?:(?<key>[A-Za-z][\w./-]*):(?= |$) *)?(?:(?<value>[\w./][\w.:/@+,-]*(?: [\w./@+,-]+)*)|(?<other>["'{[].*))?(?: +#[ -~]*)?)$/;
const word = '[\\w./][\\w./-]*';
/** `"word"`, `[word, word]`, `{key: word, key: word}`: nothing within which anything else could be. */
const simple = new RegExp(
  `^(?:"${word}"|'${word}'|\\[(?:${word}(?:, |(?=\\])))*\\]|\\{(?:${word}: ${word}(?:, |(?=\\})))*\\})(?: +#[ -~]*)?$`,
);

/** What makes a Secret, a generator of one, or data that holds one. */
const suspicious = /se\w{0,3}r\w{0,2}t|stringData|last-applied/i;

/**
 * Whether `secretsIn` finds nothing in a text, for certain; false says nothing. It looks for less than there is in YAML, so that it can
 * be sure: one object with a kind, every value on the line of its key, no anchors, no variables, no escapes.
 */
export function isHarmless(text: string, { documents, patch, values, whole }: KnownSecrets = {}): boolean {
  if (patch || whole || documents?.size || values?.size || suspicious.test(text) || !/^kind: +[A-Z]/m.test(text))
    return false;
  let hasContent = false;
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const groups = line.exec(text.slice(start, end))?.groups;
    if (!groups) return false;
    const { key, value, other } = groups;
    if (other !== undefined && (!simple.test(other) || (other.match(/[\w./-]+/g) ?? []).some(names))) return false;
    // A line without a key and a dash may go on with what stands above.
    if (key === undefined && (value ?? other) !== undefined && !/^ *- /.test(text.slice(start, end))) return false;
    if (names(key) || names(value)) return false;
    hasContent ||= key !== undefined;
    start = end + 1;
  }
  return hasContent;
}

/** Whether it is the name of something secret, or the path of it. */
function names(word: string | undefined): boolean {
  return word !== undefined && (isSecretKey(word) || isSecretKey(word.slice(word.lastIndexOf('/') + 1)));
}
