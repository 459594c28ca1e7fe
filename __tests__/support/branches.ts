/** A git repository with branches that tests write commit by commit, and pull requests of them as GitHub starts the action. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitIn } from './history.js';
import type { Event } from './runner.js';
import { createRepo, removeRepo } from './trees.js';

/** Files with their new content; null removes one. */
export type Changes = { [path: string]: string | null };

export class Branches {
  readonly folder = createRepo({});
  readonly git = gitIn(this.folder);

  constructor(files: Changes) {
    this.git('init', '-q', '-b', 'main');
    this.commit(files);
  }

  close(): void {
    removeRepo(this.folder);
  }

  /** Commits the changes to the branch that is checked out. */
  commit(changes: Changes): string {
    for (const [path, content] of Object.entries(changes)) {
      const file = join(this.folder, path);
      rmSync(file, { recursive: true, force: true });
      if (content === null) continue;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', 'x');
    return this.tip('HEAD');
  }

  /** Starts a branch at a commit and commits the changes to it. */
  branch(name: string, from: string, changes: Changes): string {
    this.git('checkout', '-q', '-b', name, from);
    return this.commit(changes);
  }

  /** Commits the changes to a branch that exists. */
  on(name: string, changes: Changes): string {
    this.git('checkout', '-q', name);
    return this.commit(changes);
  }

  /** Merges a commit into a branch; `changes` are what the author makes of the merge. */
  merge(name: string, other: string, changes: Changes = {}): string {
    this.git('checkout', '-q', name);
    this.git('merge', '-q', '--no-ff', '--no-commit', '-s', 'ours', other);
    return this.commit(changes);
  }

  tip(name: string): string {
    return this.git('rev-parse', name);
  }

  /** Checks out the merge of a branch into another, as GitHub makes it, and returns its name. */
  checkOutMerge(head: string, base = 'main'): string {
    const [tree = ''] = this.git('merge-tree', '--write-tree', base, head).split('\n');
    const merge = this.git('commit-tree', tree, '-m', 'x', '-p', this.tip(base), '-p', this.tip(head));
    this.git('checkout', '-q', '--detach', merge);
    return merge;
  }

  /** The event of a pull request; `from` is the repository of its head. */
  event(head: string, base = 'main', { from = 'o/r', name = 'pull_request', more = {} } = {}): Event {
    const end = (branch: string, repository: string) => ({
      sha: this.tip(branch),
      ref: branch,
      repo: { full_name: repository },
    });
    return { name, payload: { pull_request: { number: 1, base: end(base, 'o/r'), head: end(head, from) }, ...more } };
  }
}
