/**
 * Values as YAML, in the many ways in which people write them: the style is drawn anew for every node.
 * `style` holds probabilities: flow, quote, keyQuote, comment, indentLists, block; and `indent`, in columns.
 */
export const plainStyle = { flow: 0, quote: 0.1, keyQuote: 0, comment: 0.05, indentLists: 0.3, block: 0, indent: 2 };

/** A value written with an anchor, and the places that repeat it. */
export class Anchored {
  constructor(name, value) {
    Object.assign(this, { name, value });
  }
}
export class Alias {
  constructor(name) {
    this.name = name;
  }
}

export function write(value, random, style = plainStyle) {
  return new Writer(random, style).node(value, 0).replace(/^\n/, '');
}

const isNested = (value) => value !== null && typeof value === 'object' && !(value instanceof Alias);
const plain = /^[A-Za-z_][\w ./-]*[\w)]$|^[A-Za-z]$/;
const reserved = /^(y|n|yes|no|on|off|true|false|null|~)$/i;

class Writer {
  constructor(random, style) {
    Object.assign(this, { random, style });
  }

  /** What follows `key:` or `-`, a leading blank or line break included. */
  node(value, depth, inList = false) {
    if (value instanceof Anchored) return ` &${value.name}${this.node(value.value, depth)}`;
    if (!isNested(value)) return ` ${this.scalar(value, depth)}`;
    const keys = Object.keys(value);
    if (keys.length === 0 || (depth > 0 && this.random.chance(this.style.flow))) return ` ${this.flow(value)}`;
    if (Array.isArray(value)) return this.list(value, depth);
    return this.map(value, depth, inList);
  }

  map(value, depth, inList) {
    const pad = ' '.repeat(depth);
    const lines = Object.entries(value).map(
      ([key, child]) => `${this.key(key)}:${this.node(child, this.deeper(child, depth))}`,
    );
    const joined = lines.map((line, index) => (inList && index === 0 ? line : `\n${this.comment(pad)}${pad}${line}`));
    return inList ? ` ${joined.join('')}` : joined.join('');
  }

  deeper(child, depth) {
    const bare = child instanceof Anchored ? child.value : child;
    const indented = !Array.isArray(bare) || this.random.chance(this.style.indentLists);
    return depth + (indented ? this.style.indent : 0);
  }

  list(value, depth) {
    const pad = ' '.repeat(depth);
    return value.map((item) => `\n${this.comment(pad)}${pad}-${this.node(item, depth + 2, true)}`).join('');
  }

  comment(pad) {
    return this.random.chance(this.style.comment) ? `${pad}# why: as it is\n` : '';
  }

  key(key) {
    if (key === '<<') return key;
    const safe = /^[A-Za-z$_][\w./-]*$/.test(key) && !reserved.test(key);
    if (safe && !this.random.chance(this.style.keyQuote)) return key;
    return this.random.chance(0.5) ? JSON.stringify(key) : `'${key.replaceAll("'", "''")}'`;
  }

  flow(value) {
    if (value instanceof Anchored) return `&${value.name} ${this.flow(value.value)}`;
    if (!isNested(value)) return this.scalar(value, -1);
    if (Array.isArray(value)) return `[${value.map((item) => this.flow(item)).join(', ')}]`;
    return `{${Object.entries(value)
      .map(([key, child]) => `${this.key(key)}: ${this.flow(child)}`)
      .join(', ')}}`;
  }

  /** `depth` is negative in a flow collection, where no block scalar can stand. */
  scalar(value, depth) {
    if (value instanceof Alias) return depth < 0 ? `*${value.name} ` : `*${value.name}`;
    if (typeof value !== 'string') return String(value);
    const multiline = value.includes('\n');
    if (depth >= 0 && (multiline || (value !== '' && this.random.chance(this.style.block))))
      return this.block(value, depth);
    const safe = plain.test(value) && !reserved.test(value) && !/[:#] /.test(value);
    if (safe && !this.random.chance(this.style.quote)) return value;
    return multiline || this.random.chance(0.5) ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`;
  }

  block(value, depth) {
    const pad = ' '.repeat(Math.max(depth, 1));
    const folded = !value.includes('\n') && value.includes(' ') && this.random.chance(0.5);
    const text = value.replace(/\n$/, '');
    const lines = folded ? text.split(' ') : text.split('\n');
    const body = lines.map((line) => (line === '' ? '' : `${pad}${line}`)).join('\n');
    return `${folded ? '>' : '|'}${value.endsWith('\n') ? '' : '-'}\n${body}`;
  }
}

export const byteOrderMark = '\uFEFF';
export const crlf = (text) => text.replace(/\r?\n/g, '\r\n');
