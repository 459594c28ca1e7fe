/**
 * How the tool knows its own comments again: the last line of each is a comment of Markdown with nothing but hashes, so that
 * nothing of a repository can end it, and nothing in it is believed. Who wrote the comment is asked of GitHub, not of the marker.
 */
import { createHash } from 'node:crypto';
import type { Finding } from '../core/model.js';

/** What a comment is about, the hash of what it said when it was written, and what it says now around the marker. */
export type Marker = {
  id: string;
  hash: string;
  text: string;
  added: string;
  /** Of each finding that it names, as it was then (`memberOf`). */
  members: readonly string[];
  /** Whether somebody else has changed its words. */
  isReworded: boolean;
};

const pattern = /\n<!-- customizer-lint:1 ([0-9a-f]{8}) ([0-9a-f]{32}) ([0-9a-f]{16})((?: [0-9a-f]{12})*) -->/g;

/** `instance` tells two jobs in one repository apart; `key` is that of a topic. */
export function markerId(instance: string, key: string): string {
  return hash(JSON.stringify([instance, key]), 32);
}

/**
 * How a marker names a finding. With other words, or another severity, it is another: nobody has seen that. Numbers of lines do not
 * count, which change with every line above.
 */
export function memberOf({ fingerprint, severity, message }: Finding): string {
  return hash(JSON.stringify([fingerprint, severity, message.replace(/\bline \d+/g, 'line')]), 12);
}

/** `hash`: that of other words, as a person has changed these. */
export type Marked = { id: string; text: string; added?: string; members?: readonly string[]; hash?: string };

export function withMarker(instance: string, { id, text, added = '', members = [], hash: before }: Marked): string {
  const hashes = [hash(instance, 8), id, before ?? bodyHash(text), ...members].join(' ');
  return `${text}\n\n<!-- customizer-lint:1 ${hashes} -->${added && `\n\n${added}`}`;
}

/** Undefined for a comment of another instance, or of anything else. A person who may edit it may have written below the marker. */
export function readMarker(instance: string, body: string): Marker | undefined {
  const lines = body.replaceAll('\r\n', '\n');
  const last = [...lines.matchAll(pattern)].at(-1);
  const [found = '', by, id, hashed, named = ''] = last ?? [];
  if (!last || by !== hash(instance, 8) || id === undefined || hashed === undefined) return undefined;
  const text = lines.slice(0, last.index).trimEnd();
  const added = lines.slice(last.index + found.length).trim();
  const members = named.split(' ').filter(Boolean);
  return { id, hash: hashed, text, added, members, isReworded: bodyHash(text) !== hashed };
}

/**
 * What the marker of a comment with that text says of it. Links to the files of another commit do not make it another text, nor does
 * white space at the end of a line, which a server may change.
 */
export function bodyHash(text: string): string {
  const parts = text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
    .split('/blob/')
    .map((part, index) => (index === 0 ? part : part.replace(/^[0-9a-f]{40,64}\//, '')));
  return hash(parts.join('/blob/'), 16);
}

function hash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
