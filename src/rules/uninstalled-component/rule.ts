import { isEmittedByPlatform, isPlatform } from '../../cluster/platform.js';
import type { Problem, RenderedObject } from '../../core/model.js';
import { lookUp } from '../../core/object.js';
import { isPackage } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';
import { type DisabledComponent, disabledComponents } from '../support/disabled-components.js';
import { isThereBefore } from '../support/there-before.js';
import { storedData } from './stored-data.js';

const messages = {
  platform: (component: string, name: string) =>
    `Component "${component}" of Package "${name}" is disabled, so the platform itself is uninstalled with all PackageSources`,
  stored: (component: string, name: string, loss: string) =>
    `Component "${component}" of Package "${name}" is disabled, so it is uninstalled, ${loss}`,
  uninstalled: (component: string, name: string) =>
    `Component "${component}" of Package "${name}" is disabled, so it is uninstalled with all that its chart created`,
};

export default {
  id: 'uninstalled-component',
  group: 'pruning',
  severity: 'warning',
  summary: 'a component of the platform is disabled, which does not pause it but uninstalls it',
  messages,
  check(context) {
    for (const object of context.objects.filter(isPackage).filter(isApplied)) {
      if (!isInstalled(object.ref.name, context)) continue;
      for (const disabled of disabledComponents(object, context)) {
        const said = !disabled.source.own && verdict(object, disabled, context);
        if (said) context.report({ ...said, at: { object, path: disabled.path } });
      }
    }
  },
} satisfies Rule;

type Verdict = Pick<Problem, 'severity' | 'message' | 'help'>;

function verdict(
  object: RenderedObject,
  { component, path, waiting }: DisabledComponent,
  { base }: RuleContext,
): Verdict | undefined {
  const { name } = object.ref;
  if (isPlatform(object))
    return { severity: 'error', message: messages.platform(component, name), help: 'remove "enabled: false"' };
  const loss = Object.hasOwn(storedData, name) ? storedData[name] : undefined;
  if (loss !== undefined)
    return {
      severity: 'error',
      message: messages.stored(component, name, loss),
      help: 'remove "enabled: false"; to uninstall it, first move or back up its data',
    };
  // What has been off for long is uninstalled already, and what others depend on is reported for them.
  const wasOff = base?.objects.some(
    (one) => isPackage(one) && one.ref.name === name && lookUp(one.value, path) === false,
  );
  if (!base || wasOff || waiting.length > 0) return undefined;
  return {
    message: messages.uninstalled(component, name),
    help: 'to keep it, remove "enabled: false"; to stop it temporarily, scale it down in its values',
  };
}

/** Whether the Package is in the cluster when the change comes: before it, where anything says so. */
function isInstalled(name: string, { base, known }: RuleContext): boolean {
  return (isThereBefore(name, { base, known }) ?? isEmittedByPlatform(name, known)) === true;
}
