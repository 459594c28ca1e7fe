import { groupOf, label, lookUp } from '../../core/object.js';
import type { Rule } from '../rule.js';
import { isSuspended } from '../support/helm-release.js';

const group = 'source.toolkit.fluxcd.io';
const type = ['spec', 'type'];
const url = ['spec', 'url'];

const messages = {
  untyped: (object: string) => `${object} has an oci:// URL without type: oci, so Flux refuses it and fetches no chart`,
  notOci: (object: string) => `${object} has type: oci without an oci:// URL, so Flux fetches no chart`,
};

export default {
  id: 'mismatched-repository-type',
  group: 'schema',
  compares: 'value',
  severity: 'error',
  summary: 'a HelmRepository has an oci:// URL without type: oci, or the type without the URL',
  messages,
  check({ objects, report }) {
    for (const object of objects) {
      const { kind, apiVersion } = object.ref;
      const address = lookUp(object.value, url);
      if (kind !== 'HelmRepository' || groupOf(apiVersion) !== group || typeof address !== 'string') continue;
      // One that is suspended on purpose fetches nothing either way.
      if (isSuspended(object)) continue;
      const isOci = address.startsWith('oci://');
      const isTyped = lookUp(object.value, type) === 'oci';
      if (isOci && !isTyped) {
        const isSet = lookUp(object.value, type) !== undefined;
        report({
          message: messages.untyped(label(object.ref)),
          help: 'set spec.type: oci',
          at: { object, path: isSet ? type : url },
          remedy: {
            title: 'set spec.type: oci',
            safe: true,
            changes: [{ do: isSet ? 'set' : 'add', at: { object, path: type }, value: 'oci' }],
          },
        });
      }
      if (isTyped && !isOci)
        report({
          message: messages.notOci(label(object.ref)),
          help: 'use an oci:// URL, or remove spec.type if the repository has an index',
          at: { object, path: url },
        });
    }
  },
} satisfies Rule;
