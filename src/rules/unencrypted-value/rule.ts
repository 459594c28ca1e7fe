import { formatPath } from '../../core/object.js';
import { sopsDocuments, unencryptedIn } from '../../secrets/sops.js';
import type { Rule } from '../rule.js';

export default {
  id: 'unencrypted-value',
  severity: 'error',
  summary: 'a file that SOPS has encrypted has a value that SOPS encrypts, and that is not encrypted',
  check({ tree, report, notChecked }) {
    for (const one of sopsDocuments(tree)) {
      const found = unencryptedIn(one);
      if (!found) notChecked('files of SOPS', 'their settings are patterns that only SOPS can match');
      const { by, paths: [first, ...others] = [] } = found ?? {};
      if (!first) continue;
      const { file, document } = one;
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      report({
        message: `"${formatPath(first)}"${more} of this SOPS file ${others.length > 0 ? 'are' : 'is'} not encrypted, though ${by} ${others.length > 0 ? 'covers them' : 'covers it'}: everybody who reads the repository reads ${others.length > 0 ? 'them' : 'it'}, and Flux cannot decrypt the file`,
        help: 'encrypt the file again with sops, and replace what was readable: it stays in the history of git',
        at: { file, document, path: first, part: 'value' },
      });
    }
  },
} satisfies Rule;
