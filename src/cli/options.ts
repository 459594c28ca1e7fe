/** The one table of commands and options: what is parsed, what `--help` says, and what the README lists. */
import { formats } from '../report/formats.js';

/** `value` stands for what is to be written behind the option; without it the option is a switch. */
export type Option = { type: 'string' | 'boolean'; multiple?: true; short?: string; value?: string; help: string };

const levels = ['error', 'warning', 'notice', 'never'] as const;
const live = 'objects as the cluster has them: kubectl get packages -o yaml --show-managed-fields';
const textOrJson = ['text', 'json'] as const;
const before = 'what is in the cluster already; without it the platform alone';

export const options = {
  path: {
    type: 'string',
    multiple: true,
    value: 'P',
    help: 'a directory that Flux applies; may be repeated (default: found by itself)',
  },
  base: {
    type: 'string',
    value: 'REF|DIR',
    help: 'what to compare with: the last commit shared with REF, or a directory',
  },
  format: {
    type: 'string',
    multiple: true,
    value: 'F',
    help: 'text, json, sarif, github, markdown, gitlab or junit; may be repeated (default: text)',
  },
  output: { type: 'string', value: 'FILE', help: 'write the report there instead of to standard output' },
  config: { type: 'string', value: 'FILE', help: 'the configuration (default: .customizer-lint.yaml)' },
  release: { type: 'string', value: 'R', help: 'the release of Cozystack, e.g. v1.6.2' },
  'fail-on': {
    type: 'string',
    value: 'LEVEL',
    help: 'error, warning, notice or never: what makes the exit status 1 (default: error)',
  },
  'only-new': { type: 'boolean', help: 'judge by new findings alone; needs --base' },
  simulate: {
    type: 'boolean',
    help: 'also find out what Flux will do: what is refused, and what it takes or loses of what others have set',
  },
  live: {
    type: 'string',
    value: 'FILE',
    help: 'what is in the clusters, for --simulate: kubectl get packages -o yaml --show-managed-fields',
  },
  /** Of `fix` a switch; of `check` the server to ask (arguments.ts). */
  'dry-run': { type: 'boolean', help: 'write nothing' },
  'keep-cluster': { type: 'boolean', help: 'leave the cluster of kind to the next run' },
  cluster: { type: 'string', value: 'NAME', help: 'only this one, where the repository has several' },
  context: { type: 'string', value: 'NAME', help: 'the context of the kubeconfig' },
  'max-seconds': {
    type: 'string',
    value: 'N',
    help: 'what rendering may take for the whole run (default: 40); the rest is an error, not rendered',
  },
  'max-memory': {
    type: 'string',
    value: 'N',
    help: 'the MiB of memory that the process may have while it renders (default: 896)',
  },
  quiet: { type: 'boolean', short: 'q', help: 'findings only' },
  'no-color': { type: 'boolean', help: 'no colour, even on a terminal' },
  unsafe: {
    type: 'boolean',
    help: 'also what could change what something else means: look at the difference',
  },
  rule: {
    type: 'string',
    multiple: true,
    value: 'ID',
    help: 'what this rule finds, and nothing else; may be repeated',
  },
  provenance: {
    type: 'boolean',
    help: 'with the file and line behind every value; as json, with everything that is known of it',
  },
  'as-applied': {
    type: 'boolean',
    help: 'as Flux sends them to the API server, in its order: with the labels of their owner, built-in kinds converted, without what it passes over; as yaml or json',
  },
  directory: { type: 'string', short: 'C', value: 'DIR', help: 'the root of the repository' },
  installed: { type: 'boolean', short: 'i', help: 'only the Packages of the cluster, each in its variant there' },
  components: { type: 'boolean', help: 'also the components that make a HelmRelease' },
  fresh: { type: 'boolean', help: 'onto a new cluster, which has seen nothing of the repository' },
  kubeconfig: {
    type: 'string',
    value: 'FILE',
    help: 'ask the cluster for them, which is only read',
  },
  version: { type: 'boolean', short: 'V', help: 'the version' },
  help: { type: 'boolean', short: 'h', help: 'this text; of one command, where it is named' },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof options;

/** What an option is to one command, where that is not what it is to all. `accepts`: the words that it takes. */
export type OptionUse = {
  name: OptionName;
  /** As it is written, with its value. */
  label?: string;
  help?: string;
  accepts?: readonly string[];
};

export type CommandOptions = {
  /** What stands behind the name of the command; one that begins with `[DIR]` takes the root of a repository. */
  operands: string;
  summary: string;
  /** Whether it renders, within limits that can be set. */
  renders?: true;
  options: readonly (OptionName | OptionUse)[];
  /** Those that are to it what they are to the commands before. */
  shared?: readonly OptionName[];
  sharedNote?: string;
  /** What else there is to say: what it prints, its exit status. */
  notes?: string;
};

/** Of what judges a repository. */
export const judged = 'Exit status: 0 nothing at or above the threshold, 1 findings, 2 the work could not be done.';
const reportsTo = ['path', 'config', 'release', 'output'] as const;

/** In the order in which they are listed. */
export const commands = {
  check: {
    operands: '[DIR] [options]',
    summary: 'render as Flux does, check, report',
    renders: true,
    options: [
      'path',
      'base',
      { name: 'format', accepts: formats },
      'output',
      'config',
      'release',
      { name: 'fail-on', accepts: levels },
      'only-new',
      'simulate',
      'live',
      {
        name: 'dry-run',
        label: '--dry-run=SERVER',
        help: 'also ask an API server what it says, without writing anything: kind (a cluster that is made for it), kind:NAME (one that is there), envtest (etcd and kube-apiserver in KUBEBUILDER_ASSETS) or the path of a kubeconfig',
      },
      'keep-cluster',
      { name: 'cluster', help: 'which one to ask about, where the repository has several' },
      'context',
      {
        name: 'max-seconds',
        help: `${options['max-seconds'].help}; with --max-memory also of every other command that renders`,
      },
      'max-memory',
      'quiet',
      'no-color',
    ],
    notes: judged,
  },
  fix: {
    operands: '[DIR] [options]',
    summary: 'edit what can be corrected, show it, check again',
    renders: true,
    options: ['unsafe', 'dry-run', 'rule', { name: 'fail-on', accepts: levels }],
    shared: ['path', 'base', 'config', 'release', 'only-new', 'quiet', 'no-color'],
    notes: judged,
  },
  diff: {
    operands: '[DIR] [options]',
    summary: 'what a merge does in the cluster: fields, their owners, what is deleted',
    renders: true,
    options: [
      { name: 'base', help: before },
      { name: 'live', help: live },
      'fresh',
      { name: 'format', help: 'text (default), json or markdown', accepts: ['text', 'json', 'markdown'] },
      'cluster',
    ],
    shared: [...reportsTo, 'no-color'],
    notes: 'Exit status: 0 nothing changes, 1 something does, 2 the work could not be done.',
  },
  render: {
    operands: '[DIR] [options]',
    summary: 'print what Flux would apply',
    renders: true,
    options: [
      {
        name: 'format',
        help: 'yaml: exactly the bytes Flux hashes (default); json: the objects; digest: their SHA-256',
        accepts: ['yaml', 'json', 'digest'],
      },
      'provenance',
      'as-applied',
      { name: 'cluster', help: 'with --as-applied: only this one, where the repository has several' },
      { name: 'release', help: 'with --as-applied: the release of Cozystack' },
    ],
    shared: ['path', 'config', 'output'],
  },
  inventory: {
    operands: '[DIR]',
    summary: 'print what Flux would record as applied: the ids of its inventory',
    renders: true,
    options: [{ name: 'format', help: 'text (default) or json', accepts: textOrJson }],
    shared: ['path', 'config', 'output'],
  },
  audit: {
    operands: '[DIR] --live FILE|- | --kubeconfig FILE',
    summary: "who has taken which field of a cluster's Packages, and how to restore it",
    renders: true,
    options: [
      {
        name: 'live',
        label: '--live FILE|-',
        help: 'the Packages: kubectl get packages.cozystack.io -o yaml --show-managed-fields',
      },
      'kubeconfig',
      { name: 'context', help: 'of the kubeconfig another context than the current one' },
      {
        name: 'release',
        help: "the release of Cozystack; else the repository's configuration or the cluster says it",
      },
      { name: 'format', help: 'text (default) or json', accepts: textOrJson },
      { name: 'cluster', help: 'which one, where the repository has several' },
    ],
    shared: ['path', 'config', 'output', 'no-color'],
    sharedNote: 'DIR need not be a repository',
    notes: 'Exit status: 0 nothing is taken, 1 something is, or is about to be removed, 2 the work could not be done.',
  },
  explain: {
    operands: 'KIND/NAME [FIELD]…',
    summary: 'which lines made a field what it is, whose it is, what becomes of it',
    renders: true,
    options: [
      'directory',
      { name: 'base', help: before },
      { name: 'live', help: live },
      { name: 'format', help: 'text (default) or json', accepts: textOrJson },
      'cluster',
    ],
    shared: reportsTo,
    notes:
      'Of each field: whose it is by contract, who manages it before and after, what applying it does, and, of the fields that are named, what taking them out again does.\nExit status: 0 done, 2 the work could not be done.',
  },
  graph: {
    operands: '[DIR] [options]',
    summary: 'draw which Package waits for which',
    renders: true,
    options: [
      { name: 'format', help: 'dot (default), mermaid or json', accepts: ['dot', 'mermaid', 'json'] },
      'installed',
      'components',
      { name: 'cluster', help: 'which one, where the repository has several' },
    ],
    shared: reportsTo,
  },
  rules: {
    operands: '[ID]',
    summary: 'print the table of rules, or the page of one',
    options: [
      {
        name: 'format',
        help: 'text, json, or schema: the JSON Schema of the configuration',
        accepts: ['text', 'json', 'schema'],
      },
    ],
  },
  snapshot: {
    operands: 'FILE|-',
    summary: 'make a snapshot of a cluster out of what kubectl prints',
    options: [{ name: 'output', help: 'write the snapshot there instead of to standard output' }],
  },
} as const satisfies Record<string, CommandOptions>;

export type CommandName = keyof typeof commands;
