/** What the REST API says about the things that the fake remembers. */
import type { Artifact, Comment, Json, Pull, RepositoryName, Review } from './model.js';
import type { DiffFile } from './repository.js';
import type { State } from './state.js';

/** Where the API and the web pages are. */
export type Addresses = { api: string; server: string };
type Shape = { [key: string]: Json | undefined };

export const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

export class Shapes {
  constructor(
    private readonly state: State,
    private readonly addresses: Addresses,
  ) {}

  private repositoryUrl({ owner, name }: RepositoryName): string {
    return `${this.addresses.api}/repos/${owner}/${name}`;
  }

  private pageUrl({ owner, name }: RepositoryName): string {
    return `${this.addresses.server}/${owner}/${name}`;
  }

  user(login: string): Shape {
    const { api, server } = this.addresses;
    const bot = login.endsWith('[bot]');
    const url = `${api}/users/${encodeURIComponent(login)}`;
    return {
      login,
      id:
        login === 'github-actions[bot]'
          ? 41898282
          : 1000 + [...login].reduce((sum, char) => sum + char.charCodeAt(0), 0),
      node_id: `U_${Buffer.from(login).toString('hex')}`,
      avatar_url: `${server}/avatars/${encodeURIComponent(login)}`,
      gravatar_id: '',
      url,
      html_url: `${server}/${bot ? `apps/${login.replace('[bot]', '')}` : login}`,
      followers_url: `${url}/followers`,
      following_url: `${url}/following{/other_user}`,
      gists_url: `${url}/gists{/gist_id}`,
      starred_url: `${url}/starred{/owner}{/repo}`,
      subscriptions_url: `${url}/subscriptions`,
      organizations_url: `${url}/orgs`,
      repos_url: `${url}/repos`,
      events_url: `${url}/events{/privacy}`,
      received_events_url: `${url}/received_events`,
      type: bot ? 'Bot' : 'User',
      site_admin: false,
    };
  }

  repository(repository: RepositoryName): Shape {
    const url = this.repositoryUrl(repository);
    const page = this.pageUrl(repository);
    const at = iso(this.state.now());
    return {
      id: repository.id,
      node_id: `R_${repository.id}`,
      name: repository.name,
      full_name: `${repository.owner}/${repository.name}`,
      owner: this.user(repository.owner),
      private: this.state.options.private,
      html_url: page,
      description: null,
      fork: repository.fork,
      url,
      ...Object.fromEntries(Object.entries(repositoryUrls).map(([name, tail]) => [name, `${url}${tail}`])),
      git_url: `git:${page.slice(page.indexOf('//'))}.git`,
      ssh_url: `git@${new URL(page).host}:${repository.owner}/${repository.name}.git`,
      clone_url: `${page}.git`,
      svn_url: page,
      homepage: null,
      mirror_url: null,
      language: null,
      license: null,
      default_branch: this.state.options.branch,
      visibility: this.state.options.private ? 'private' : 'public',
      ...Object.fromEntries(repositoryCounts.map((name) => [name, 0])),
      ...Object.fromEntries(repositoryFlags.map((name) => [name, false])),
      pushed_at: at,
      created_at: at,
      updated_at: at,
    };
  }

  pull(pull: Pull): Shape {
    const { upstream } = this.state;
    const url = `${this.repositoryUrl(upstream)}/pulls/${pull.number}`;
    const issue = `${this.repositoryUrl(upstream)}/issues/${pull.number}`;
    const page = `${this.pageUrl(upstream)}/pull/${pull.number}`;
    const statuses = `${this.repositoryUrl(upstream)}/statuses/${pull.head.sha}`;
    const links = {
      self: url,
      html: page,
      issue,
      comments: `${issue}/comments`,
      review_comments: `${url}/comments`,
      review_comment: `${this.repositoryUrl(upstream)}/pulls/comments{/number}`,
      commits: `${url}/commits`,
      statuses,
    };
    const end = (repository: RepositoryName, ref: string, sha: string) => ({
      label: `${repository.owner}:${ref}`,
      ref,
      sha,
      user: this.user(repository.owner),
      repo: this.repository(repository),
    });
    const head = pull.head.repository;
    return {
      url,
      id: pull.id,
      node_id: `PR_${pull.id}`,
      html_url: page,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      issue_url: issue,
      commits_url: links.commits,
      review_comments_url: links.review_comments,
      review_comment_url: links.review_comment,
      comments_url: links.comments,
      statuses_url: statuses,
      number: pull.number,
      state: pull.state,
      locked: false,
      title: pull.title,
      user: this.user(pull.user),
      body: null,
      labels: [],
      milestone: null,
      created_at: iso(pull.createdAt),
      updated_at: iso(pull.updatedAt),
      closed_at: pull.state === 'closed' ? iso(pull.updatedAt) : null,
      merged_at: pull.merged ? iso(pull.updatedAt) : null,
      merge_commit_sha: null,
      assignee: null,
      assignees: [],
      requested_reviewers: [],
      requested_teams: [],
      head: { ...end(head, pull.head.ref, pull.head.sha), ...(pull.head.gone && { repo: null }) },
      base: end(upstream, pull.base.ref, pull.base.sha),
      _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
      author_association: 'NONE',
      auto_merge: null,
      draft: false,
    };
  }

  /** What only the answer about one pull request says. */
  async fullPull(pull: Pull): Promise<Shape> {
    const { mergeBase, files } = await this.state.view(pull);
    const { merge } = pull;
    // Null until GitHub has merged the newest head.
    const isMade = merge?.head === pull.head.sha;
    const sum = (count: (file: DiffFile) => number) =>
      [...files.values()].reduce((total, file) => total + count(file), 0);
    return {
      ...this.pull(pull),
      merged: pull.merged,
      ...(isMade && { merge_commit_sha: merge.commit }),
      mergeable: isMade ? merge.commit !== null : null,
      rebaseable: null,
      mergeable_state: 'unknown',
      merged_by: null,
      comments: 0,
      review_comments: this.state.commentsOn(pull.number).length,
      maintainer_can_modify: false,
      commits: this.state.repository.commitsBetween(mergeBase, pull.head.sha).length,
      additions: sum((file) => file.additions),
      deletions: sum((file) => file.deletions),
      changed_files: files.size,
    };
  }

  file(file: DiffFile, commit: string): Shape {
    const path = file.path.split('/').map(encodeURIComponent).join('/');
    const page = this.pageUrl(this.state.upstream);
    return {
      sha: file.sha,
      filename: file.path,
      status: file.status,
      additions: file.additions,
      deletions: file.deletions,
      changes: file.additions + file.deletions,
      blob_url: `${page}/blob/${commit}/${path}`,
      raw_url: `${page}/raw/${commit}/${path}`,
      contents_url: `${this.repositoryUrl(this.state.upstream)}/contents/${path}?ref=${commit}`,
      ...(file.patch !== undefined && { patch: file.patch }),
      ...(file.previous !== undefined && { previous_filename: file.previous }),
    };
  }

  review(review: Review): Shape {
    const pull = `${this.repositoryUrl(this.state.upstream)}/pulls/${review.pull}`;
    const page = `${this.pageUrl(this.state.upstream)}/pull/${review.pull}#pullrequestreview-${review.id}`;
    return {
      id: review.id,
      node_id: review.nodeId,
      user: this.user(review.user),
      body: review.body,
      state: review.state,
      html_url: page,
      pull_request_url: pull,
      author_association: 'NONE',
      _links: { html: { href: page }, pull_request: { href: pull } },
      ...(review.submittedAt !== null && { submitted_at: iso(review.submittedAt) }),
      commit_id: review.commitId,
    };
  }

  comment(comment: Comment): Shape {
    const { thread } = comment;
    const repository = this.repositoryUrl(this.state.upstream);
    const url = `${repository}/pulls/comments/${comment.id}`;
    const pull = `${repository}/pulls/${thread.pull}`;
    const page = `${this.pageUrl(this.state.upstream)}/pull/${thread.pull}#discussion_r${comment.id}`;
    return {
      url,
      pull_request_review_id: comment.review.id,
      id: comment.id,
      node_id: comment.nodeId,
      diff_hunk: thread.diffHunk,
      path: thread.path,
      commit_id: thread.commitId,
      original_commit_id: thread.originalCommitId,
      user: this.user(comment.user),
      body: comment.body,
      created_at: iso(comment.createdAt),
      updated_at: iso(comment.updatedAt),
      html_url: page,
      pull_request_url: pull,
      _links: { self: { href: url }, html: { href: page }, pull_request: { href: pull } },
      author_association: 'NONE',
      start_line: thread.startLine,
      original_start_line: thread.originalStartLine,
      start_side: thread.startSide,
      line: thread.line,
      original_line: thread.originalLine,
      side: thread.side,
      position: thread.position,
      original_position: thread.originalPosition,
      subject_type: thread.subject,
      ...(comment.replyTo !== null && { in_reply_to_id: comment.replyTo }),
    };
  }

  commit(sha: string, parents: string[] = []): Shape {
    const url = `${this.repositoryUrl(this.state.upstream)}/commits/${sha}`;
    const git = `${this.repositoryUrl(this.state.upstream)}/git`;
    const who = { name: 'A', email: 'a@example.org', date: iso(this.state.now()) };
    const tree = { sha, url: `${git}/trees/${sha}` };
    return {
      url,
      sha,
      node_id: `C_${sha}`,
      html_url: `${this.pageUrl(this.state.upstream)}/commit/${sha}`,
      comments_url: `${url}/comments`,
      commit: { url: `${git}/commits/${sha}`, author: who, committer: who, message: 'x', comment_count: 0, tree },
      author: null,
      committer: null,
      parents: parents.map((parent) => ({ sha: parent, url: `${git}/commits/${parent}` })),
    };
  }

  artifact(artifact: Artifact): Shape {
    const url = `${this.repositoryUrl(this.state.upstream)}/actions/artifacts/${artifact.id}`;
    const { run } = artifact;
    return {
      id: artifact.id,
      node_id: `A_${artifact.id}`,
      name: artifact.name,
      size_in_bytes: artifact.zip.length,
      url,
      archive_download_url: `${url}/zip`,
      expired: artifact.expired,
      created_at: iso(artifact.createdAt),
      updated_at: iso(artifact.createdAt),
      expires_at: iso(artifact.createdAt + 90 * 24 * 3_600_000),
      workflow_run: {
        id: run.id,
        repository_id: this.state.upstream.id,
        head_repository_id: run.headRepository.id,
        head_branch: run.headBranch,
        head_sha: run.headSha,
      },
    };
  }
}

const repositoryCounts = [
  'forks',
  'forks_count',
  'open_issues',
  'open_issues_count',
  'size',
  'stargazers_count',
  'watchers',
  'watchers_count',
  'network_count',
  'subscribers_count',
];
const repositoryFlags = [
  'has_issues',
  'has_projects',
  'has_wiki',
  'has_pages',
  'has_discussions',
  'has_downloads',
  'archived',
  'disabled',
];
const repositoryUrls = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
};
