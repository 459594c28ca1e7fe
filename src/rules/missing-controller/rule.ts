import type { RenderedObject } from '../../core/model.js';
import { getString, groupOf, label } from '../../core/object.js';
import type { Rule } from '../rule.js';

/** Served, and reconciled by nobody: the Flux of the releases has five controllers, and not these (flux/FACTS.md, Controllers). */
const controllers: { [kind: string]: string } = {
  ImageRepository: 'image-reflector-controller',
  ImagePolicy: 'image-reflector-controller',
  ImageUpdateAutomation: 'image-automation-controller',
};

const messages = {
  reconciledByNobody: (object: string, controller: string) =>
    `${object}: the Flux of Cozystack has no ${controller}, so the object has no effect`,
};

export default {
  id: 'missing-controller',
  severity: 'warning',
  summary: 'an object of a kind that is served, but that no controller of the release reconciles, so it has no effect',
  messages,
  check({ objects, report }) {
    if (objects.some(bringsFlux)) return;
    for (const object of objects) {
      const { apiVersion, kind } = object.ref;
      if (groupOf(apiVersion) !== 'image.toolkit.fluxcd.io' || !Object.hasOwn(controllers, kind)) continue;
      const controller = controllers[kind] as string;
      if (objects.some(({ ref }) => ref.name === controller)) continue;
      report({
        message: messages.reconciledByNobody(label(object.ref), controller),
        help: `remove it, or install ${controller}; tags can be updated by a bot that opens pull requests`,
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
