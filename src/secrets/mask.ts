/** Values that look secret are not shown. Names of secrets, and references to them, stay. */
import type { Run } from '../core/model.js';
import { keptByText } from '../core/rounds.js';
import { matchEnd } from '../core/text.js';
import { isSecretKey } from './keys.js';

export { isSecretKey, mayHaveSecretKey } from './keys.js';

/** A part of a line, in UTF-16 units from 0; `end` is exclusive. */
export type MaskedSpan = { start: number; end: number };

export const hidden = '••••••';

/** Values that are secret whatever stands before them; a group named `keep` stays. */
const shapes = [
  /(?<keep>\bENC\[)[^\]]*(?=\]|$)/g,
  /(?<keep>-----BEGIN [A-Z0-9 ]{1,40}-----)(?=[\s\S])(?:(?!-----END)[\s\S])*/g,
  /\beyJ[\w-]{8,300}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AGE-SECRET-KEY-1)[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  // The password of an address, and a name that is more than a name: a token, with or without a word in place of the password.
  /(?<keep>\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s:@/]{0,80}:)[^\s@/]{1,200}(?=@)/gi,
  /(?<keep>\b[a-z][a-z\d+.-]{1,20}:\/{1,2})(?![a-z][a-z._-]{0,30}\d{0,2}[:@])[^\s:@/"'`]{1,200}(?=(?::[^\s@/"'`]{0,200})?@)/gi,
  // The same without a scheme: a DSN of Go, a login before a host. An image has a digest there.
  /(?<keep>\b(?!(?:mailto|sips?|xmpp|acct):)[a-z][\w.-]{0,40}:)(?!\/)[^\s@:/"'`]{1,200}(?=@(?!sha\d)[a-z\d])/gi,
  /(?<keep>\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{8,200}/g,
  /(?<keep>\bdiscord(?:app)?\.com\/api\/webhooks\/)[\w/-]{8,200}/g,
  /(?<keep>\bapi\.telegram\.org\/bot)[\w:-]{8,100}/g,
  /(?<keep>\b(?:Bearer|Basic|ApiKey|Token) )(?=[\w+/.~=-]{0,40}[\dA-Z+/=])[\w+/.~=-]{8,}/g,
  // Hashes of passwords: those of crypt, of LDAP and nginx, of PostgreSQL.
  /(?<![\w$])\$(?:[156]|2[abxy]?|apr1|y|gy|7|md5|sha1|argon2\w{0,3}|scrypt|pbkdf2[\w-]{0,12})\$[\w./+=$,-]{8,}/g,
  /\{(?:S?SHA\d{0,3}|S?MD5|CRYPT|PLAIN|CLEARTEXT|PBKDF2[\w-]{0,12}|BCRYPT|ARGON2\w{0,3})\}[^\s"',\]}]{4,}/gi,
  /(?<keep>\bSCRAM-SHA-(?:1|256)\$)[\w:$+/=]{8,}/g,
  /(?<keep>\bauth\\{0,3}" {0,2}: {0,2}\\{0,3}")[^"\\]{4,500}(?=\\{0,3}")/g,
  // The login of npm, and a line of .netrc.
  /(?<keep>\b_auth(?:Token)?["']? {0,2}[=:] {0,2}["']?)[^\s"',]{4,500}/g,
  /(?<keep>\blogin {1,3}[^\s"']{1,80} {1,3}password {1,3}["']?)[^\s"']{1,200}/g,
  // The default of a variable.
  /(?<keep>(?<!\$)\$\{(?<key>\w{1,80}):?[-=?+])[^}\n]{1,500}(?=\}|$)/g,
  // Options of one letter of programs that take a password by it.
  /(?<keep>\b(?:mysql\w{0,10}|mariadb[\w-]{0,10}|sshpass|redis-cli|mongo\w{0,6}|ldap\w{1,8}|(?:docker|podman|helm registry|oras|crane|skopeo) login)\b(?:[^\n|;&'"]| "| '){0,80}? -[paw] {0,2}["']?)(?![-\s"'])[^\s"',]{1,200}/g,
  /(?<keep>(?<![\w-])(?:-u|--user|--proxy-user)[ =]["']?[^\s:"'@/]{1,80}:)[^\s"'@/]{1,200}/g,
  // What kustomize repeats of a repository that it refuses.
  /(?<keep>\bliteral sources? \[?)[^\]]+?(?=\]|, expected|$)/g,
  /(?<keep>\bwith config: `)(?:[\s\S]*(?=`)|[\s\S]*$)/g,
  /(?<keep>\bJSON patch from \[)(?:[\s\S]*(?=\])|[\s\S]*$)/g,
];
/** What stands between a key and its value, and the value. What is in the value of a key that is not secret is read as well. */
type Keyed = { isKey?: (word: string) => boolean; between: RegExp; value: RegExp };
const assignment: Keyed = {
  between: /["']?\s{0,2}(?:=\s{0,2}|:\s{0,2}(?=["']))/y,
  value: /"[^"]*"?|'[^']*'?|[^\s"',;&]+/y,
};
/** `--token x`, `["--token", "x"]` */
const argument: Keyed = {
  isKey: (word) => word.startsWith('-'),
  between: /["']?(?:\s{0,2},\s{0,2}|\s{1,2})["']?/y,
  value: /[^\s"',\]-][^\s"',\]]*/y,
};
/** In a file also without quotes, wherever in a line; in a sentence that would be prose. */
const loose: Keyed = { between: /:\s{1,2}/y, value: /(?![|>&!#*{["']|\$[({])[^\s"',;&}\]]+/y };
/** A line of a configuration that is no YAML: the key, the value, and nothing else but a comment. */
const directive =
  /^[\s#;]{0,80}(?<keep>(?<key>[\w.-]{1,80})[ \t]{1,40})(?:"[^"]{1,200}"|'[^']{1,200}'|[^\s"'$/]\S{0,400})(?=;?\s*(?:[#;]|$))/;
/** `proxy_pass` of nginx and its like: where requests are passed on to. */
const passesOn = /^(?:proxy|fastcgi|grpc|uwsgi|scgi|memcached)_pass$/i;
const words = /[\w.-]+/g;
const base64 = /(?<![\w+/=-])[A-Za-z\d+/_-]{12,}={0,2}/g;

/** Hides what looks secret in a sentence. */
export function maskText(text: string): string {
  return replaceSpans(text, shapeSpans(text));
}

export function shapeSpans(text: string): MaskedSpan[] {
  const matches = shapes.flatMap((shape) => [...text.matchAll(shape)]);
  const spans = matches.filter(({ groups }) => groups?.key === undefined || isSecretKey(groups.key)).map(spanOf);
  const assigned = [...keyed(text, assignment), ...keyed(text, argument)];
  const encoded = [...text.matchAll(base64)].filter(([word]) => looksEncoded(word) || isLogin(word)).map(spanOf);
  return [...spans, ...assigned, ...encoded].filter((span) => worthHiding(text.slice(span.start, span.end)));
}

export function looseSpans(text: string): MaskedSpan[] {
  return keyed(text, loose).filter((span) => worthHiding(text.slice(span.start, span.end)));
}

/** In a line of several: by itself it could be a title, such as "Access token". A word that ends as a sentence does is prose. */
export function directiveSpans(line: string): MaskedSpan[] {
  const match = directive.exec(line);
  if (!match) return [];
  const { key = '', keep = '' } = match.groups ?? {};
  const end = match.index + match[0].length;
  const start = match[0].indexOf(keep) + keep.length;
  const value = line.slice(start, end).replace(/;$/, '');
  const isProse = /^[a-z]+[.,:!?]$/i.test(value) || value.includes('://');
  if (!isSecretKey(key) || passesOn.test(key) || isProse || !worthHiding(value)) return [];
  return [{ start, end: start + value.length }];
}

function keyed(text: string, { isKey, between, value }: Keyed): MaskedSpan[] {
  const spans: MaskedSpan[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(words)) {
    if (index < end || (isKey && !isKey(word))) continue;
    const start = matchEnd(between, text, index + word.length);
    if (start === undefined || !isSecretKey(word)) continue;
    const last = matchEnd(value, text, start);
    if (last === undefined) continue;
    spans.push({ start, end: last });
    end = last;
  }
  return spans;
}

export function spanOf(match: RegExpExecArray): MaskedSpan {
  return { start: match.index + (match.groups?.keep ?? '').length, end: match.index + match[0].length };
}

/** Paths and long names have no such mix of characters, digests have no capitals. */
function looksEncoded(word: string): boolean {
  if (word.length < 40) return false;
  const slashes = word.split('/').length - 1;
  return /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word) && slashes <= word.length / 16;
}

/** `name:password` in Base64, as Docker and HTTP have it. */
function isLogin(word: string): boolean {
  if (word.length > 400 || !/[A-Z\d]/.test(word)) return false;
  return /^[\x21-\x7e]{1,80}:[\x20-\x7e]{1,200}$/.test(Buffer.from(word, 'base64').toString('latin1'));
}

/** What is no value at all, or only says where the value comes from, stays: `true`, `{}`, `${password}`, `*anchor`. */
export function worthHiding(value: string): boolean {
  const bare = value
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim();
  return !/^(?:|true|false|null|~|\{\}?|\[\]?|\$\{[\w.-]*:?[-=?+]?\}|\$\([^)]*\)|\*\w+|•+)$/i.test(bare);
}

export function replaceSpans(text: string, spans: MaskedSpan[]): string {
  let out = '';
  let from = 0;
  for (const { start, end } of mergeSpans(spans)) {
    out += text.slice(from, start) + hidden;
    from = end;
  }
  return out + text.slice(from);
}

/** In order and without overlaps. */
export function mergeSpans(spans: MaskedSpan[]): MaskedSpan[] {
  const merged: MaskedSpan[] = [];
  for (const span of spans.filter((one) => one.end > one.start).sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}

/** Most is said in each round again. */
const maskedWords = keptByText(maskText);

/** Hides what looks secret in all that a run says in words; frames hide for themselves. */
export function maskRun(run: Run): Run {
  const finding = (one: Run['findings'][number]) => ({
    ...one,
    message: maskedWords(one.message),
    ...(one.help === undefined ? {} : { help: maskedWords(one.help) }),
    ...(one.upstream && { upstream: { ...one.upstream, text: maskedWords(one.upstream.text) } }),
    related: one.related.map((other) => ({ ...other, message: maskedWords(other.message) })),
  });
  return {
    ...run,
    findings: run.findings.map(finding),
    ignored: run.ignored.map((one) => ({ ...one, finding: finding(one.finding), reason: maskedWords(one.reason) })),
    policy: run.policy.map(maskedWords),
    stages: run.stages.map((stage) => (stage.ran ? stage : { ...stage, why: maskedWords(stage.why) })),
    ...(run.dryRun && {
      dryRun: run.dryRun.map((one) => ({
        ...one,
        refused: one.refused.map((other) => ({ ...other, message: maskedWords(other.message) })),
      })),
    }),
    notChecked: run.notChecked.map((one) => ({ ...one, what: maskedWords(one.what), why: maskedWords(one.why) })),
  };
}
