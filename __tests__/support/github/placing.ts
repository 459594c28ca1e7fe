/** Where a review comment may stand, and in which words GitHub says that it may not (facts: texts seen in issues). */
import type { Json } from './model.js';
import { Refusal } from './model.js';
import type { Anchor, State, View } from './state.js';

export type Wanted = {
  path: string;
  body?: unknown;
  position?: number;
  line?: number;
  side?: string;
  start_line?: number;
  start_side?: string;
};
export type Problem =
  | 'path'
  | 'line'
  | 'position'
  | 'side'
  | 'start line'
  | 'start order'
  | 'blank'
  | 'too long'
  | 'too many'
  | 'no words'
  | 'commit'
  | 'pending'
  | 'approval';
export type Endpoint = 'review' | 'comment';

const old: Partial<Record<Problem, string>> = {
  path: "Pull request review thread path is invalid and Pull request review thread diff hunk can't be blank",
  line: "Pull request review thread line must be part of the diff, Pull request review thread start line must be part of the same hunk as the line., and Pull request review thread diff hunk can't be blank",
};
const words: Record<Problem, string> = {
  path: 'Path could not be resolved',
  line: 'Line could not be resolved',
  position: "Pull request review thread position is invalid and Pull request review thread diff hunk can't be blank",
  side: 'Side is invalid',
  'start line': 'Pull request review thread start line must be part of the same hunk as the line.',
  'start order': 'Pull request review thread start line must precede the end line.',
  blank: "Body can't be blank",
  'too long': 'Body is too long (maximum is 65536 characters)',
  'too many': 'Comments is too long (maximum is 100)',
  'no words': "Body can't be blank",
  commit: 'The commitOID is not part of the pull request',
  pending: 'User can only have one pending review per pull request',
  approval: 'GitHub Actions is not permitted to approve pull requests.',
};
const fields: Record<Problem, [field: string, message: string]> = {
  path: ['pull_request_review_thread.path', 'could not be resolved'],
  line: ['pull_request_review_thread.line', 'could not be resolved'],
  position: ['pull_request_review_thread.position', 'is invalid'],
  side: ['pull_request_review_thread.side', 'is invalid'],
  'start line': ['pull_request_review_thread.start_line', 'must be part of the same hunk as the line.'],
  'start order': ['pull_request_review_thread.start_line', 'must precede the end line.'],
  blank: ['body', "can't be blank"],
  'too long': ['data', 'Body is too long (maximum is 65536 characters)'],
  'too many': ['comments', 'is too long'],
  'no words': ['body', "can't be blank"],
  commit: ['commit_id', 'commit_id is not part of the pull request'],
  pending: ['user_id', 'can only have one pending review per pull request'],
  approval: ['event', 'GitHub Actions is not permitted to approve pull requests.'],
};
const oldMessages: Partial<Record<Problem, string>> = {
  path: 'pull_request_review_thread.path is invalid',
  line: 'pull_request_review_thread.line must be part of the diff',
};

/** The 422: all of what is wrong, and not with which comment. */
export function refuse(state: State, endpoint: Endpoint, problems: Problem[]): Refusal {
  const { wording } = state.options;
  const form = state.options.errors ?? (endpoint === 'review' ? 'words' : 'objects');
  const different = [...new Set(problems)];
  if (form === 'words') {
    const text = (problem: Problem) => (wording === 'old' && old[problem]) || words[problem];
    return new Refusal(422, 'Unprocessable Entity', [...new Set(different.map(text))]);
  }
  const resource = endpoint === 'review' ? 'PullRequestReview' : 'PullRequestReviewComment';
  const object = (problem: Problem): Json => {
    const [field, message] = fields[problem];
    if (problem === 'too long') return { resource: 'IssueComment', code: 'unprocessable', field, message };
    const said = (wording === 'old' && oldMessages[problem]) || message;
    return { resource, code: 'custom', field, message: said };
  };
  return new Refusal(422, 'Validation Failed', different.map(object));
}

export function bodyProblem(state: State, body: unknown): Problem | undefined {
  if (typeof body !== 'string' || body.trim() === '') return 'blank';
  return tooLong(state, body) ? 'too long' : undefined;
}

export function tooLong(state: State, body: string): boolean {
  return body.length > state.options.limits.body && [...body].length > state.options.limits.body;
}

/** Finds the lines that a comment is wanted for. */
export function place(state: State, view: View, wanted: Wanted): Anchor | Problem {
  const file = view.files.get(wanted.path);
  if (!file) return 'path';
  const lines = state.linesOf(file);
  if (wanted.line === undefined) {
    const found = wanted.position === undefined ? undefined : lines.at(wanted.position);
    return found ? { path: wanted.path, ...found, startLine: null, startSide: null } : 'position';
  }
  const { line, start_line: startLine } = wanted;
  const side = wanted.side ?? 'RIGHT';
  const startSide = wanted.start_side ?? side;
  if (!isSide(side) || !isSide(startSide)) return 'side';
  const end = lines.find(side, line);
  if (!end) return 'line';
  if (startLine === undefined) return { path: wanted.path, side, line, startLine: null, startSide: null };
  if (side === startSide && startLine >= line) return 'start order';
  const start = lines.find(startSide, startLine);
  if (!start || start.hunk !== end.hunk) return 'start line';
  if (start.position >= end.position) return 'start order';
  return { path: wanted.path, side, line, startLine, startSide };
}

function isSide(side: string): side is 'LEFT' | 'RIGHT' {
  return side === 'LEFT' || side === 'RIGHT';
}
