import { distinctLabel } from '../../core/object.js';
import { type Effect, effectsBetween, severityOf } from '../../effects/table.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  newActor: (object: string) =>
    `${object} is new, so Flux applies what it installs with rights that are not those of this repository`,
  otherRights: (object: string, field: string) => `${object} changes ${field}, so Flux applies it with other rights`,
  otherContent: (object: string, field: string) =>
    `${object} changes ${field}, which decides what Flux applies with its rights`,
  newPackageSource: (object: string) => `${object} is new, and the platform installs its charts with all rights`,
  packageSource: (object: string, field: string) =>
    `${object} changes ${field}, and the platform installs its charts with all rights`,
  newSource: (object: string) => `${object} is new, so Flux fetches from an address that it did not fetch from before`,
  source: (object: string, field: string) => `${object} changes ${field}, so Flux fetches something else`,
  values: (object: string) => `${object} changes values that a HelmRelease takes from it`,
  embedded: (object: string) => `${object} has a manifest among its values, which its chart may apply with all rights`,
  shard: (object: string) =>
    `${object} changes the label sharding.fluxcd.io/key, so another controller reconciles it, or none`,
  escape: (object: string, what: string) => `${object} gets ${what}, with which a pod leaves its sandbox`,
  hostVolume: (object: string, what: string) =>
    `${object} gets ${what}, through which a pod that claims it reads files of the node`,
  level: (object: string) => `${object} weakens its Pod Security level, so its pods may leave their sandbox`,
  account: (object: string, account: string) =>
    `${object} runs as service account "${account}", which this change does not create`,
  image: (object: string, repository: string) =>
    `${object} uses the image "${repository}", which is not used there before this change`,
  access: (object: string) => `${object} decides who is allowed to do what in the cluster, and it changes`,
  network: (object: string) => `${object} lets traffic through that was blocked before this change`,
  address: (object: string) => `${object} sends traffic to other addresses than before`,
  secret: (object: string, secret: string) => `${object} reads Secret "${secret}", which it did not read before`,
  placement: (object: string, what: string) => `${object} gets ${what}, which decides where and with what its pods run`,
  otherActor: (object: string) => `${object} makes another controller act or fetch, with rights of its own`,
  wide: (object: string) => `${object} belongs to the whole cluster, and it changes`,
  platform: (object: string, namespace: string) =>
    `${object} is in namespace "${namespace}" of the platform, and it changes`,
  identity: (object: string) => `${object} gets an annotation by which others act for it or copy it`,
  podNetwork: (object: string, what: string) => `${object} gets ${what}, which opens its network`,
  dataSource: (object: string) => `${object} takes its data from somewhere else than before`,
  platformValue: (object: string, what: string) =>
    `${object} changes "${what}", by which the platform installs, fetches or lets in something else`,
  customizer: (object: string) => `${object} changes whether, and from where, Flux applies this repository`,
  disabled: (object: string, part: string) => `${object} disables "${part}", so the platform uninstalls it`,
};

export default {
  id: 'sensitive-change',
  group: 'permissions',
  severity: 'warning',
  summary: 'the change affects rights, sources, the sandbox of pods, access control or networks (an error for a fork)',
  messages,
  needsBase: true,
  check(context) {
    if (!context.base) return;
    for (const effect of effectsBetween(context.base.applied, context.applied)) report(effect, context);
  },
} satisfies Rule;

/** What a fork's change needs, as no maintainer has vouched for it. */
const fromFork =
  'have a maintainer push the branch to this repository, or accept it in "ignores" of the configuration on the base branch';

function report(effect: Effect, { trust, report }: RuleContext): void {
  const severity = severityOf(effect, trust);
  if (severity === undefined || effect.row.effect === 'deletes') return;
  report({
    severity,
    message: messageOf(effect),
    help: trust === 'fork' ? fromFork : 'check that it is meant, then ignore it with a reason',
    at: { object: effect.change.object, path: effect.path },
  });
}

function messageOf({ row, change, what = '' }: Effect): string {
  const object = distinctLabel(change.object.ref);
  const isNew = change.before === undefined;
  const byRow: { readonly [id: string]: () => string } = {
    'acting-object': () => (isNew ? messages.newActor(object) : messages.otherRights(object, what)),
    'acting-content': () => messages.otherContent(object, what),
    'package-source': () => (isNew ? messages.newPackageSource(object) : messages.packageSource(object, what)),
    source: () => (isNew ? messages.newSource(object) : messages.source(object, what)),
    'values-content': () => messages.values(object),
    'embedded-object': () => messages.embedded(object),
    shard: () => messages.shard(object),
    escape: () => messages.escape(object, what),
    'host-volume': () => messages.hostVolume(object, what),
    'pod-security-level': () => messages.level(object),
    'pod-account': () => messages.account(object, what),
    image: () => messages.image(object, what),
    access: () => messages.access(object),
    'network-policy': () => messages.network(object),
    address: () => messages.address(object),
    secret: () => messages.secret(object, what),
    placement: () => messages.placement(object, what),
    'named-escape': () => messages.escape(object, what),
    'other-actor': () => messages.otherActor(object),
    'cluster-wide': () => messages.wide(object),
    'platform-namespace': () => messages.platform(object, change.object.ref.namespace ?? ''),
    'account-identity': () => messages.identity(object),
    'pod-network': () => messages.podNetwork(object, what),
    'data-source': () => messages.dataSource(object),
    'platform-values': () => messages.platformValue(object, what),
    customizer: () => messages.customizer(object),
    'disabled-component': () => messages.disabled(object, what),
  };
  const message = byRow[row.id]?.();
  if (message === undefined) throw new Error(`the effect "${row.id}" has no message`);
  return message;
}
