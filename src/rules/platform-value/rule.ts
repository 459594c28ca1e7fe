import { knownPlatformValues, platformsIn } from '../../cluster/platform.js';
import { defined } from '../../core/defined.js';
import type { FactName, FieldPath, FixProposal, Json, JsonObject, RenderedObject, Severity } from '../../core/model.js';
import { isObject, lookUp } from '../../core/object.js';
import { moved, rewritten, removed as taken } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import type { Catalog, ValueType } from '../../cozystack/catalog.js';
import { platformValuesPath } from '../../cozystack/package.js';
import { choices, internal, passedOn, removed, searched } from '../../cozystack/platform-values.js';
import { isUnresolved } from '../../schema/walk.js';
import { alternatives } from '../../schema/wording.js';
import type { Rule, RuleContext } from '../rule.js';

const stays = 'the platform stays as it is';

const messages = {
  /** The others are what it sets, and what follows from it. */
  sets: (name: string, what: string) => `Package "${name}" sets ${what}`,
  ownOfPlatform: (value: string, decided: string) => `${value}, which the platform owns: it decides ${decided}`,
  notRead: (value: string, release: string) => `${value}, which the platform chart of ${release} ignores silently`,
  otherType: (value: string, expected: string) => `${value}, where the platform chart expects ${expected}`,
  refusedType: (value: string, expected: string) =>
    `${value}, which is not ${expected}, so its chart fails to render and ${stays}`,
  textForFalse: (value: string, text: string) => `${value} to the string "${text}", which counts as true`,
  textForBoolean: (value: string, text: string) =>
    `${value} to the string "${text}" instead of true or false; any text counts as true`,
  unknownWord: (value: string, word: string) => `${value} to "${word}", which the platform does not know`,
  ignoredWord: (value: string, word: string, then: string) =>
    `${value} to "${word}", which the platform does not know, so ${then}`,
  refusedWord: (value: string, word: string) => `${value} to "${word}", so its chart fails to render and ${stays}`,
  refusedInVariant: (value: string, wanted: string, variant: string) =>
    `${value} to ${wanted}, with which its chart fails to render in variant ${variant}`,
  proxyProtocolInUse:
    'publishing.proxyProtocol to false while Package "cozystack.ouroboros" exists, so its chart fails to render',
};

export default {
  id: 'platform-value',
  group: 'values',
  compares: 'value',
  severity: 'error',
  summary: 'a value of the platform that its chart ignores, does not know or fails to render with',
  messages,
  check(context) {
    for (const object of platformsIn(context.applied)) {
      const written = lookUp(object.value, platformValuesPath);
      if (isObject(written)) judgePlatform(object, written, context);
    }
  },
} satisfies Rule;

type Said = {
  message: string;
  help: string;
  severity?: Severity;
  assumes?: FactName[];
  part?: 'value';
  /** What to do about it: another value, another place among the values, or none at all. */
  instead?: { value: Json; isCertain?: true } | { place: readonly string[]; from?: readonly string[] } | 'nothing';
};

/** A Package of the platform, and all that is known. */
type Judged = { object: RenderedObject; context: RuleContext };

function judgePlatform(object: RenderedObject, written: JsonObject, context: RuleContext) {
  const judged = { object, context };
  judgeMap(written, [], judged);
  for (const { path, ...said } of refusals(context)) {
    if (lookUp(written, path) !== undefined) say(path, said, judged);
  }
}

function judgeMap(map: JsonObject, above: readonly string[], judged: Judged) {
  for (const [key, value] of Object.entries(map)) judge(value, [...above, key], judged);
}

function judge(value: Json, path: readonly string[], judged: Judged) {
  const { catalog } = judged.context.known.contract;
  const name = path.join('.');
  if (passedOn.includes(name) || isOpen(value)) return;
  const own = Object.hasOwn(internal, name) ? internal[name] : undefined;
  if (own && isObject(value) && Object.keys(value).some((key) => !own.but?.includes(key))) {
    const said: Said = {
      severity: 'warning',
      message: messages.ownOfPlatform(name, own.decides),
      help: 'remove it; the platform is upgraded by its installer',
      instead: 'nothing',
    };
    return say(path, said, judged);
  }
  const type = Object.hasOwn(catalog.platformValues, name) ? catalog.platformValues[name] : undefined;
  if (type) return judgeValue(value, path, type, judged);
  if (!isSection(name, catalog)) return say(path, unknown(path, value, judged.context), judged);
  if (isObject(value)) return judgeMap(value, path, judged);
  const said: Said = {
    message: messages.refusedType(name, 'a map'),
    help: 'write a map',
  };
  say(path, said, judged);
}

function judgeValue(value: Json, path: readonly string[], type: ValueType, judged: Judged) {
  const wrong = mistyped(value, type, path.join('.'));
  if (wrong) return say(path, { part: 'value', ...wrong }, judged);
  for (const [word, at] of Array.isArray(value) ? entries(value, path) : [[value, path] as const]) {
    const said = misspelt(word, path.join('.'));
    if (said) say(at, { part: 'value', ...said }, judged);
  }
}

function isSection(name: string, catalog: Catalog): boolean {
  return Object.keys(catalog.platformValues).some((known) => known.startsWith(`${name}.`));
}

function unknown(path: readonly string[], value: Json, { known: { contract } }: RuleContext): Said {
  const name = path.join('.');
  const lastRelease = Object.hasOwn(removed, name) ? removed[name] : undefined;
  const others = contract.catalog.releasesWithValue(name);
  const found = meantBy(path, value, contract.catalog);
  const meant = found?.place;
  return {
    ...(lastRelease !== undefined
      ? { instead: 'nothing' as const }
      : found && others.length === 0 && { instead: { place: found.place.split('.'), from: found.from } }),
    severity: 'warning',
    message: messages.notRead(name, contract.release),
    help: lastRelease
      ? `remove it; the last release that reads it is ${lastRelease}`
      : others.length > 0
        ? `remove it, or use a release that reads it: ${others.join(', ')}`
        : meant
          ? `did you mean ${meant}?`
          : 'remove it, or correct its name or place',
  };
}

function say(path: FieldPath, { message, part, instead, ...said }: Said, { object, context }: Judged) {
  const at = { object, path: [...platformValuesPath, ...path], part: part ?? ('key' as const) };
  const remedy = instead && remedyFor(object, path, instead);
  context.report({ ...said, message: messages.sets(object.ref.name, message), at, ...defined({ remedy }) });
}

/** Of what nobody reads so far; what comes to be read at another place may be a surprise. */
function remedyFor(object: RenderedObject, path: FieldPath, instead: NonNullable<Said['instead']>): FixProposal {
  const at = { object, path: [...platformValuesPath, ...path] };
  if (instead === 'nothing') return taken(at, false);
  if ('value' in instead) return { ...rewritten(at, instead.value), safe: instead.isCertain === true };
  const { place, from = path } = instead;
  return moved(object, [...platformValuesPath, ...from], [...platformValuesPath, ...place]);
}

/** What will only be filled in later, and what takes back a value, is not judged. */
function isOpen(value: Json): boolean {
  return value === null || (typeof value === 'string' && isUnresolved(value));
}

function entries(list: Json[], path: readonly string[]): (readonly [Json, FieldPath])[] {
  return list.map((word, index) => [word, [...path, index]]);
}

/** A neighbour spelt alike, the one value of that name in another place, or what is written one map too deep. */
function meantBy(path: readonly string[], value: Json, { platformValues }: Catalog): Meant | undefined {
  const name = path.at(-1) as string;
  const places = new Set(
    Object.keys(platformValues).flatMap((known) => {
      const steps = known.split('.');
      return steps.map((_, index) => steps.slice(0, index + 1).join('.'));
    }),
  );
  const above = path.slice(0, -1);
  const siblings = [...places].filter((place) => place.split('.').slice(0, -1).join('.') === above.join('.'));
  const spelt = nearest(
    name,
    siblings.map((place) => place.split('.').at(-1) as string),
  );
  if (spelt !== undefined) return { place: [...above, spelt].join('.'), from: path };
  const [elsewhere, another] = [...places].filter((place) => place.split('.').at(-1) === name);
  if (elsewhere !== undefined) return another === undefined ? { place: elsewhere, from: path } : undefined;
  return innerPlace(value, places, path);
}

function innerPlace(value: Json, places: ReadonlySet<string>, path: readonly string[]): Meant | undefined {
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value);
  const found = keys.find((key) => !key.includes('.') && places.has(key));
  if (found !== undefined) return { place: found, from: [...path, found] };
  const [only] = keys;
  return only !== undefined && keys.length === 1 ? innerPlace(value[only] as Json, places, [...path, only]) : undefined;
}

/** The place that was meant, and what of the values belongs there. */
type Meant = { place: string; from: readonly string[] };

function mistyped(value: Json, type: ValueType, name: string): Said | undefined {
  if (fits(value, type)) return undefined;
  const noun =
    { list: 'a list', map: 'a map', boolean: 'true or false', string: 'a string' }[type as string] ?? 'a number';
  const help = `write ${noun}`;
  if (type === 'list' && searched.includes(name) && isFilled(value))
    return { message: messages.refusedType(name, noun), help };
  if (type === 'boolean' && typeof value === 'string') return textForBoolean(value, name);
  return { severity: 'warning', message: messages.otherType(name, noun), help };
}

/** To a template any text but the empty one is true. */
function textForBoolean(value: string, name: string): Said {
  if (/^(false|no|off|n)$/i.test(value))
    return {
      message: messages.textForFalse(name, value),
      help: 'write false, without quotes',
      instead: { value: false },
    };
  const message = messages.textForBoolean(name, value.slice(0, 60));
  if (value === 'true')
    return {
      severity: 'warning',
      message,
      help: 'write true without quotes',
      instead: { value: true, isCertain: true },
    };
  const isMeant = /^(true|yes|on|y)$/i.test(value);
  return {
    severity: 'warning',
    message,
    help: isMeant ? 'write true, without quotes' : 'write true or false',
    ...(isMeant && { instead: { value: true } }),
  };
}

/** As templates take it: a number is a text as well, a text may be a number, and an empty one is false. */
function fits(value: Json, type: ValueType): boolean {
  if (type === 'any') return true;
  if (type === 'list') return Array.isArray(value);
  if (type === 'map') return isObject(value);
  if (typeof value === 'object') return false;
  if (type === 'boolean') return typeof value === 'boolean' || value === '';
  return type === 'string' || typeof value === 'number' || (typeof value === 'string' && !Number.isNaN(Number(value)));
}

function isFilled(value: Json): boolean {
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

function misspelt(word: Json, name: string): Said | undefined {
  const known = Object.hasOwn(choices, name) ? choices[name] : undefined;
  if (!known || typeof word !== 'string' || word === '' || isUnresolved(word) || known.words.includes(word))
    return undefined;
  const meant = nearest(word, known.words);
  const shown = word.slice(0, 60);
  return {
    message: known.refused
      ? messages.refusedWord(name, shown)
      : known.follows
        ? messages.ignoredWord(name, shown, known.follows)
        : messages.unknownWord(name, shown),
    help: meant ? `did you mean "${meant}"?` : `write ${alternatives(known.words)}`,
    ...(!known.refused && { severity: 'warning' }),
    ...(meant && { instead: { value: meant } }),
  };
}

/** Values that the chart does not render with, as the rest of its values is. */
function refusals({ applied, base, known: { contract, facts, snapshot } }: RuleContext): (Said & { path: string[] })[] {
  const known = knownPlatformValues({ facts, objects: applied });
  const variant = String(facts.get('variant').value);
  const refused = contract.catalog.platformVariant(variant)?.refused ?? [];
  const found = refused.flatMap((change): (Said & { path: string[] })[] => {
    const [name = '', wanted = ''] = change.split('=');
    const path = name.split('.');
    // Bundles depend on one another, so with several of them set another set is seen than the one that was tried.
    if (JSON.stringify(lookUp(known, path)) !== wanted || bundlesSet(known) > 1) return [];
    return [
      {
        path,
        message: messages.refusedInVariant(name, wanted, variant),
        help: 'remove it, or set the other bundles to match',
        assumes: ['platformValues'],
      },
    ];
  });
  const proxy = ['publishing', 'proxyProtocol'];
  const was = knownPlatformValues({ facts, objects: base?.applied ?? [] });
  const isThere = snapshot ? Object.hasOwn(snapshot.packages, 'cozystack.ouroboros') : lookUp(was, proxy) === true;
  if (lookUp(known, proxy) !== false || !isThere) return found;
  if (lookUp(known, ['publishing', 'proxyProtocolAcknowledgeUnclean']) === true) return found;
  const help =
    'first remove the PROXY protocol from the load balancer and have an administrator delete that Package, then also set publishing.proxyProtocolAcknowledgeUnclean: true';
  return [
    ...found,
    { path: proxy, message: messages.proxyProtocolInUse, help, assumes: ['packages', 'platformValues'] },
  ];
}

function bundlesSet(known: JsonObject): number {
  const bundles = lookUp(known, ['bundles']);
  return isObject(bundles) ? Object.values(bundles).filter(isObject).length : 0;
}
