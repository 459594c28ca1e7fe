/** The one table of commands and options: what is parsed, what `--help` and the manual page say, and what the README lists. */
import { engineChoices } from '../engine/host/installed.js';
import { formats } from '../report/formats.js';

/** `value` stands for what is to be written behind the option; without it the option is a switch. */
export type Option = {
  type: 'string' | 'boolean';
  multiple?: true;
  short?: string;
  value?: string;
  /** The words that it takes of every command. */
  accepts?: readonly string[];
  help: string;
};

const levels = ['error', 'warning', 'notice', 'never'] as const;
const live = 'objects as the cluster has them: kubectl get packages -o yaml --show-managed-fields';
const textOrJson = ['text', 'json'] as const;
const before = 'what the cluster has already; without it, what the platform makes';

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
    help: 'text, concise, json, sarif, github, markdown, gitlab or junit (default: text); F=FILE writes it to a file, and may be repeated',
  },
  output: { type: 'string', value: 'FILE', help: 'write the report there instead of to standard output' },
  config: { type: 'string', value: 'FILE', help: 'the configuration (default: .customizer-lint.yaml)' },
  release: { type: 'string', value: 'R', help: 'the release of Cozystack, e.g. v1.6.2' },
  'fail-on': {
    type: 'string',
    value: 'LEVEL',
    help: 'error, warning, notice or never: what makes the exit status 1 (default: error)',
  },
  'only-new': { type: 'boolean', help: 'only new findings decide the exit status; needs --base' },
  fork: {
    type: 'boolean',
    help: 'judge the change as one of a fork: by the policy of --base alone, and what needs a maintainer is an error',
  },
  baseline: {
    type: 'string',
    value: 'FILE',
    help: 'do not count the findings that FILE lists; a finding with another value is new',
  },
  'write-baseline': { type: 'boolean', help: 'write all findings to the file of --baseline, or of the configuration' },
  select: {
    type: 'string',
    multiple: true,
    value: 'ID',
    help: 'report only what these rules, or groups of rules, find; a list with commas, or repeated',
  },
  ignore: {
    type: 'string',
    multiple: true,
    value: 'ID',
    help: 'do not report what these rules, or groups of rules, find; a list with commas, or repeated',
  },
  severity: {
    type: 'string',
    multiple: true,
    value: 'ID=LEVEL',
    help: 'report what a rule finds as error, warning or notice; may be repeated',
  },
  statistics: { type: 'boolean', help: 'how many findings each rule has, instead of the findings' },
  simulate: {
    type: 'boolean',
    help: 'also find out what Flux will do: what is refused, and what it takes or loses of what others have set',
  },
  charts: {
    type: 'string',
    value: 'CHARTS',
    help: 'the charts of the release, to render what the values of Packages make: a folder with its packages/, an archive of it (.tar, .tar.gz, .tgz), an OCI layout, or the name of a release that charts pull has pulled',
  },
  package: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'with --charts: only what this Package makes; may be repeated',
  },
  registry: {
    type: 'string',
    value: 'HOST[/PREFIX]',
    help: 'a mirror of the registry, with its port and what it puts before the name of a repository',
  },
  'allow-host': {
    type: 'string',
    multiple: true,
    value: 'HOST',
    help: 'another host from which the registry has its downloads or tokens; may be repeated (default: the registry itself, and of ghcr.io pkg-containers.githubusercontent.com)',
  },
  'allow-private': {
    type: 'boolean',
    help: 'also a registry on a loopback or private address, there also by http://',
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
  engine: {
    type: 'string',
    value: 'E',
    accepts: engineChoices,
    help: 'what renders and validates: wasm (the modules), native (programs, if their package is installed), or auto: native where they can be locked in, else wasm (default: auto)',
  },
  watch: { type: 'boolean', short: 'w', help: 'check again whenever a file changes, until Ctrl+C' },
  quiet: { type: 'boolean', short: 'q', help: 'findings only' },
  verbose: { type: 'boolean', short: 'v', help: 'all that was assumed, ignored and not checked' },
  color: {
    type: 'string',
    value: 'WHEN',
    accepts: ['auto', 'always', 'never'],
    help: 'auto, always or never (default: auto, on a terminal; FORCE_COLOR and NO_COLOR are respected)',
  },
  'no-color': { type: 'boolean', help: 'the same as --color=never' },
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
  version: { type: 'boolean', short: 'V', help: 'print the version' },
  help: { type: 'boolean', short: 'h', help: 'print this text' },
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
  /** What stands behind the name of the command; one that begins with `[DIR` takes the root of a repository. */
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
  /** Arguments that somebody would type, with what they do. */
  examples: readonly (readonly [string, string])[];
};

/** What the program is, in a sentence. */
export const about =
  'customizer-lint checks the repository from which a Cozystack cluster is customized, before Flux applies it.';
export const withoutCommand =
  'Without a command it checks. DIR is the root of the repository; by default it is looked for from the current directory upwards.';
export const ofEvery: readonly (readonly [label: string, text: string])[] = [
  ['--help, -h', 'print the options of a command, with examples'],
  ['--version, -V', options.version.help],
];

/** Of what judges a repository. */
export const judged = 'Exit status: 0 nothing at or above the threshold, 1 findings, 2 the work could not be done.';

const reportsTo = ['path', 'config', 'release', 'output'] as const;

/** In the order in which they are listed. */
export const commands = {
  check: {
    operands: '[DIR | FILE…] [options]',
    summary: 'render as Flux does, check, report; of FILEs, only what is in them',
    renders: true,
    options: [
      'path',
      'base',
      { name: 'format', accepts: formats },
      'output',
      'config',
      'release',
      { name: 'fail-on', accepts: levels },
      'select',
      'ignore',
      'severity',
      'baseline',
      'write-baseline',
      'only-new',
      'fork',
      'simulate',
      'charts',
      'live',
      {
        name: 'dry-run',
        label: '--dry-run=SERVER',
        help: 'also send it all to an API server as a dry run, which writes nothing: kind (a cluster that is made for it), kind:NAME (one that is there), envtest (etcd and kube-apiserver in KUBEBUILDER_ASSETS) or the path of a kubeconfig',
      },
      'keep-cluster',
      { name: 'cluster', help: 'which one to ask about, where the repository has several' },
      'context',
      {
        name: 'max-seconds',
        help: `${options['max-seconds'].help}; with --max-memory also of every other command that renders`,
      },
      'max-memory',
      { name: 'engine', help: `${options.engine.help}; also of every other command that renders` },
      'watch',
      'statistics',
      'quiet',
      'verbose',
      'color',
      'no-color',
    ],
    notes: judged,
    examples: [
      ['check --base origin/main --only-new', 'what the branch adds, as the action does'],
      ['check --release v1.6.2 --format sarif=report.sarif --format text', 'a report for people and one for a server'],
    ],
  },
  fix: {
    operands: '[DIR] [options]',
    summary: 'edit what can be corrected, show it, check again',
    renders: true,
    options: ['unsafe', 'dry-run', 'rule', { name: 'fail-on', accepts: levels }],
    shared: ['path', 'base', 'config', 'release', 'only-new', 'quiet', 'verbose', 'color', 'no-color'],
    notes: judged,
    examples: [
      ['fix --dry-run', 'show what would be edited'],
      ['fix --unsafe --rule dead-patch', 'correct or remove patches that select no object'],
    ],
  },
  diff: {
    operands: '[DIR] [options]',
    summary: 'what a merge does in the cluster: fields, their owners, what is deleted',
    renders: true,
    options: [
      { name: 'base', help: before },
      { name: 'live', help: live },
      'charts',
      'fresh',
      { name: 'format', help: 'text (default), json or markdown', accepts: ['text', 'json', 'markdown'] },
      'cluster',
    ],
    shared: [...reportsTo, 'color', 'no-color'],
    notes: 'Exit status: 0 nothing changes, 1 something does, 2 the work could not be done.',
    examples: [
      ['diff --base origin/main', 'what merging the branch does'],
      ['diff --fresh', 'what a new cluster gets'],
    ],
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
      {
        name: 'charts',
        help: 'instead the objects that Helm makes of the Packages, with the line of the repository behind every value that came from it; as yaml or json, without the values of Secrets. CHARTS as for check',
      },
      'package',
      'cluster',
      { name: 'release', help: 'with --as-applied or --charts: the release of Cozystack' },
    ],
    shared: ['path', 'config', 'output'],
    examples: [
      ['render --path clusters/prod', 'what Flux builds of one directory'],
      ['render --charts v1.6.2 | kube-linter lint /dev/stdin', 'what comes of the Packages, for another tool'],
    ],
  },
  inventory: {
    operands: '[DIR]',
    summary: 'print what Flux would record as applied: the ids of its inventory',
    renders: true,
    options: [{ name: 'format', help: 'text (default) or json', accepts: textOrJson }, 'cluster'],
    shared: ['path', 'config', 'output'],
    examples: [
      ['inventory', 'every object that Flux would record'],
      ['inventory --path clusters/prod --format json', 'of one directory, for a program'],
    ],
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
    shared: ['path', 'config', 'output', 'color', 'no-color'],
    sharedNote: 'DIR need not be a repository',
    examples: [
      ['audit --kubeconfig ~/.kube/config', 'ask the cluster, which is only read'],
      ['audit --live packages.yaml --format json', 'read what kubectl printed'],
    ],
    notes: 'Exit status: 0 nothing is taken, 1 something is, or is about to be removed, 2 the work could not be done.',
  },
  explain: {
    operands: 'KIND/NAME [FIELD]…',
    summary: 'which lines set a field, who owns it, and what applying or removing it does',
    renders: true,
    examples: [
      ['explain Package/cozystack.metallb', 'what is unexpected about an object'],
      ['explain Package/cozystack.metallb spec.variant', 'one field of it'],
    ],
    options: [
      'directory',
      { name: 'base', help: before },
      { name: 'live', help: live },
      {
        name: 'charts',
        help: 'also of which objects of its chart a value decides, and whose pods restart when it changes. CHARTS as for check',
      },
      { name: 'format', help: 'text (default) or json', accepts: textOrJson },
      'cluster',
    ],
    shared: reportsTo,
    notes:
      'Of each field: its owner by contract, its field managers before and after, what applying it does, and, of the fields that are named, what removing them does.\nExit status: 0 done, 2 the work could not be done.',
  },
  graph: {
    operands: '[DIR] [options]',
    summary: 'draw which Package waits for which',
    renders: true,
    examples: [
      ['graph | dot -Tsvg > packages.svg', 'a picture, with Graphviz'],
      ['graph --installed --format mermaid', 'the Packages of the cluster, for Markdown'],
    ],
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
    examples: [
      ['rules dead-patch', 'why it matters, an example, when to ignore it'],
      ['rules --format json', 'all of them, for a program'],
    ],
  },
  snapshot: {
    operands: 'FILE|-',
    summary: 'make a snapshot of a cluster out of what kubectl prints',
    options: [{ name: 'output', help: 'write the snapshot there instead of to standard output' }],
    examples: [
      ['snapshot live.yaml --output clusters/prod.snapshot.yaml', 'of a file'],
      ['snapshot - < live.yaml', 'of standard input'],
    ],
  },
  charts: {
    operands: 'pull RELEASE|oci://HOST/REPOSITORY@DIGEST',
    summary: 'pull the charts of a release from its registry, for --charts',
    options: [
      { name: 'output', label: '--output DIR', help: 'write the OCI layout there instead of into the cache' },
      'registry',
      'allow-host',
      'allow-private',
      { name: 'max-seconds', help: 'what all of it may take (default: 300)' },
      'quiet',
    ],
    notes:
      'It prints the directory in which they are. Nothing else of this program fetches charts. The digest of a release is part of the program, and what is pulled is compared with it.\nCredentials are those of auths in config.json of DOCKER_CONFIG or ~/.docker, or in the variable DOCKER_AUTH_CONFIG; no credential helper is started.\nExit status: 0 they are there, 2 the work could not be done.',
    examples: [
      ['charts pull v1.6.2', 'into the cache, where --charts v1.6.2 finds them'],
      [
        'charts pull v1.6.2 --registry registry.example.org/ghcr --output charts',
        'from a mirror, to carry to another machine',
      ],
    ],
  },
  completion: {
    operands: 'bash|zsh|fish',
    summary: 'print what completes commands and options in a shell',
    options: [],
    examples: [
      ['completion bash > /etc/bash_completion.d/customizer-lint', 'for all users'],
      ['completion fish | source', 'for this shell'],
    ],
  },
} as const satisfies Record<string, CommandOptions>;

export type CommandName = keyof typeof commands;
