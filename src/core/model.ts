/**
 * The nouns. This file imports nothing, so that every stage can import it.
 *
 * Lines and columns are 1-based; columns count UTF-16 code units, as editors, GitHub and SARIF do.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** GitHub's own three words, so that no reporter has to translate. Worst first. */
export const severities = ['error', 'warning', 'notice'] as const;
export type Severity = (typeof severities)[number];

export type Position = { line: number; column: number };
/** `end` is exclusive. */
export type Range = { start: Position; end: Position };

export type Revision = 'head' | 'base';

/** A revision whose lines a report shows; `merge`: lines that only the merge of the head into its base branch has. */
export type ShownRevision = Revision | 'merge';

/** The revision of a side before findings are placed: the merge is what was judged as the head. */
export function revisionOf(side: ShownRevision): Revision {
  return side === 'base' ? 'base' : 'head';
}

/** `file` is relative to the repository's root, with forward slashes. */
export type Location = { revision: ShownRevision; file: string; range: Range };

/** How exact a location is: the very node, the nearest parent that is written, or no more than the file. */
export type Precision = 'exact' | 'parent' | 'file';

/** The way from an object's root to a node: keys of maps and indexes (from 0) of lists. */
export type FieldPath = readonly (string | number)[];

export type ObjectRef = {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
};

/** An object as kustomize renders it, in the order it prints. Read-only: clusters, rules and stages share it. */
export type RenderedObject = {
  /** In a cluster, of a kind that is in no namespace without one. */
  readonly ref: Readonly<ObjectRef>;
  readonly value: JsonObject;
  readonly revision: Revision;
  /** The path of the entrypoint that renders it. */
  readonly entrypoint: string;
  /** Where it stands in the entrypoint's output, from 0. */
  readonly index: number;
  /** The document that brought the object in; absent for a generated one. */
  readonly source?: { readonly file: string; readonly document: number };
  /** Who wrote the node at `path`, or its key, latest first; none where nobody knows. */
  writers(path: FieldPath, part: 'key' | 'value'): Writer[];
  /** The keys of the map, or the indexes of the list, at `path` in render order; undefined where that is not known. */
  children(path: FieldPath): (string | number)[] | undefined;
  /** Fields that were there and are not, each with what removed it. */
  removed(): { path: FieldPath; by: Writer[] }[];
};

/** What kind of operation wrote a node. */
export type WriterKind =
  | 'resource'
  | 'merge-patch'
  | 'json-patch'
  | 'generator'
  | 'replacement'
  | 'transformer'
  | 'variable'
  | 'reference'
  | 'hash'
  | 'controller';

/** One operation that wrote (or removed) one node of a rendered object. */
export type Writer = {
  by: WriterKind;
  /** Several where several places made one scalar (prefix + name, two variables); the most telling first. */
  from: Origin[];
  removes?: true;
  /** Nodes of rendered objects (index in the entrypoint and path) whose value is part of this one. */
  derivedFrom?: { object: number; path: FieldPath }[];
};

/** A place in the sources, as the engine knows it. */
export type Origin =
  | SourcePoint
  /** A field of a document, by its path; `span` is the part of the scalar that counts. */
  | { file: string; document: number; path: FieldPath; part?: 'key' | 'value'; span?: [number, number] }
  /** A line of a file that is no YAML, from 1. */
  | { file: string; textLine: number; span?: [number, number] };

/**
 * A point of a source file: lines from 1, columns from 1 in code points, as a YAML parser counts them. With `inside`,
 * document, line and column count in the text of that scalar (an inline patch) of the file's document `within`, the first
 * unless given. `span` is the part of the scalar's value that counts, in UTF-16 units.
 */
export type SourcePoint = {
  file: string;
  document: number;
  line: number;
  column: number;
  inside?: FieldPath;
  within?: number;
  span?: [number, number];
};

/** What a problem is about. Only `locate` turns a place into a location. */
export type Place =
  /** A field of a rendered object, wherever in the sources it was written. */
  | { object: RenderedObject; path: FieldPath; part?: 'key' | 'value' }
  /** A field that was removed from a rendered object, and by what. */
  | { object: RenderedObject; path: FieldPath; removedBy: Writer[] }
  /** A field as written. Documents count from 0 as kustomize splits them (`\n---.*\n`; empty ones count). */
  | {
      revision?: Revision;
      file: string;
      document: number;
      path: FieldPath;
      part?: 'key' | 'value';
    }
  /** A file, or a range of it: broken bytes, a link, a missing file. */
  | { revision?: Revision; file: string; range?: Range };

/** Something that is wrong, said by a stage or a rule. The message has no full stop; names in it are quoted. */
export type Problem = {
  rule: string;
  /** Only where it differs from the rule's own severity. */
  severity?: Severity;
  message: string;
  /** What to do about it. */
  help?: string;
  upstream?: Upstream;
  /** What stands at `at` and is to be put in quotes: the help is how it is written there, `1.10` rather than `1.1`. */
  quotes?: number | boolean;
  /** Whether the API server refuses nothing of it: Flux leaves the field out, or the right is lost only once the change is applied. */
  unsent?: boolean;
  at: Place;
  related?: { message: string; at: Place }[];
  /** The object, where `at` does not name one. */
  object?: ObjectRef;
  /** The entrypoint the problem was seen from, where `at` does not name one. */
  entrypoint?: string;
  remedy?: FixProposal;
  /** Problems of a rule with the same text are one finding, at the place of the first; it is old only if all of them are. */
  joins?: string;
  /** The assumed facts that the problem rests on: a guess is a warning at most. */
  assumes?: Fact[];
  /** What these rules find at `path` of the same object, or below it, is said better by this: it is left out. */
  insteadOf?: readonly { rules: readonly string[]; path: FieldPath }[];
};

/** What resolves a problem, said as places are: only `src/fix` turns it into edits, or into none where one is not sure. */
export type FixProposal = {
  /** What is done, as an order: `remove spec.variant`. */
  title: string;
  /** Whether it can be done without asking: nothing comes to mean anything else that was meant before. */
  safe: boolean;
  changes: FixStep[];
};

export type FixStep =
  /** The entry of a map, or the item of a list. A map that is left empty goes with it. */
  | { do: 'remove'; at: Place }
  /** `asWritten`: a text of the very characters that stand there for something else, `1.10` rather than `1.1`. */
  | { do: 'set'; at: Place; value: Json; asWritten?: true }
  | { do: 'rename'; at: Place; key: string }
  /** What is not there: into the manifest that brings the object in, behind the key `after` where it has that. */
  | { do: 'add'; at: { object: RenderedObject; path: FieldPath }; value: Json; after?: string }
  /** At the end of a list. */
  | { do: 'insert'; at: Place; value: string }
  | { do: 'move'; at: { object: RenderedObject; path: FieldPath }; to: FieldPath }
  /** A part of a line that says nothing to anybody else: a comment. */
  | { do: 'cut'; at: { revision?: Revision; file: string; range: Range } }
  /** An object that the change has taken out comes back, with what is added to it and left out of it. */
  | { do: 'restore'; object: RenderedObject; without: FieldPath[]; add: { path: FieldPath; value: Json }[] };

/** Edits that resolve a finding, sorted, none over another; `safe` if they cannot change what anything else means. */
export type Fix = {
  title: string;
  safe: boolean;
  /** Each puts a text in place of a range of the head. A file that is not there yet is empty. */
  edits: { at: Location; text: string }[];
};

/** Why a fix that is known is not made: other directories read the file as well, and are not known to be helped by it. */
export type HeldBack = {
  file: string;
  /** The directories, sorted. */
  by: string[];
  /** They cannot be built, or have no such finding. */
  why: 'unbuilt' | 'unfound';
};

/** The text of the program whose refusal it is, as it is but for secrets; each format shows it apart from our own words. */
export type Upstream = { program: 'flux'; text: string };

export type Finding = {
  rule: string;
  severity: Severity;
  message: string;
  help?: string;
  upstream?: Upstream;
  at: Location;
  precision: Precision;
  field: FieldPath;
  object?: ObjectRef;
  /** Others that are rendered with the same line, and of which the same is true. */
  also?: ObjectRef[];
  related: { message: string; at: Location }[];
  /** Every entrypoint that shows it, sorted. */
  entrypoints: string[];
  /** Stays the same while lines move and words change: rule, object, field and an ordinal. */
  fingerprint: string;
  /** Absent when there is no base to compare with. */
  isNew?: boolean;
  /** As its problem has it. */
  unsent?: boolean;
  /** The assumed facts that it rests on. */
  assumes: Fact[];
  /** Works out the edits that resolve it, where there are such; the same each time it is asked. */
  fix?: () => Fix | undefined;
  /** The same of a fix that there would be but for those who read the file as well. */
  heldBack?: () => HeldBack | undefined;
};

export type FactName =
  | 'release'
  /** Of the platform: isp-full and so on. */
  | 'variant'
  /** The minor version of Kubernetes, as v1.35. */
  | 'kubernetes'
  /** What `bundles.enabledPackages` lists. */
  | 'optionalPackages'
  /** The Packages that exist. */
  | 'packages'
  | 'ownedNamespaces'
  /** Roles of other service accounts than the customizer's. */
  | 'roles'
  | 'decryption'
  | 'substitution'
  /** What `spec.components.platform.values` of the platform's Package sets. */
  | 'platformValues';
/**
 * Where a fact comes from. `assumed` is a guess, which is never an error by itself; `world` is what a rule is told instead of the
 * guess, as it is asked once with each value that fits (lint/run-rules.ts).
 */
export type FactSource = 'contract' | 'config' | 'snapshot' | 'manifest' | 'evidence' | 'world' | 'assumed';
export type Fact<T extends Json = Json> = {
  name: FactName;
  value: T;
  source: FactSource;
  /** The cluster, where there are several. */
  cluster?: string;
  /** The file that says so, for `config`, `snapshot`, `manifest` and `evidence`. */
  file?: string;
  /** How to turn an assumed fact into a known one. */
  setBy?: string;
  /** Of a release that there is no data for: the one whose data is used. */
  dataOf?: string;
  /** The one that was probably meant. */
  meant?: string;
  /** What in the repository shows it, or leaves no other than `possible`. */
  because?: string;
  /** What else it may be, itself included, where that is less than all that there is data for. */
  possible?: string[];
  /** Of what a finding rests on: the values with which it holds. */
  only?: string[];
  /** The values with which it does not. */
  except?: string[];
};

/** A release that there is data for with a variant of the platform, on a Kubernetes: what a cluster may be. */
export type AskedWorld = {
  /** The cluster, where there are several. */
  cluster?: string;
  release: string;
  variant: string;
  /** Where something looked at it, or it is known. */
  kubernetes?: string;
  /** What the findings are of; the others only say whether they hold there too. */
  likeliest: boolean;
};

/** A directory that someone applies. */
export type Entrypoint = {
  /** Relative to the repository's root; `.` is the root. */
  path: string;
  /** A phrase for the report: `given with --path`, `Flux Kustomization "flux-system/apps"`. */
  why: string;
  /** What the Flux Kustomization adds to the build. */
  kustomization: FluxKustomization;
  /**
   * Who applies it: the customizer's own account where this is absent; `flux` for a Flux Kustomization without a service
   * account, which is applied with all the rights of the controller.
   */
  account?: { namespace: string; name: string } | 'flux';
  /** Whether what is no longer in the repository is deleted (`spec.prune`): false leaves it; else it is. */
  prunes?: false;
  /**
   * Why it may not reach the cluster: `suspended`, where its Flux Kustomization is, or is not applied itself; else all that stands in
   * the way, joined by ` + `: `unrendered`, as it stands in a file that nothing here renders and others may apply, and each
   * source that is not defined here and may be another repository, as `GitRepository NAMESPACE/NAME`. So for what renders it.
   */
  reach?: string;
  /** Whether what cannot be changed is deleted and made anew (`spec.force`). */
  forces?: true;
  /** The field that names it, for a problem with the directory itself. */
  declaredAt?: { file: string; document: number; path: FieldPath };
  /** `spec.ignore` of its GitRepository: patterns of files that its artifact leaves out, as in .sourceignore. */
  ignore?: string;
  /** The path of the entrypoint that all begins with, where the Flux object that names this one is known as that renders it. */
  appliedFrom?: string;
};

/** The part of a Flux Kustomization's spec (kustomize.toolkit.fluxcd.io/v1) that changes what is built. */
export type FluxKustomization = {
  name?: string;
  namespace?: string;
  targetNamespace?: string;
  namePrefix?: string;
  nameSuffix?: string;
  patches?: { patch: string; target?: JsonObject }[];
  components?: string[];
  ignoreMissingComponents?: boolean;
  images?: JsonObject[];
  commonMetadata?: {
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  postBuild?: {
    substitute?: Record<string, string>;
    substituteFrom?: { kind: string; name: string; optional?: boolean }[];
    /** Variables that a resolved entry of `substituteFrom` defines, but whose values are not known. */
    unknown?: string[];
  };
};

/** One patch, replacement or transformer of a kustomization, and what it did. */
export type PatchOutcome = {
  /** The kustomization file, relative to the repository's root. */
  kustomization: string;
  /** Its entry there, e.g. `['patches', 0]`. */
  field: FieldPath;
  kind: 'patch' | 'replacement' | 'transformer';
  selected: number;
  changed: number;
};

/** A stage that ran, or why it did not: a check that did not run is never taken for a clean one. */
export type StageOutcome =
  /** `against`: what was compared with. */
  | { name: string; ran: true; against?: string }
  /** `optional`: nobody asked for it, so nothing is missing. `silent`: the rules that find nothing without it. */
  | { name: string; ran: false; why: string; silent?: readonly string[]; optional?: true };

/**
 * Something within a stage that could not be judged and decides nothing else, with how often; `file` has the first. What is not
 * judged and decides what is applied is a finding.
 */
export type NotChecked = { what: string; why: string; count: number; file?: string };

/** A finding that somebody accepted. `isNew`: the ignore came with the change. */
export type Ignored = {
  finding: Finding;
  reason: string;
  expires?: string;
  isNew?: boolean;
  /** The baseline has it; nobody wrote an ignore of it. */
  isOfBaseline?: true;
};

export type EntrypointOutcome = {
  path: string;
  why: string;
  objects: number;
  rendered: boolean;
};

/** What an effect of a change does, as reports group it. */
export type EffectKind = 'deletes' | 'rights' | 'source' | 'sandbox' | 'access' | 'network' | 'secret' | 'disables';

/** An effect that the table of effects names. `what`: the field, image, account or part of the object that has it. */
export type SensitiveEffect = { kind: EffectKind; ref: ObjectRef; what?: string };

/** What the merge would do in a cluster, from the two renders. What others have in the cluster is not known. */
export type Effects = {
  /** Where there are several. */
  cluster?: string;
  created: ObjectRef[];
  changed: ObjectRef[];
  deleted: ObjectRef[];
  /** No longer in the repository, but not deleted. */
  left: ObjectRef[];
  /** Of which Flux Kustomizations nothing is applied, and why. */
  held: { path: string; why: string }[];
  /** Entrypoints of which nothing can be said, as they are gone. */
  unknown: string[];
  /** What is to be looked at before all else: the rows of the table of effects that apply. */
  sensitive: SensitiveEffect[];
  /** The Packages that are touched and what waits for them, in Mermaid's language. */
  graph?: string;
};

/** What a merge does in a cluster, as a simulation of Flux has it: without what is secret, and with the lines behind it. */
export type Diff = {
  /** Where there are several. */
  cluster?: string;
  /** What becomes of each Flux Kustomization: the reason of its condition after each of two reconciles. */
  reconciles: {
    path: string;
    first: string;
    second: string;
    /** What a refusal keeps from being applied. */
    stopped: ObjectRef[];
    /** Why nothing can be built. */
    why?: string;
    /** Why it may come otherwise. */
    unsure?: string;
  }[];
  /** In the order in which they are rendered, then what is gone. */
  objects: ObjectDiff[];
  /** What could not be simulated, and why; `unsure`: whether it is refused, and with it what is applied together, nobody knows. */
  notSimulated: { what: string; why: string; unsure?: string }[];
};

export type ObjectDiff = {
  ref: ObjectRef;
  /** `left`: no longer in the repository, but as it was. */
  action: 'created' | 'changed' | 'deleted' | 'left' | 'refused';
  /** Why it is refused; of what is deleted, whether it is made again. */
  why?: string;
  /** Why it may be accepted. */
  unsure?: string;
  at?: Location;
  fields: FieldDiff[];
  /** The Packages that wait for it. */
  dependents: string[];
};

/** What becomes of the objects that a chart makes; `release` is `namespace/name` of its HelmRelease, which may be the repository's own. */
export type ChartDiff = {
  cluster?: string;
  package?: string;
  component?: string;
  release: string;
  objects: ChartObjectDiff[];
  /** The chart fails before or after it. */
  notRendered?: true;
};

export type ChartObjectDiff = {
  ref: ObjectRef;
  /** `left`: Helm is told to keep it (`helm.sh/resource-policy: keep`). */
  action: 'created' | 'changed' | 'deleted' | 'left';
  fields: { path: FieldPath; before?: Json; after?: Json }[];
  /** The field of the template of its pods by which a workload restarts them. */
  restarts?: string;
};

/** `before` and `after` are absent where the field is; owners are field managers, sorted. */
export type FieldDiff = {
  path: FieldPath;
  before?: Json;
  after?: Json;
  ownersBefore: readonly string[];
  ownersAfter: readonly string[];
  /** Where it is written, if it is. */
  at?: Location;
};

/** An object of the dry run, and the entrypoint that renders it. */
export type DryRunObject = { object: ObjectRef; entrypoint: string };

/** What a server answered to what Flux would ask it, without anything being written. */
export type DryRun = {
  /** Which of the repository's, where there are several. */
  cluster?: string;
  server: 'kind' | 'envtest' | 'kubeconfig';
  /** Of Kubernetes. */
  version: string;
  /** How many objects it was asked about. */
  asked: number;
  refused: (DryRunObject & {
    reason: RefusalReason;
    /** In the server's words, without values that may be secret. */
    message: string;
    /** Whether the rules say so as well. */
    expected: boolean;
  })[];
  /** Fields that somebody else has set to another value, which Flux takes by force. */
  conflicts: (DryRunObject & { manager: string; path: FieldPath })[];
  /** Where the server and the rules are not of one mind: `rule` is absent where no rule said anything. */
  disagreements: (DryRunObject & { server: 'refuses' | 'accepts'; rule?: string })[];
  /** What a reader has to know of such a server. */
  notes: string[];
};

export type RefusalReason =
  | 'forbidden'
  | 'policy'
  | 'invalid'
  | 'unknown-field'
  | 'unknown-kind'
  | 'no-namespace'
  | 'missing-namespace'
  | 'conflict'
  | 'webhook'
  | 'other';

/** All that a reporter needs, code frames included. */
export type Run = {
  findings: Finding[];
  ignored: Ignored[];
  /** Whose configuration counts, and what the change would alter in it. */
  policy: string[];
  entrypoints: EntrypointOutcome[];
  facts: Fact[];
  /** What the findings were asked in: of each cluster the likeliest world first, then those that one of them might rest on. */
  worlds: AskedWorld[];
  stages: StageOutcome[];
  notChecked: NotChecked[];
  /** By cluster; absent when there is no base to compare with. */
  effects?: Effects[];
  /** By cluster; absent where nothing was simulated. */
  diffs?: Diff[];
  /** By cluster and component; absent where no charts were rendered, or nothing changes below the Packages. */
  charts?: ChartDiff[];
  /** By cluster; absent where no server was asked. */
  dryRun?: DryRun[];
  /** The change touches no input of any entrypoint, so nothing was rendered: how many files it changes, and since when. */
  untouched?: { files: number; base: string };
  /** Another run's findings, which say nothing of what was rendered. */
  published?: true;
  /** The text of every file that a finding names, by revision and path. */
  sources: {
    text(revision: ShownRevision, file: string): string | undefined;
    has(revision: ShownRevision, file: string): boolean;
    /** What the whole repository tells of the secrets in a file, besides the file itself. */
    secrets(revision: ShownRevision, file: string): KnownSecrets;
  };
  /** `engine`: which one rendered, where one did; `native` is the program, `wasm` the module. */
  tool: { name: string; version: string; engine?: 'wasm' | 'native' };
};

/** What is known of the secrets in a file from what is rendered, and from the kustomizations that name it. */
export type KnownSecrets = {
  /** All of it is taken into a Secret. */
  whole?: boolean;
  /** Documents, as kustomize counts them, that become a Secret or are a patch of one. */
  documents?: ReadonlySet<number>;
  /** Any document of it may be a patch of a Secret. */
  patch?: boolean;
  /** What Secrets hold. */
  values?: ReadonlySet<string>;
  /** Parts of a line, as ranges from 0, that are known to be secret from elsewhere. */
  spans?: (line: string) => { start: number; end: number }[];
};

/** Wrong usage: said on standard error with a way out, exit status 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export type Tree = {
  revision: Revision;
  /** For a person: `the work tree`, `commit 1a2b3c4`. */
  description: string;
  /** Regular files, sorted by path. */
  files: readonly string[];
  links: readonly string[];
  submodules: readonly string[];
  /** The commit that a submodule stands at; undefined where that is not known. */
  submoduleCommit(path: string): string | undefined;
  /** Files that are there but were not taken, each with the reason. */
  refused: ReadonlyMap<string, string>;
  /** Git's id of the content of a refused file; undefined if it is not known. */
  blob(path: string): string | undefined;
  has(path: string): boolean;
  isDirectory(path: string): boolean;
  /** The content, or undefined where there is none (no such file, refused). */
  bytes(path: string): Uint8Array | undefined;
  /** The content as text; bytes that are not UTF-8 become U+FFFD. A byte order mark is kept. */
  text(path: string): string | undefined;
  /**
   * GitHub's workflows where they stand above the root, by their paths from it: `../.github/workflows/lint.yaml`. Undefined where
   * nobody knows what stands above, as for a folder that is compared with.
   */
  workflowsAbove: ReadonlyMap<string, string> | undefined;
};

/** A file of the repository that Flux's artifact does not hold. */
export type ExcludedFile = {
  path: string;
  because: 'link' | 'submodule' | 'ignored';
  /** The pattern that dropped it, for `ignored`, and the file it stands in (absent: a default or `spec.ignore`). */
  pattern?: string;
  from?: string;
};

export type Rendered = {
  entrypoint: Entrypoint;
  /** What the build read, sorted; of one that is refused, before it stopped. */
  files: readonly string[];
  /** What of the repository Flux does not get to see, sorted by path. */
  lost: readonly ExcludedFile[];
} & (
  | {
      ok: true;
      objects: RenderedObject[];
      steps: PatchOutcome[];
      /** Keys of the root kustomization that Flux drops without a word. */
      dropped: { file: string; path: FieldPath }[];
      undefinedVariables: string[];
    }
  | { ok: false; problem: Problem }
);
