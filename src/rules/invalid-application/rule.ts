import { describeBlocked } from '../../cluster/blocked.js';
import type { FieldPath, RenderedObject } from '../../core/model.js';
import { formatPath, isObject, label, lookUp } from '../../core/object.js';
import { type ApplicationKind, isApplication } from '../../cozystack/application.js';
import { isUnresolved } from '../../schema/walk.js';
import type { Rule } from '../rule.js';
import { appliedIn } from '../support/applied.js';

const messages = {
  tenantName: (object: string, blocked: string) =>
    `${object}: its name must have only a-z and 0-9 and start with a letter, so Flux applies ${blocked}`,
  otherName: (object: string, blocked: string) =>
    `${object}: its name must have only a-z, 0-9 and dashes, start with a letter and not end with a dash, so Flux applies ${blocked}`,
  longName: (object: string, length: number, most: number, prefix: string, blocked: string) =>
    `${object}: its name has ${length} characters, at most ${most}${prefix && ` with Helm prefix "${prefix}"`}, so Flux applies ${blocked}`,
  longNamespace: (object: string, namespace: string, blocked: string) =>
    `${object}: its namespace would be "${namespace}", with ${namespace.length} characters, at most ${longestNamespace}, so Flux applies ${blocked}`,
  reserved: (object: string, field: string, blocked: string) =>
    `${object} sets ${field}, but keys that begin with "_" are reserved, so Flux applies ${blocked}`,
};

export default {
  id: 'invalid-application',
  group: 'values',
  severity: 'error',
  summary:
    'an application or a tenant has a name or values that the API server of Cozystack refuses, so Flux applies nothing',
  messages,
  check(context) {
    const { report, known } = context;
    for (const [object, rendered] of appliedIn(context)) {
      const kind = isApplication(object) ? known.contract.application(object.ref.kind) : undefined;
      if (!kind) continue;
      const blocked = describeBlocked(object.ref, rendered, known.permissions);
      const wrong = wrongName(object, kind, blocked);
      if (wrong) report({ ...wrong, at: { object, path: ['metadata', 'name'] } });
      for (const path of reservedIn(object)) {
        const message = messages.reserved(label(object.ref), formatPath(path), blocked);
        report({ message, help: 'remove it; the platform sets it', at: { object, path, part: 'key' } });
      }
    }
  },
} satisfies Rule;

/** Limits of Helm and of Kubernetes, as the server has them (cozystack/FACTS.md, Applications). */
const [longestRelease, longestNamespace] = [53, 63];

/** The first that the server says: it does not count the letters of a name that is wrong anyway. */
function wrongName(
  { ref }: RenderedObject,
  { prefix }: ApplicationKind,
  blocked: string,
): { message: string; help: string } | undefined {
  const { kind, name, namespace = '' } = ref;
  const what = label(ref);
  const isTenant = kind === 'Tenant';
  if (isUnresolved(name)) return undefined;
  if (isTenant && !/^[a-z][a-z0-9]*$/.test(name))
    return { message: messages.tenantName(what, blocked), help: helpFor(name, /[^a-z0-9]/g) };
  if (!/^[a-z](?:[a-z0-9-]*[a-z0-9])?$/.test(name))
    return { message: messages.otherName(what, blocked), help: helpFor(name, /[^a-z0-9-]/g) };
  const most = longestRelease - prefix.length;
  if (name.length > most)
    return { message: messages.longName(what, name.length, most, prefix, blocked), help: 'use a shorter name' };
  // Below the root tenant it is only "tenant-" and the name, which is never too long.
  const own = `${namespace}-${name}`;
  if (!isTenant || own.length <= longestNamespace || isUnresolved(namespace)) return undefined;
  return {
    message: messages.longNamespace(what, own, blocked),
    help: 'use a shorter name, or fewer tenants above it',
  };
}

/** `others`: the characters that it must not have. */
function helpFor(name: string, others: RegExp): string {
  let meant =
    name.length > longestNamespace
      ? ''
      : name
          .toLowerCase()
          .replace(others, '')
          .replace(/^[^a-z]+/, '');
  while (meant.endsWith('-')) meant = meant.slice(0, -1);
  return meant === '' ? 'use another name' : `use another name, such as "${meant}"`;
}

function reservedIn({ value }: RenderedObject): FieldPath[] {
  const values = lookUp(value, ['spec']);
  const names = isObject(values) ? Object.keys(values) : [];
  return names.filter((name) => name.startsWith('_')).map((name) => ['spec', name]);
}
