import type { FieldPath, Json, Rendered, RenderedObject } from '../../core/model.js';
import { formatPath, isObject, label, lookUp } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { isPackage } from '../../cozystack/package.js';
import { isSetTo } from '../../flux/settings.js';
import type { Rule } from '../rule.js';

/** What Flux would substitute: a name, perhaps with a default. */
const variable = /^\$\{[_A-Za-z]\w*(?::?[-=][^{}]*)?\}$/;

const messages = {
  literal: (object: string, field: string, text: string) =>
    `${object} sets ${field} to the text ${text}, as nothing substitutes variables here`,
};

export default {
  id: 'literal-variable',
  group: 'flux',
  severity: 'warning',
  summary: 'a value is a variable that nothing substitutes, so the text itself is applied',
  messages,
  check({ entrypoints, everywhere, report, known: { facts, permissions } }) {
    const substituting = namesOf(everywhere);
    for (const rendered of entrypoints) {
      const { entrypoint } = rendered;
      const { postBuild, name } = entrypoint.kustomization;
      if (!rendered.ok || isUsed(postBuild) || (name !== undefined && substituting.has(name))) continue;
      for (const object of rendered.objects.filter((one) => !isSetTo(one.value, 'substitute', 'disabled'))) {
        for (const path of variablesOf(object)) {
          // Only of the documented customizer is it known what its Flux Kustomization does, where none is in the repository.
          if (name === undefined && (!permissions.isCustomizer(entrypoint) || facts.get('substitution').value === true))
            continue;
          report({
            message: messages.literal(label(object.ref), formatPath(path), JSON.stringify(lookUp(object.value, path))),
            help: helpFor(name),
            at: { object, path },
          });
        }
      }
    }
  },
} satisfies Rule;

function helpFor(name: string | undefined): string {
  return name === undefined
    ? 'write the value itself; if the customizer does substitute, set cluster.substitution in the configuration'
    : `give it a value in spec.postBuild.substitute of Flux Kustomization "${name}", or write the value itself`;
}

/** Flux objects that get their variables only where they are rendered themselves, from a patch or a component. */
const namesOf = oncePer((entrypoints: readonly Rendered[]): Set<string> => {
  const objects = entrypoints.flatMap((rendered) => (rendered.ok ? rendered.objects : []));
  const flux = objects.filter(({ ref }) => ref.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/'));
  return new Set(
    flux.filter(({ value }) => isUsed(lookUp(value, ['spec', 'postBuild']) as PostBuild)).map(({ ref }) => ref.name),
  );
});

type PostBuild = { substitute?: object; substituteFrom?: object[] } | undefined;

/** Flux substitutes nothing while it has no variable. */
function isUsed(postBuild: PostBuild): boolean {
  return Object.keys(postBuild?.substitute ?? {}).length > 0 || (postBuild?.substituteFrom ?? []).length > 0;
}

/** Elsewhere a `${…}` may well be meant for somebody else: a shell, or a container's environment. */
function valuesOf(object: RenderedObject): FieldPath[] {
  if (object.ref.kind === 'HelmRelease') return [['spec', 'values']];
  const components = lookUp(object.value, ['spec', 'components']);
  if (!isPackage(object) || !isObject(components)) return [];
  return Object.keys(components).map((name) => ['spec', 'components', name, 'values']);
}

const variablesOf = oncePer((object: RenderedObject): readonly FieldPath[] =>
  valuesOf(object).flatMap((start) => [...variablesIn(object.value, start)]),
);

function* variablesIn(object: Json, path: FieldPath): Generator<FieldPath> {
  const value = lookUp(object, path);
  if (typeof value === 'string' && variable.test(value)) yield path;
  if (Array.isArray(value)) for (const index of value.keys()) yield* variablesIn(object, [...path, index]);
  else if (isObject(value)) for (const key of Object.keys(value)) yield* variablesIn(object, [...path, key]);
}
