import { isPlatform } from '../../cluster/platform.js';
import type { FieldPath, Json, Place, Rendered, RenderedObject } from '../../core/model.js';
import { formatPath, isObject, lookUp, parsePath } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { nearest } from '../../core/suggest.js';
import { isPackage, platformValuePath, platformValuesPath } from '../../cozystack/package.js';
import { choices, ownLists } from '../../cozystack/platform-values.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  asAWhole: (name: string, list: string, outcome: string, more: number) =>
    `Package "${name}" replaces the list ${list} ${outcome}${more > 0 ? `; ${more} more ${more > 1 ? 'lists are' : 'list is'} replaced too` : ''}`,
  inPlaceOf: (manager: string) => `that "${manager}" has set in the cluster`,
  without: (entries: string) => `without ${entries} of the platform`,
};

/** Advice: one notice for all of a run. */
export default {
  id: 'replaced-list',
  group: 'values',
  compares: 'value',
  severity: 'notice',
  summary: 'a list in the values of a Package replaces the whole existing list',
  messages,
  check(context) {
    const { everywhere, objects, report } = context;
    const found = appliedPackages(everywhere).flatMap((object) => judge(object, context));
    const [first] = found;
    // Those of another cluster are that one's to report.
    if (!first || !objects.includes(first.object)) return;
    const { object, path, outcome, at } = first;
    const lists = new Set(found.map((other) => `${other.object.ref.name} ${formatPath(other.path)}`));
    report({
      message: messages.asAWhole(object.ref.name, formatPath(path.slice(4)), outcome, lists.size - 1),
      help: 'to add entries, list the existing ones too',
      at,
    });
  },
} satisfies Rule;

/** Every cluster asks for them. */
const appliedPackages = oncePer((everywhere: readonly Rendered[]) =>
  everywhere.flatMap((rendered) => (rendered.ok ? rendered.objects.filter(isPackage).filter(isApplied) : [])),
);

type Replaced = { object: RenderedObject; path: FieldPath; outcome: string; at: Place };

function judge(object: RenderedObject, { known: { snapshot } }: RuleContext): Replaced[] {
  const left = isPlatform(object) ? leftOut(object) : [];
  const { managers = [] } =
    (snapshot && Object.hasOwn(snapshot.packages, object.ref.name) && snapshot.packages[object.ref.name]) || {};
  const others = managers.filter(({ manager }) => manager !== 'kustomize-controller' && manager !== 'helm-controller');
  const taken = others.flatMap(({ manager, fields }) =>
    fields
      .map(parsePath)
      .filter((path) => path[1] === 'components' && path[3] === 'values' && Array.isArray(lookUp(object.value, path)))
      .map((path) => ({
        object,
        path,
        at: placeOf(object, path),
        outcome: messages.inPlaceOf(manager),
      })),
  );
  return [...left, ...taken.filter(({ path }) => !left.some((one) => formatPath(one.path) === formatPath(path)))];
}

/** The chart's own lists, of which some entries are not there any more. */
function leftOut(object: RenderedObject): Replaced[] {
  const values = lookUp(object.value, platformValuesPath);
  return Object.entries(isObject(values) ? ownLists : {}).flatMap(([name, own]) => {
    const written = lookUp(values as Json, name.split('.'));
    if (!Array.isArray(written) || written.some((item) => typeof item === 'string' && item.includes('${'))) return [];
    // What an entry was meant to be is not left out.
    const misspelt = new Set(written.flatMap((item) => meantBy(item, name) ?? []));
    const lost = own.filter((item) => !written.includes(item) && !misspelt.has(item));
    if (lost.length === 0) return [];
    const shown = lost.slice(0, 3).map((item) => `"${item}"`);
    const list = lost.length > 3 ? `${shown.join(', ')} and ${lost.length - 3} more` : shown.join(', ');
    const path = platformValuePath(name);
    return [{ object, path, at: placeOf(object, path), outcome: messages.without(list) }];
  });
}

/** The word that an unknown entry was meant to be, of which `platform-value` tells. */
function meantBy(item: Json, name: string): string | undefined {
  const words = Object.hasOwn(choices, name) ? choices[name]?.words : undefined;
  return words && typeof item === 'string' && !words.includes(item) ? nearest(item, words) : undefined;
}

/** Where a patch has taken an entry away, that; else the list. */
function placeOf(object: RenderedObject, path: FieldPath): Place {
  const lost = object.removed().find((field) => formatPath(field.path.slice(0, -1)) === formatPath(path));
  return lost ? { object, path: lost.path, removedBy: lost.by } : { object, path, part: 'key' };
}
