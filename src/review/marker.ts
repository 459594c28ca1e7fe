/**
 * How the tool knows its own comments again: the last line of each is a comment of Markdown with nothing but hashes, so that
 * nothing of a repository can end it, and nothing in it is believed. Who wrote the comment is asked of GitHub, not of the marker.
 */
import { createHash } from 'node:crypto';

/** The finding that a comment is about, and the words that it says of it. */
export type Marker = { id: string; body: string };

const pattern = /\n<!-- customizer-lint:1 ([0-9a-f]{8}) ([0-9a-f]{32}) ([0-9a-f]{16}) -->\s*$/;

/** `instance` tells two jobs in one repository apart. */
export function markerId(instance: string, fingerprint: string): string {
  return hash(JSON.stringify([instance, fingerprint]), 32);
}

export function withMarker(instance: string, id: string, text: string): string {
  return `${text}\n\n<!-- customizer-lint:1 ${hash(instance, 8)} ${id} ${hash(text, 16)} -->`;
}

/** Undefined for a comment of another instance, or of anything else. */
export function readMarker(instance: string, body: string): Marker | undefined {
  const [, by, id, text] = pattern.exec(body.replaceAll('\r\n', '\n')) ?? [];
  return by === hash(instance, 8) && id !== undefined && text !== undefined ? { id, body: text } : undefined;
}

/** What the marker of a comment with that text says of it. */
export function bodyHash(text: string): string {
  return hash(text, 16);
}

function hash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
