/**
 * The string formats that the API server enforces (apiextensions-apiserver, pkg/apiserver/validation/formats.go), as Go reads
 * them. Where Go's own parser takes more than is worth repeating here, the check errs on the side of "valid".
 */
import { isIP, isIPv6 } from 'node:net';

type Format = { expected: string; accepts(text: string): boolean };

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const formats: { readonly [name: string]: Format } = {
  byte: { expected: 'base64', accepts: (text) => text !== '' && isPaddedBase64(text) },
  date: { expected: 'a date such as 2006-01-02', accepts: isDate },
  datetime: { expected: 'a time such as 2006-01-02T15:04:05Z', accepts: isDateTime },
  duration: { expected: 'a duration such as 5m', accepts: isDuration },
  ipv4: { expected: 'an IPv4 address', accepts: (text) => isAddress(text) && text.includes('.') },
  ipv6: { expected: 'an IPv6 address', accepts: (text) => isAddress(text) && text.includes(':') },
  cidr: { expected: 'a network such as 10.0.0.0/8', accepts: isNetwork },
  uuid: { expected: 'a UUID', accepts: (text) => uuid.test(text) },
};

/** What the API server accepts or ignores for certain. Any other format is one that only Go can judge. */
const unjudged = new Set(
  'bsonobjectid uri email hostname mac uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor'.split(
    ' ',
  ),
);

/** `valid` also stands for formats that the API server itself does not know; `expected` is a phrase for a message. */
export type FormatVerdict = { verdict: 'valid' } | { verdict: 'invalid'; expected: string } | { verdict: 'unknown' };

export function checkFormat(name: string, text: string): FormatVerdict {
  const normalized = name.replaceAll('-', '');
  if (unjudged.has(normalized)) return { verdict: 'unknown' };
  const format = Object.hasOwn(formats, normalized) ? formats[normalized] : undefined;
  if (!format || format.accepts(text)) return { verdict: 'valid' };
  return { verdict: 'invalid', expected: format.expected };
}

/** resource.Quantity: `500m`, `1.5Gi`, `2e3`. */
export function isQuantity(text: string): boolean {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/.test(text);
}

/** What Go decodes into bytes, as it does with built-in kinds: line breaks are skipped, nothing is fine. */
export function isBase64(text: string): boolean {
  return isPaddedBase64(text.replace(/[\r\n]/g, ''));
}

function isPaddedBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t', 2);
  return isDate(date) && /^\d{2}:\d{2}:\d{2}(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.test(time);
}

/** Go's own form, or anything that contains a number and a unit: `5m`, `1h30m`, `2 days`. */
function isDuration(text: string): boolean {
  if (/^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  return /\d\s*(?:[nuµm]s|[smhdw]|hr|wk|nano|micro|milli|sec|min|hour|day|week)/i.test(text);
}

/** Go knows no zones such as `%eth0`. */
function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  if (rest.length > 0 || !isAddress(address) || !/^(?:0|[1-9]\d{0,2})$/.test(bits)) return false;
  return Number(bits) <= (isIPv6(address) ? 128 : 32);
}
