import { isKustomizationFile } from '../../core/kustomization.js';
import { isBelow, isGenerated, isListed } from '../../flux/generated-kustomization.js';
import { explainExcluded } from '../../render/excluded-files.js';
import type { Rule } from '../rule.js';

const messages = {
  everyFileTaken: (link: string) => `${link}, so it applies every YAML file of the directory as a manifest`,
  notApplied: (link: string, path: string) => `${link}, so its target is not applied from "${path}"`,
};

/** A link that a kustomization names is reported by the render stage, as the build is refused. */
export default {
  id: 'symlink',
  group: 'flux',
  severity: 'error',
  summary: 'a symbolic link, which Flux ignores, although kustomize follows it elsewhere',
  messages,
  check({ entrypoints, tree, report }) {
    for (const rendered of entrypoints) {
      const { entrypoint, lost, ok } = rendered;
      if (!ok || !isGenerated(rendered, tree)) continue;
      for (const one of lost.filter(({ path, because }) => because === 'link' && isBelow(path, entrypoint.path))) {
        const isKustomization = isKustomizationFile(one.path);
        if (!isKustomization && !isListed(one.path, rendered, tree)) continue;
        const { message, help } = explainExcluded(one, tree);
        report({
          message: isKustomization ? messages.everyFileTaken(message) : messages.notApplied(message, entrypoint.path),
          ...(help && { help: isKustomization ? 'commit a copy of its target' : help }),
          at: { file: one.path },
          entrypoint: entrypoint.path,
          ...(!isKustomization && { severity: 'warning' as const }),
        });
      }
    }
  },
} satisfies Rule;
