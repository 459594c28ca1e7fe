/** Links to lines of the repository as its server shows them. */
import { codeSpan } from '../core/escape.js';
import type { Location } from '../core/model.js';
import type { ReportOptions } from './options.js';

/** Where the files of a revision can be read, as a URL that ends with a slash. */
export type Files = NonNullable<ReportOptions['files']>;

/** `file:line`, or what `words` says of the place: a link where there is an address. */
export function placeLink(at: Location, wholeFile: boolean, files: Files, words?: string): string {
  const root = files[at.revision];
  const span = codeSpan(words ?? (wholeFile ? at.file : `${at.file}:${at.range.start.line}`));
  if (root === undefined) return span;
  // A name from the repository stands in the address as codes alone.
  const path = at.file.split('/').map(encodeSegment).join('/');
  return `[${span}](${root}${path}${wholeFile ? '' : `#L${at.range.start.line}`})`;
}

/** A segment of a path in a URL: nothing in it ends the URL, whatever it is written into. */
function encodeSegment(name: string): string {
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  return encodeURIComponent(name.replace(/\p{Cs}/gu, '\ufffd')).replace(/[!'()*~]/g, hex);
}
