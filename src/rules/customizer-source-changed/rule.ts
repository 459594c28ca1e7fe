import { platformsIn } from '../../cluster/platform.js';
import type { FieldPath, RenderedObject } from '../../core/model.js';
import { label, lookUp } from '../../core/object.js';
import { platformValuePath } from '../../cozystack/package.js';
import type { Rule } from '../rule.js';
import { customizersPlatforms } from '../support/customizers-platform.js';

const messages = {
  moved: (object: string, setting: string) =>
    `${object} changes ${setting}: Flux deletes what the new source does not have, and may no longer apply this repository`,
};

/** Each names another tree of files. */
const settings = ['customizer.source.url', 'customizer.source.ref'];

export default {
  id: 'customizer-source-changed',
  group: 'flux',
  severity: 'warning',
  summary: 'the customizer is pointed at another repository or revision, so this repository may no longer be applied',
  messages,
  needsBase: true,
  check(context) {
    const { base, report } = context;
    const [before] = base ? platformsIn(base.applied) : [];
    if (!before) return;
    for (const object of customizersPlatforms(context)) {
      const setting = settings.find((name) => isChanged(platformValuePath(name), before, object));
      if (setting === undefined) continue;
      report({
        message: messages.moved(label(object.ref), setting),
        help: 'first make sure that the new source has the same objects',
        at: { object, path: platformValuePath(setting) },
      });
    }
  },
} satisfies Rule;

/** What was not written before may have been in the cluster all the same. */
function isChanged(path: FieldPath, before: RenderedObject, after: RenderedObject): boolean {
  const [old, now] = [lookUp(before.value, path), lookUp(after.value, path)];
  return old !== undefined && now !== undefined && JSON.stringify(old) !== JSON.stringify(now);
}
