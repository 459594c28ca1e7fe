import { platformsIn } from '../../cluster/platform.js';
import type { RenderedObject } from '../../core/model.js';
import { appliedBy } from '../../flux/applied.js';
import { isBuilt } from '../../flux/prune.js';
import type { RuleContext } from '../rule.js';

/** The platform's Package as the customizer applies it: its values say what the customizer itself is made of. */
export function customizersPlatforms({ entrypoints, known: { permissions } }: RuleContext): RenderedObject[] {
  const own = entrypoints.filter(isBuilt).filter(({ entrypoint }) => permissions.isCustomizer(entrypoint));
  return own.flatMap((rendered) => platformsIn(appliedBy(rendered)));
}
