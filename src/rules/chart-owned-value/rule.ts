import { type Owned, ownedIn, reached } from '../../cluster/owned-values.js';
import { isLeftToRepository } from '../../cluster/platform.js';
import type { FactName, FieldPath, FixProposal, RenderedObject } from '../../core/model.js';
import { formatPath } from '../../core/object.js';
import { removed } from '../../core/remedies.js';
import { platformName } from '../../cozystack/catalog.js';
import { conditionWords } from '../../cozystack/ownership.js';
import { isPackage, platformValuesText } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';
import { wasThere } from '../support/before.js';

const messages = {
  setByBoth: (name: string, value: string, outcome: string) =>
    `Package "${name}" sets ${value}, which the platform chart sets${outcome}; the two overwrite each other`,
  setByBothOnce: (name: string, value: string, condition: string) =>
    `Package "${name}" sets ${value}, which the platform chart also sets${condition}`,
  setForNothing: (name: string, value: string, condition: string, why: string) =>
    `Package "${name}" sets ${value}, which the platform chart sets${condition}; it has no effect: ${why}`,
  noMap: (name: string, value: string, taken: string, condition: string) =>
    `Package "${name}" sets ${value}, not to a map; that overwrites ${taken} of the platform chart${condition}`,
};

export default {
  id: 'chart-owned-value',
  group: 'ownership',
  compares: 'value',
  severity: 'error',
  summary: 'a Package sets a value that the platform chart sets, so the two overwrite each other',
  messages,
  check(context) {
    for (const object of context.objects.filter(isPackage).filter(isApplied))
      if (!isLeftToRepository(object.ref.name, context)) judge(object, context);
  },
} satisfies Rule;

function judge(object: RenderedObject, { base, report, known }: RuleContext): void {
  const replaced = new Set<string>();
  for (const owned of ownedIn(object.ref.name, known)) {
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
      message: messageOf(object.ref.name, owned, written.path),
      help: whole ? helpFor(owned) : 'set a map, with only the values to change',
      at: { object, path: written.path, part: 'key' },
      ...(whole && !wasThere(object, written.path, base) && { remedy: remedy(object, owned) }),
      ...((owned.when || owned.dead || isGuess) && { severity: 'warning' as const }),
      assumes: [...new Set<FactName>(['variant', ...owned.assumes, ...(isGuess ? ['platformValues' as const] : [])])],
    });
  }
}

function messageOf(name: string, { component, field, path, set, when, dead }: Owned, written: FieldPath): string {
  const below = written.slice(4);
  const value = `${below.length > 0 ? formatPath(below) : 'the values'} of "${component}"`;
  const condition = when ? ` once ${conditionWords(when)}` : '';
  if (written.length < field.length) return messages.noMap(name, value, formatPath(path), condition);
  if (dead) return messages.setForNothing(name, value, condition, dead);
  if (when) return messages.setByBothOnce(name, value, condition);
  return messages.setByBoth(
    name,
    value,
    set === undefined || typeof set === 'object' ? '' : ` to ${JSON.stringify(set)}`,
  );
}

function remedy(object: RenderedObject, { field, knob, atInstall }: Owned): FixProposal {
  const { title, ...rest } = removed({ object, path: field }, false);
  return { title: knob && !atInstall ? `${title}, for ${knob} of the platform` : title, ...rest };
}

function helpFor({ knob, atInstall, why, dead }: Owned): string {
  const place = `${knob} in ${platformValuesText} of Package "${platformName}"`;
  const elsewhere = atInstall
    ? `remove it; only ${place} decides it, and only at installation`
    : `set ${place} instead`;
  const instead = knob ? elsewhere : 'remove it';
  return why === undefined || dead ? instead : `${instead}; ${why}`;
}
