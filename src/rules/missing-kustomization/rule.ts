import { kustomizationsIn } from '../../core/kustomization.js';
import type { RenderedObject } from '../../core/model.js';
import { isGenerated } from '../../flux/generated-kustomization.js';
import type { Rule } from '../rule.js';

const messages = {
  noneAtRoot: (such: string) =>
    `the root of the repository has no kustomization.yaml, so Flux applies every YAML file below it, hidden ones too${such}`,
  noneIn: (folder: string, such: string) =>
    `"${folder}" has no kustomization.yaml, so Flux applies every YAML file below it, hidden ones too${such}`,
};

export default {
  id: 'missing-kustomization',
  group: 'kustomize',
  severity: 'warning',
  summary: 'without a kustomization.yaml Flux applies every YAML file below a folder, hidden ones too',
  messages,
  check({ entrypoints, tree, report }) {
    for (const rendered of entrypoints) {
      if (!rendered.ok || !isGenerated(rendered, tree)) continue;
      const { path, declaredAt } = rendered.entrypoint;
      // One that is there and that Flux does not see is a finding of another rule.
      if (kustomizationsIn(path).some((file) => tree.has(file) || tree.links.includes(file))) continue;
      const surprising = rendered.objects.filter((object) => isSurprising(object, path));
      const [first] = surprising;
      // Below a folder of its own, plain manifests are an ordinary way to use Flux; at the root all else lies among them.
      if (path !== '.' && !first) continue;
      const files = [...new Set(surprising.flatMap(({ source }) => (source ? [source.file] : [])))];
      const such = files.length > 0 ? `, such as "${files[0]}"` : '';
      report({
        message: path === '.' ? messages.noneAtRoot(such) : messages.noneIn(path, such),
        help: 'add a kustomization.yaml that lists the manifests to apply',
        at: first
          ? { object: first, path: ['metadata', 'name'] }
          : (declaredAt ?? { file: kustomizationsIn(path)[0] ?? path }),
        entrypoint: path,
      });
    }
  },
} satisfies Rule;

/** From a hidden file or folder, or from one that by its name holds something else than what is to be applied. */
function isSurprising({ source }: RenderedObject, path: string): boolean {
  const below = source?.file.slice(path === '.' ? 0 : path.length + 1).split('/') ?? [];
  return below.some(
    (part, index) =>
      part.startsWith('.') || (index < below.length - 1 && /^(docs?|examples?|samples?|testdata|tests?)$/.test(part)),
  );
}
