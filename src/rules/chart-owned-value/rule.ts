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
    `Package "${name}" sets ${value}, which the platform chart sets itself${outcome}, so the two take it from each other`,
  setForNothing: (name: string, value: string, outcome: string, why: string) =>
    `Package "${name}" sets ${value}, which the platform chart sets itself${outcome}, and which reaches nothing: ${why}`,
  noMap: (name: string, value: string, taken: string, condition: string) =>
    `Package "${name}" sets ${value} to something other than a map, and so takes ${taken} from the platform chart${condition}`,
};

export default {
  id: 'chart-owned-value',
  compares: 'value',
  severity: 'error',
  summary: 'a Package sets a value that the platform chart sets itself, so the two take it from each other',
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
      help: whole ? helpFor(owned) : 'write a map there, with only the values that are to be tuned',
      at: { object, path: written.path, part: 'key' },
      ...(whole && !wasThere(object, written.path, base) && { remedy: remedy(object, owned) }),
      ...((owned.when || owned.dead || isGuess) && { severity: 'warning' as const }),
      assumes: [...new Set<FactName>(['variant', ...owned.assumes, ...(isGuess ? ['platformValues' as const] : [])])],
    });
  }
}

function messageOf(name: string, { component, field, path, set, when, dead }: Owned, written: FieldPath): string {
  const below = written.slice(4);
  const value = `${below.length > 0 ? formatPath(below) : 'the values'} of component "${component}"`;
  const condition = when ? ` once ${conditionWords(when)}` : '';
  if (written.length < field.length) return messages.noMap(name, value, formatPath(path), condition);
  const outcome = set === undefined || typeof set === 'object' ? condition : ` to ${JSON.stringify(set)}${condition}`;
  return dead ? messages.setForNothing(name, value, outcome, dead) : messages.setByBoth(name, value, outcome);
}

function remedy(object: RenderedObject, { field, knob, atInstall }: Owned): FixProposal {
  const { title, ...rest } = removed({ object, path: field }, false);
  return { title: knob && !atInstall ? `${title}, for ${knob} of the platform` : title, ...rest };
}

function helpFor({ knob, atInstall, why, dead }: Owned): string {
  const place = `${knob} in ${platformValuesText} of Package "${platformName}"`;
  const elsewhere = atInstall ? `remove it; ${place} decides it, at the installation only` : `set ${place} instead`;
  const instead = knob ? elsewhere : 'remove it';
  return why === undefined || dead ? instead : `${instead}: ${why}`;
}
