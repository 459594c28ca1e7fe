import { type Owned, ownedIn, reached } from '../../cluster/owned-values.js';
import { isLeftToRepository } from '../../cluster/platform.js';
import type { FactName, FixProposal, RenderedObject } from '../../core/model.js';
import { formatPath } from '../../core/object.js';
import { removed } from '../../core/remedies.js';
import { platformName } from '../../cozystack/catalog.js';
import { conditionWords } from '../../cozystack/ownership.js';
import { isPackage, platformValuesText } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule } from '../rule.js';
import { wasThere } from '../support/before.js';

export default {
  id: 'chart-owned-value',
  compares: 'value',
  severity: 'error',
  summary: 'a Package sets a value that the platform chart sets itself, so the two take it from each other',
  check(context) {
    const { objects, base, report } = context;
    for (const object of objects) {
      const { name } = object.ref;
      if (!isPackage(object) || !isApplied(object) || isLeftToRepository(name, context)) continue;
      const replaced = new Set<string>();
      for (const owned of ownedIn(name, context.known)) {
        const written = reached(object.value, owned.field);
        if (!written) continue;
        const whole = written.path.length === owned.field.length;
        if (whole && owned.isEqual(written.value)) continue;
        // Many values of the chart may hang below what is replaced.
        if (!whole && replaced.has(formatPath(written.path))) continue;
        replaced.add(formatPath(written.path));
        // Without the platform's own value, what is written may be the same.
        const isGuess = whole && !owned.dead && !owned.isSure;
        report({
          message: `Package "${name}" sets ${subject(owned, written.path.length)}${outcome(owned, whole)}`,
          help: whole ? helpFor(owned) : 'write a map there, with only the values that are to be tuned',
          at: { object, path: written.path, part: 'key' },
          ...(whole && !wasThere(object, written.path, base) && { remedy: remedy(object, owned) }),
          ...((owned.when || owned.dead || isGuess) && { severity: 'warning' as const }),
          assumes: [
            ...new Set<FactName>(['variant', ...owned.assumes, ...(isGuess ? ['platformValues' as const] : [])]),
          ],
        });
      }
    }
  },
} satisfies Rule;

function subject({ component, field }: Owned, depth: number): string {
  const below = field.slice(4, depth);
  const value = below.length > 0 ? formatPath(below) : 'the values';
  return `${value} of component "${component}"${depth === field.length ? '' : ' to something other than a map'}`;
}

function outcome({ set, when, path, dead }: Owned, whole: boolean): string {
  const value = set === undefined || typeof set === 'object' ? '' : ` to ${JSON.stringify(set)}`;
  const condition = when ? ` once ${conditionWords(when)}` : '';
  if (!whole) return `, and so takes ${formatPath(path)} from the platform chart${condition}`;
  const owner = `, which the platform chart sets itself${value}${condition}`;
  return dead ? `${owner}, and which reaches nothing: ${dead}` : `${owner}, so the two take it from each other`;
}

function remedy(object: RenderedObject, { field, knob }: Owned): FixProposal {
  const { title, ...rest } = removed({ object, path: field }, false);
  return { title: knob ? `${title}, for ${knob} of the platform` : title, ...rest };
}

function helpFor({ knob, why, dead }: Owned): string {
  const instead = knob ? `set ${knob} in ${platformValuesText} of Package "${platformName}" instead` : 'remove it';
  return why === undefined || dead ? instead : `${instead}: ${why}`;
}
