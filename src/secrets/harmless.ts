/** Texts that hold no secret as far as their words go, told without parsing them: most manifests are no more than keys and names. */
import type { KnownSecrets } from '../core/model.js';
import { isSecretKey } from './mask.js';

const indentation = /^ *(?:- +)*/;
const keyed = /^([A-Za-z][\w./-]*):(?= |$)/;
const words = /^[\w./][\w.:/@+,-]*(?: [\w./@+,-]+)*$/;
/** `"word"`, `[word, word]`, `{key: word, key: word}`: nothing within which anything else could be. */
const simple =
  /^(?:"[\w./][\w./-]*"|'[\w./][\w./-]*'|\[(?:[\w./][\w./-]*(?:, |(?=\])))*\]|\{(?:[\w./][\w./-]*: [\w./][\w./-]*(?:, |(?=\})))*\})$/;
const printable = /^[ -~]*$/;

/** What makes a Secret, a generator of one, or data that holds one. */
export const suspicious = /se\w{0,3}r\w{0,2}t|stringData|last-applied/i;

/**
 * Whether `parsedSecrets` finds nothing in a text, for certain; false says nothing. It looks for less than there is in YAML, so that it can
 * be sure: one object with a kind, every value on the line of its key, no anchors, no variables, no escapes.
 */
export function isHarmless(text: string, { documents, patch, values, whole }: KnownSecrets = {}): boolean {
  if (patch || whole || documents?.size || values?.size) return false;
  if (suspicious.test(text) || !/^kind: {1,3}[A-Z]/m.test(text)) return false;
  return text.split('\n').every(isHarmlessLine);
}

/** `key: value`, `- value`, `- key:`, a comment or nothing: of signs that mean nothing else in YAML. */
function isHarmlessLine(line: string): boolean {
  const indent = indentation.exec(line)?.[0] ?? '';
  const content = line.slice(indent.length);
  if (content === '' || content.startsWith('#')) return printable.test(content);
  const key = keyed.exec(content)?.[1];
  // A line without a key and a dash may go on with what stands above.
  if (key === undefined && !indent.includes('-')) return false;
  const rest = key === undefined ? content : content.slice(key.length + 1);
  const comment = rest.indexOf(' #');
  const value = (comment < 0 ? rest : rest.slice(0, comment)).trim();
  if (comment >= 0 && !printable.test(rest.slice(comment))) return false;
  if (value !== '' && !words.test(value) && !simple.test(value)) return false;
  return ![key ?? '', value, ...(value.match(/[\w./-]+/g) ?? [])].some(isSecretName);
}

/** Whether it is the name of something secret, or the path of it. */
function isSecretName(word: string): boolean {
  return isSecretKey(word) || isSecretKey(word.slice(word.lastIndexOf('/') + 1));
}
