/**
 * What the TypeScript side and the helm module (Go, WebAssembly) say to each other: charts are loaded, and rendered with values.
 *
 * A call is one frame in, one JSON document out, both as bytes (see apply-protocol.ts). The first chunk is one `HelmRequest` as JSON; those
 * behind it are the files, in whose place the number of the chunk stands, from 1. A chart stays loaded until it is forgotten.
 */
import type { JsonObject } from '../../core/model.js';

export type HelmRequest =
  | ({ op: 'load'; chart: string } & (ChunkedFiles | { archive: number }))
  | ({ op: 'render'; chart: string } & RenderRequest)
  | { op: 'forget'; chart: string };

type ChunkedFiles = {
  files: { path: string; chunk: number }[];
  libraries: { name: string; files: { path: string; chunk: number }[] }[];
  valuesFiles: readonly string[];
};

export type RenderRequest = {
  release: { name: string; namespace: string; isUpgrade: boolean; revision: number };
  values: JsonObject;
  /** As `v1.33.1`. */
  kubeVersion: string;
  /** What `.Capabilities.APIVersions` has: `apps/v1` and `apps/v1/Deployment`. */
  apiVersions: readonly string[];
  /** What `lookup` finds. */
  objects: readonly JsonObject[];
  /** Changes all that is random: what two renders with another one differ in is not known. */
  chance: number;
  /**
   * Whether it is helm-controller that renders, which passes all objects through kustomize: it refuses one without a kind or a name, one that
   * two templates make, and keys that are there twice; `yes` is a text then. Without it the objects are those of the Helm command.
   */
  postRender?: boolean;
  /** Whether the definitions of `crds/`, which no value changes, are told in full, and not by kind and metadata alone. */
  definitions?: boolean;
};

export type ChartLoadResponse =
  | { ok: true; chart: LoadedChart }
  /** Why Helm does not load it. */
  | { ok: true; failed: ChartFailure };

export type LoadedChart = {
  name: string;
  version: string;
  appVersion?: string;
  /** The Kubernetes versions that it wants. */
  kubeVersion?: string;
  /** The defaults that a user can set, those of dependencies below their names. */
  values: JsonObject;
};

export type ChartResponse = ({ objects: ChartObject[] } | { failed: ChartFailure }) & { consulted: Consulted };

export type ChartObject = {
  /** Such as `metallb/templates/speaker.yaml`. */
  template: string;
  object: JsonObject;
  /** The events of a hook, such as `pre-upgrade`. */
  hook?: string[];
  /** Of the folder `crds/`. */
  crd?: true;
};

export type ChartFailure = {
  stage: 'load' | 'dependencies' | 'kubeVersion' | 'schema' | 'render' | 'post-render' | 'parse' | 'limit';
  /** Helm's own words, cut at 4 KiB. */
  message: string;
  /** Where in the templates, the innermost last. */
  frames?: { template: string; line: number; column?: number }[];
  /** What the chart says itself, by `fail` or `required`; of a limit, which one it is. */
  own?: string;
  /** The templates of which a post-render refuses an object; two where both make it. */
  templates?: string[];
};

/** What of a cluster the templates asked for, or left to chance. */
export type Consulted = {
  lookups?: { apiVersion: string; kind: string; namespace?: string; name?: string }[];
  apiVersions?: string[];
  /** The functions, `now` among them. */
  random?: string[];
};
