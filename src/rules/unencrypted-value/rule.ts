import { formatPath } from '../../core/object.js';
import { sopsDocuments, unencryptedIn } from '../../secrets/sops.js';
import type { Rule } from '../rule.js';

const messages = {
  readable: (field: string, by: string) =>
    `"${field}" of this SOPS file is not encrypted, though ${by} covers it: everybody who reads the repository reads it, and Flux cannot decrypt the file`,
  severalReadable: (field: string, more: number, by: string) =>
    `"${field}" and ${more} more of this SOPS file are not encrypted, though ${by} covers them: everybody who reads the repository reads them, and Flux cannot decrypt the file`,
};

export default {
  id: 'unencrypted-value',
  severity: 'error',
  summary: 'a file that SOPS has encrypted has a value that SOPS encrypts, and that is not encrypted',
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
        help: 'encrypt the file again with sops, and replace what was readable: it stays in the history of git',
        at: { file, document, path: first, part: 'value' },
      });
    }
  },
} satisfies Rule;
