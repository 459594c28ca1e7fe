/**
 * How the tool knows its own comments again: the last line of each is a comment of Markdown with nothing but hashes, so that
 * nothing of a repository can end it, and nothing in it is believed. Who wrote the comment is asked of GitHub, not of the marker.
 */
import { createHash } from 'node:crypto';

/** The topic that a comment is about, the hash of what it said when it was written, and what it says now around the marker. */
export type Marker = { id: string; hash: string; text: string; added: string };

const pattern = /\n<!-- customizer-lint:1 ([0-9a-f]{8}) ([0-9a-f]{32}) ([0-9a-f]{16}) -->/g;

/** `instance` tells two jobs in one repository apart; `key` is that of a topic. */
export function markerId(instance: string, key: string): string {
  return hash(JSON.stringify([instance, key]), 32);
}

export function withMarker(instance: string, id: string, text: string, added = ''): string {
  const marker = `<!-- customizer-lint:1 ${hash(instance, 8)} ${id} ${bodyHash(text)} -->`;
  return `${text}\n\n${marker}${added && `\n\n${added}`}`;
}

/** Undefined for a comment of another instance, or of anything else. A person who may edit it may have written below the marker. */
export function readMarker(instance: string, body: string): Marker | undefined {
  const lines = body.replaceAll('\r\n', '\n');
  const last = [...lines.matchAll(pattern)].at(-1);
  const [found = '', by, id, text] = last ?? [];
  if (!last || by !== hash(instance, 8) || id === undefined || text === undefined) return undefined;
  const end = last.index + found.length;
  return { id, hash: text, text: lines.slice(0, last.index).trimEnd(), added: lines.slice(end).trim() };
}

/** What the marker of a comment with that text says of it. Links to the files of another commit do not make it another text. */
export function bodyHash(text: string): string {
  const parts = text
    .split('/blob/')
    .map((part, index) => (index === 0 ? part : part.replace(/^[0-9a-f]{40,64}\//, '')));
  return hash(parts.join('/blob/'), 16);
}

function hash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
