/** A document that does not parse and may be a Secret: of every line what stands behind the key, but for what says what it is. */
import type { SecretScalar } from './types.js';

const plainKey = /^[\s-]*["']?(?:apiVersion|kind|metadata|name|namespace|type)["']?\s*:/;
const key = /^\s*(?:-\s+)?(?:"[^"]{0,200}"|'[^']{0,200}'|[^\s"':#]{1,200})\s{0,9}:(?:\s+|$)/;

export function brokenValues(text: string): SecretScalar[] {
  const values: SecretScalar[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const from = plainKey.test(line) ? line.length : (key.exec(line)?.[0].length ?? line.search(/\S|$/));
    const value = line.slice(from).trimEnd();
    if (/[^\s{}[\],:|>#-]/.test(value)) {
      values.push({ start: start + from, end: start + from + value.length, values: [value, bare(value)] });
    }
    start += line.length + 1;
  }
  return values;
}

/** Without the marks that make a parser take it for something else. */
function bare(value: string): string {
  return /[\w-]+/.exec(value)?.[0] ?? '';
}
