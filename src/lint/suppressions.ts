/** Findings that somebody accepted: `# customizer-lint ignore RULE -- reason` beside the line, or `ignores` in the configuration. */
import { Minimatch } from 'minimatch';
import { CST, Lexer } from 'yaml';
import type { Config, ConfiguredIgnore } from '../config/config.js';
import type { Finding, Ignored, ObjectRef, Place, Problem, Tree } from '../core/model.js';
import { depthExceeds, maxDepth } from '../yaml/syntax.js';
import { mayHoldIgnore, readIgnore } from './ignore-comment.js';

/** One ignore as written, and whether anything was there to be ignored. */
type Written = { rule: string; reason: string; expires?: string; at: Place; used: boolean };
/** An entry of the configuration, and the findings of its rule that it is for. */
type Entry = Written & { fits(finding: Finding): boolean };

export type IgnoreOptions = {
  config: Config;
  tree: Tree;
  /** The files to look for comments in: those that were rendered, or that a finding names. */
  files: Iterable<string>;
  /** Today, as 2026-12-31. */
  today: string;
  rules: readonly string[];
  /** Rules that had no chance to report anything: an ignore of theirs is not in vain. */
  silent?: readonly string[];
  /** Whether the configuration is the one that stands in the tree, so that an entry of it can be edited there. */
  isOfTree: boolean;
  /** Says of findings, one after another, whether the baseline has them. */
  baseline?: { file: string; take(finding: Finding): boolean } | undefined;
};

/** Never ignored, as that would hide that something is ignored in vain. */
export const aboutIgnores = new Set(['unused-ignore', 'expired-ignore', 'invalid-config']);

export class Suppressions {
  readonly #written: Written[];
  /** By rule, so that a finding is held against few of them. */
  readonly #entries = new Map<string, Entry[]>();
  /** By file, line and rule. */
  readonly #comments = new Map<string, Written>();
  readonly #revision: Tree['revision'];
  readonly #problems: Problem[] = [];
  readonly #today: string;
  readonly #silent: readonly string[];
  readonly #isOfTree: boolean;
  readonly #baseline: IgnoreOptions['baseline'];

  constructor({ config, tree, files, today, rules, silent = [], isOfTree, baseline }: IgnoreOptions) {
    this.#baseline = baseline;
    this.#today = today;
    this.#silent = silent;
    this.#isOfTree = isOfTree;
    this.#revision = tree.revision;
    const known = new Set(rules);
    for (const [index, ignore] of config.ignores.entries()) {
      const entry = configured(ignore, index, config.file);
      const same = this.#entries.get(entry.rule);
      if (same) same.push(entry);
      else this.#entries.set(entry.rule, [entry]);
    }
    for (const file of files) this.#read(tree, file, known);
    this.#written = [...[...this.#entries.values()].flat(), ...this.#comments.values()];
  }

  /** Takes the findings that are ignored out; what has expired does not count any more. */
  apply(findings: readonly Finding[]): { findings: Finding[]; ignored: Ignored[] } {
    const ignored: Ignored[] = [];
    const kept = findings.filter((finding) => {
      const ignore = aboutIgnores.has(finding.rule) ? undefined : this.#ignoreOf(finding);
      if (ignore) ignore.used = true;
      if (!ignore) return this.#stays(finding, ignored);
      if (this.#expired(ignore)) {
        // Without it the ignore would hide nothing, so that has to go first.
        delete finding.fix;
        delete finding.heldBack;
        return true;
      }
      const { reason, expires } = ignore;
      ignored.push({ finding, reason, ...(expires && { expires }) });
      return false;
    });
    return { findings: kept, ignored };
  }

  /** Whether it stays, as the baseline does not have it. */
  #stays(finding: Finding, ignored: Ignored[]): boolean {
    if (!this.#baseline || aboutIgnores.has(finding.rule) || !this.#baseline.take(finding)) return true;
    ignored.push({ finding, reason: `in the baseline ${this.#baseline.file}`, isOfBaseline: true });
    return false;
  }

  /** An entry of the configuration before a comment, the comment on the line above before the one beside it. */
  #ignoreOf(finding: Finding): Written | undefined {
    const entry = this.#entries.get(finding.rule)?.find((one) => one.fits(finding));
    if (entry || finding.at.revision !== this.#revision) return entry;
    const { file, range } = finding.at;
    const comment = (line: number) => this.#comments.get(keyOf(file, line, finding.rule));
    return comment(range.start.line - 1) ?? comment(range.start.line);
  }

  /** What is wrong with the ignores themselves; to be asked when all findings were looked at. */
  problems(): Problem[] {
    const unused = this.#written
      .filter(({ used, rule }) => !used && !this.#silent.includes(rule))
      .map(({ rule, at }) => ({
        rule: 'unused-ignore',
        message: `"${rule}" finds nothing here, so this ignore has no effect`,
        help: 'remove it, before it hides something else',
        at,
        ...this.#remedy(at),
      }));
    const expired = this.#written
      .filter((one) => one.used && this.#expired(one))
      .map(({ rule, expires, at }) => ({
        rule: 'expired-ignore',
        message: `the ignore of "${rule}" ended on ${expires}`,
        help: 'correct what is reported, or agree on another day',
        at,
        ...this.#remedy(at),
      }));
    return [...this.#problems, ...unused, ...expired];
  }

  #expired({ expires }: Written): boolean {
    return expires !== undefined && expires < this.#today;
  }

  /** A comment goes, or an entry of the configuration. */
  #remedy(at: Place): Pick<Problem, 'remedy'> {
    const title = 'remove the ignore';
    if ('range' in at && at.range)
      return { remedy: { title, safe: true, changes: [{ do: 'cut', at: { ...at, range: at.range } }] } };
    if (!this.#isOfTree || !('path' in at) || 'object' in at) return {};
    return { remedy: { title, safe: true, changes: [{ do: 'remove', at: { ...at, path: at.path.slice(0, -1) } }] } };
  }

  #read(tree: Tree, file: string, rules: ReadonlySet<string>): void {
    const text = tree.text(file);
    if (text === undefined || !mayHoldIgnore(text) || depthExceeds(text, maxDepth)) return;
    for (const { comment, line, column } of commentsOf(text)) {
      const ignore = readIgnore(comment, rules);
      if (ignore === undefined) continue;
      const range = { start: { line, column }, end: { line, column: column + comment.length } };
      const at = { revision: tree.revision, file, range };
      if ('message' in ignore) this.#problems.push({ rule: 'invalid-config', ...ignore, at });
      else this.#comments.set(keyOf(file, line, ignore.rule), { ...ignore, at, used: false });
    }
  }
}

function keyOf(file: string, line: number, rule: string): string {
  return JSON.stringify([file, line, rule]);
}

function configured({ rule, paths, object, reason, expires }: ConfiguredIgnore, index: number, file: string): Entry {
  const globs = paths?.map((glob) => new Minimatch(glob, { dot: true }));
  const fits = (finding: Finding) =>
    (!globs || globs.some((glob) => glob.match(finding.at.file))) &&
    (!object || (finding.object !== undefined && isNamed(finding.object, object)));
  const at: Place = { file, document: 0, path: ['ignores', index, 'rule'], part: 'value' };
  return { rule, reason, ...(expires && { expires }), at, fits, used: false };
}

/** `Package/cozystack.metallb`, `NetworkPolicy/portal/deny`. */
function isNamed({ kind, namespace, name }: ObjectRef, words: string): boolean {
  return words === `${kind}/${name}` || words === `${kind}/${namespace ?? ''}/${name}`;
}

/**
 * The comments of a YAML file, as the language has them: a `#` in a block scalar or a string is none. Positions from 1, in
 * UTF-16 units.
 */
export function commentsOf(text: string): { comment: string; line: number; column: number }[] {
  const comments: { comment: string; line: number; column: number }[] = [];
  // No YAML may hold these characters, and here they could not be told from the lexer's own.
  if (marks.some((mark) => text.includes(mark))) return comments;
  let line = 1;
  let column = 1;
  // The lexer puts a mark before every plain and block scalar, which may begin with `#` at the root of a document.
  let before = '';
  for (const token of new Lexer().lex(text)) {
    const mark = before;
    before = token;
    if (isMark(token)) continue;
    if (token.startsWith('#') && !isMark(mark)) comments.push({ comment: token, line, column });
    const lines = token.split('\n');
    line += lines.length - 1;
    column = lines.length > 1 ? (lines.at(-1) as string).length + 1 : column + token.length;
  }
  return comments;
}

/** Tokens of no width: the begin of a document, the end of a flow collection, the begin of a scalar. */
const marks: readonly string[] = [CST.DOCUMENT, CST.FLOW_END, CST.SCALAR];

function isMark(token: string): boolean {
  return marks.includes(token);
}
