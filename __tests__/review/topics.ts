/** A finding by itself, as a comment is about it. */
import type { Finding } from '../../src/core/model.js';
import type { Topic } from '../../src/report/alike.js';

export const alone = (finding: Finding): Topic => ({ key: finding.fingerprint, findings: [finding] });
