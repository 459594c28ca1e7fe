import type { Rendered } from '../../core/model.js';
import { label } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { isPackage } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import { isSetTo } from '../../flux/settings.js';
import type { Rule } from '../rule.js';

const annotation = 'kustomize.toolkit.fluxcd.io/prune';

const messages = {
  undeletable: (what: string) =>
    `${what} can be pruned, so the deletion of its Flux Kustomization hangs, as Flux is not allowed to delete Packages`,
  uninstalled: (what: string) =>
    `${what} can be pruned: if the repository or the Flux Kustomization is deleted, Flux deletes it and the platform uninstalls it`,
};

/** Advice: one notice for all of a run. */
export default {
  id: 'unprotected-package',
  group: 'pruning',
  severity: 'notice',
  summary: 'Packages without prune protection: Flux deletes them with their Flux Kustomization, or its deletion hangs',
  messages,
  check({ entrypoints, everywhere, report, known: { permissions } }) {
    const found = unprotected(everywhere);
    const [first] = found;
    if (!first || !entrypoints.includes(first.rendered)) return;
    const { object, rendered } = first;
    const path = ['metadata', 'annotations', annotation];
    const more = new Set(found.map((other) => other.object.ref.name)).size - 1;
    const what = `${label(object.ref)}${more > 0 ? ` and ${more} more` : ''}`;
    const mayDelete = permissions.access(rendered.entrypoint, 'delete', object.ref).allowed;
    report({
      message: mayDelete === false ? messages.undeletable(what) : messages.uninstalled(what),
      help: `annotate every Package with ${annotation}: disabled`,
      at: { object, path },
      remedy: {
        title: `annotate ${more > 0 ? 'every Package' : what} with prune: disabled`,
        safe: true,
        changes: found.map((other) => ({ do: 'add', at: { object: other.object, path }, value: 'disabled' })),
      },
    });
  },
} satisfies Rule;

/** Every cluster asks for them. */
const unprotected = oncePer((everywhere: readonly Rendered[]) =>
  everywhere.flatMap((rendered) =>
    rendered.ok && rendered.entrypoint.prunes !== false
      ? rendered.objects
          .filter(isPackage)
          .filter((object) => !isSetTo(object.value, 'prune', 'disabled') && isApplied(object))
          .map((object) => ({ object, rendered }))
      : [],
  ),
);
