import type { RenderedObject } from '../../core/model.js';
import { isApplied } from '../../flux/applied.js';
import { type Built, isBuilt } from '../../flux/prune.js';
import type { RuleContext } from '../rule.js';

/** Every object that Flux sends to the API server, once for each entrypoint that renders it. */
export function* appliedIn({ entrypoints }: Pick<RuleContext, 'entrypoints'>): Generator<[RenderedObject, Built]> {
  for (const rendered of entrypoints.filter(isBuilt))
    for (const object of rendered.objects.filter(isApplied)) yield [object, rendered];
}
