import { ownSources } from '../../cluster/own-sources.js';
import { newlyListed, ownedNamespacesPath } from '../../cluster/pending.js';
import { knownPlatformValues, platformsIn } from '../../cluster/platform.js';
import type { Fact, RenderedObject } from '../../core/model.js';
import { formatPath, isKeptByHelm, lookUp } from '../../core/object.js';
import { customizer, customizerName } from '../../cozystack/customizer.js';
import { platformValuesPath } from '../../cozystack/package.js';
import type { Applied } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';
import { hasOtherOwner } from '../support/other-owner.js';

const list = formatPath(ownedNamespacesPath.slice(platformValuesPath.length));

const messages = {
  unlisted: (namespace: string) =>
    `Namespace "${namespace}" is no longer in ${list}, so Helm deletes it with everything in it`,
  leftToOthers: (namespace: string) =>
    `Namespace "${namespace}" is no longer in ${list}; unless another manager lists it in the cluster, Helm deletes it with everything in it`,
  leftOut: (platform: string, namespaces: readonly string[]) =>
    `Package "${platform}" sets ${list} without ${namespaces.map((name) => `"${name}"`).join(', ')}, so Helm deletes what is omitted with everything in it`,
};

const help =
  'list it again; to stop owning it but keep it, first annotate the Namespace with helm.sh/resource-policy: keep';

export default {
  id: 'unowned-namespace',
  group: 'pruning',
  severity: 'error',
  summary: 'a namespace is removed from the list of owned namespaces, which deletes it with everything in it',
  messages,
  needsBase: true,
  check(context) {
    const before = platformsIn(context.base?.applied ?? []);
    const after = platformsIn(context.applied);
    // Of a manifest that is gone the values stay: that is another matter.
    if (!context.base || after.length === 0 || isNotMade(context) || namesIn(after).some(isVariable)) return;
    const [first] = after.filter(hasList);
    if (before.some(hasList)) judgeEntries(before, after, context);
    else if (first) judgeFirstList(first, context.base.known.facts.get('ownedNamespaces'), context);
  },
} satisfies Rule;

function judgeEntries(before: Applied[], after: Applied[], context: RuleContext) {
  const { known, report } = context;
  // A null brings the chart's own list back, whoever has set another.
  const isSet = after.some(({ value }) => lookUp(value, ownedNamespacesPath) !== undefined);
  const isShared = isSet ? false : hasOtherOwner(customizer.platform, ownedNamespacesPath, known.snapshot);
  if (isShared) return;
  const isGuess = isShared === undefined;
  const owned = after.some(hasList) ? namesIn(after) : known.contract.rbac.ownedNamespaces;
  for (const { name, object, path } of newlyListed(ownedNamespacesPath, before, after, owned)) {
    if (isVariable(name) || isKept(name, context)) continue;
    report({
      ...(isGuess && { severity: 'warning' as const }),
      message: isGuess ? messages.leftToOthers(name) : messages.unlisted(name),
      help,
      at: { object, path },
    });
  }
}

/** The first list takes the place of one that somebody else has set, or of the chart's. */
function judgeFirstList(object: Applied, { value, source }: Fact, context: RuleContext) {
  const isKnown = source === 'config' || source === 'snapshot';
  const owned = isKnown ? (value as string[]) : context.known.contract.rbac.ownedNamespaces;
  const gone = owned.filter((name) => !namesIn([object]).includes(name) && !isKept(name, context));
  if (gone.length === 0) return;
  context.report({
    ...(!isKnown && { severity: 'warning' as const }),
    message: messages.leftOut(object.ref.name, gone),
    help,
    at: { object, path: ownedNamespacesPath, part: 'key' },
  });
}

function hasList({ value }: RenderedObject): boolean {
  return Array.isArray(lookUp(value, ownedNamespacesPath));
}

function namesIn(objects: readonly Applied[]): string[] {
  return newlyListed(ownedNamespacesPath, objects, []).map(({ name }) => name);
}

/** Flux puts something else in its place. */
function isVariable(name: string): boolean {
  return name.includes('${');
}

/** Whether the chart no longer writes the customizer's Package, so that its release stays as it is. */
function isNotMade({ known }: RuleContext): boolean {
  const values = knownPlatformValues(known);
  const disabled = lookUp(values, ['bundles', 'disabledPackages']);
  const isOff = lookUp(values, customizer.enabled.slice(platformValuesPath.length)) === false;
  return isOff || (Array.isArray(disabled) && disabled.includes(customizerName));
}

/** No API server deletes these. */
const immortal = ['default', 'kube-system', 'kube-public'];

/** Whether the Namespace outlives the list: the operator keeps those that Packages install into, and an annotation any other. */
function isKept(name: string, { base, known: { contract }, applied }: RuleContext): boolean {
  const before = base?.applied ?? [];
  const variants = [
    ...ownSources(before, contract).flatMap((source) => source.variants),
    ...contract.catalog.names().flatMap((source) => contract.catalog.source(source)?.variants ?? []),
  ];
  const isTarget = variants.some((one) => one.components.some(({ install }) => install?.namespace === name));
  if (immortal.includes(name) || isTarget) return true;
  // What the repository applies last counts; what it no longer applies is as it was.
  const manifest = [...applied, ...before].find(
    ({ ref }) => ref.kind === 'Namespace' && ref.apiVersion === 'v1' && ref.name === name,
  );
  return manifest !== undefined && isKeptByHelm(manifest.value);
}
