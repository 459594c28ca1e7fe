import type { Run, Severity, ShownRevision } from '../core/model.js';

export type ReportOptions = {
  color: boolean;
  /** Findings only, without the closing words. */
  quiet: boolean;
  /** A line for each finding, as `concise` has it. */
  lines?: boolean;
  /** All that was assumed, ignored and not checked, instead of three lines. */
  verbose?: boolean;
  /** What is known of the rules; `url` is that of the page. */
  rules?: { id: string; group: string; summary: string; severity: Severity; url: string }[];
  /** Whether the terminal shows links: the id of a rule leads to its page. */
  links?: boolean;
  /** What tells this report from others of the same commit, for code scanning; whoever uploads it names one otherwise. */
  category?: string;
  /** Columns that a line of code may take, with its gutter. */
  width?: number;
  /** Fingerprints of the findings that a review comment shows: they need no annotation. */
  shown?: ReadonlySet<string>;
  /** Whether only new findings count: the others are no annotations. */
  onlyNew?: boolean;
  /** Where the files of a side can be read, as a URL that ends with a slash. */
  files?: Partial<Record<ShownRevision, string>>;
  /** Annotations of one level that GitHub shows for a step; 10 unless given. */
  annotationLimit?: number;
};

/** Has no side effects; what it returns ends with a line break, or is empty. */
export type Reporter = (run: Run, options: ReportOptions) => string;
