import { formatPath } from '../../core/object.js';
import { sopsDocuments, unencryptedIn } from '../../secrets/sops.js';
import type { Rule } from '../rule.js';

const messages = {
  readable: (field: string, by: string) =>
    `${field} is not encrypted in this SOPS file, although ${by} covers it; it is readable, and Flux cannot decrypt the file`,
  severalReadable: (field: string, more: number, by: string) =>
    `${field} and ${more} more are not encrypted in this SOPS file, although ${by} covers them; they are readable, and Flux cannot decrypt the file`,
};

export default {
  id: 'unencrypted-value',
  group: 'secrets',
  severity: 'error',
  summary: 'a SOPS file has a value that is not encrypted, although its settings cover it',
  messages,
  check({ tree, report, notChecked }) {
    for (const one of sopsDocuments(tree)) {
      const found = unencryptedIn(one);
      if (!found) {
        notChecked('files of SOPS', 'their settings are patterns that only SOPS can match');
        continue;
      }
      const {
        by,
        paths: [first, ...others],
      } = found;
      if (!first) continue;
      const { file, document } = one;
      const field = formatPath(first);
      report({
        message: others.length > 0 ? messages.severalReadable(field, others.length, by) : messages.readable(field, by),
        help: 'encrypt the file again with sops, and replace the readable values, which stay in the history of git',
        at: { file, document, path: first, part: 'value' },
      });
    }
  },
} satisfies Rule;
