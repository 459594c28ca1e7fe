/** What is said of the dry run where nobody asks for it: apart from the stage, which is loaded with it. */
import type { StageOutcome } from '../core/model.js';

export const stage = 'dry-run';

export const dryRunNotAsked: StageOutcome = { name: stage, ran: false, why: 'no cluster was given', optional: true };
