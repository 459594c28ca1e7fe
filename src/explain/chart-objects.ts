/** `render --charts`: objects of charts with the lines of the repository behind their values, as YAML for other tools and as data. */
import { Document, isCollection, isNode, isPair } from 'yaml';
import type { ShownObject, SourceField } from '../charts/shown.js';
import { defined } from '../core/defined.js';
import { printable } from '../core/escape.js';
import type { FieldPath } from '../core/model.js';
import type { Locator } from '../yaml/locator.js';

/** A stream of documents. Texts that kubectl, which reads YAML 1.1, would take for something else are quoted. */
export function chartObjectsText(objects: readonly ShownObject[], locator: Locator): string {
  return objects.map((one) => documentOf(one, locator)).join('---\n');
}

function documentOf(one: ShownObject, locator: Locator): string {
  const document = new Document(one.object, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  const whole = one.origins.flatMap(({ path, from }) => (path.length === 0 ? from : []));
  const lines = [titleOf(one), ...(whole.length > 0 ? [`made because of ${placesOf(whole, locator)}`] : [])];
  if (one.ref.kind === 'Secret') lines.push('its values are not shown');
  // Without the empty line that follows a comment of the document.
  if (document.contents) document.contents.commentBefore = lines.map((line) => ` ${printable(line)}`).join('\n');
  for (const { path, from } of one.origins)
    if (path.length > 0) comment(document, path, ` from ${printable(placesOf(from, locator))}`);
  return document.toString({ lineWidth: 0 });
}

function titleOf({ cluster, package: name, component, release, template, hook, crd }: ShownObject): string {
  const where = cluster === undefined ? '' : `cluster ${cluster}: `;
  const of = name === undefined ? '' : `Package ${name}, component ${component}, `;
  const what = hook ? `, a hook (${hook.join(', ')})` : crd ? ', a definition' : '';
  return `${where}${of}HelmRelease ${release}: ${template}${what}`;
}

/** Behind a value; of a map or list above what is in it. */
function comment(document: Document, path: FieldPath, text: string): void {
  const node = document.getIn(path, true);
  if (!isNode(node)) return;
  if (!isCollection(node) || node.items.length === 0) {
    node.comment = text;
    return;
  }
  const [first] = node.items;
  const inner = isPair(first) ? first.key : first;
  if (isNode(inner)) inner.commentBefore = text;
}

const maxPlaces = 3;

function placesOf(from: readonly SourceField[], locator: Locator): string {
  const places = located(from, locator).map(({ file, line, precision }) =>
    precision === 'file' ? file : `${file}:${line}`,
  );
  const all = [...new Set(places)];
  const more = all.length > maxPlaces ? [`${all.length - maxPlaces} more`] : [];
  return [...all.slice(0, maxPlaces), ...more].join(', ');
}

/** In the order of files and lines. */
function located(from: readonly SourceField[], locator: Locator) {
  const places = from.map(({ object, path }) => {
    const { at, precision } = locator.locate({ object, path, part: 'value' });
    const { line, column } = at.range.start;
    return { file: at.file, line, column, precision, field: path };
  });
  return places.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column));
}

/** All that is known of them, for programs. */
export function chartObjectsData(objects: readonly ShownObject[], locator: Locator) {
  return objects.map(({ cluster, package: name, component, release, template, hook, crd, object, origins }) => ({
    ...defined({ cluster, package: name, component }),
    release,
    template,
    ...defined({ hook, crd }),
    object,
    origins: origins.map(({ path, from }) => ({ path, from: located(from, locator) })),
  }));
}
