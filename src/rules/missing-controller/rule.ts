import type { RenderedObject } from '../../core/model.js';
import { getString, groupOf, label } from '../../core/object.js';
import type { Rule } from '../rule.js';

/** Served, and reconciled by no controller: the Flux of the releases has five controllers, and not these (flux/FACTS.md, Controllers). */
const controllers: { [kind: string]: string } = {
  ImageRepository: 'image-reflector-controller',
  ImagePolicy: 'image-reflector-controller',
  ImageUpdateAutomation: 'image-automation-controller',
};

const messages = {
  notReconciled: (object: string, controller: string) =>
    `${object} has no effect: the Flux of Cozystack has no ${controller}`,
};

export default {
  id: 'missing-controller',
  group: 'flux',
  severity: 'warning',
  summary: 'the kind of an object is served, but no controller of the release reconciles it, so it has no effect',
  messages,
  check({ objects, report }) {
    if (objects.some(bringsFlux)) return;
    for (const object of objects) {
      const { apiVersion, kind } = object.ref;
      if (groupOf(apiVersion) !== 'image.toolkit.fluxcd.io' || !Object.hasOwn(controllers, kind)) continue;
      const controller = controllers[kind] as string;
      if (objects.some(({ ref }) => ref.name === controller)) continue;
      report({
        message: messages.notReconciled(label(object.ref), controller),
        help: `remove it and update tags with a bot that opens pull requests, or install ${controller}`,
        at: { object, path: ['kind'] },
      });
    }
  },
} satisfies Rule;

const charts = ['flux2', 'flux-operator', 'flux-instance'];

/** Whether the repository installs a Flux of its own, with whatever controllers. */
function bringsFlux({ ref, value }: RenderedObject): boolean {
  const chart = getString(value, ['spec', 'chart', 'spec', 'chart']);
  return ref.kind === 'FluxInstance' || (chart !== undefined && charts.includes(chart));
}
