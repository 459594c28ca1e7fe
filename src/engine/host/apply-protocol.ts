/**
 * What the TypeScript side and the apply module (Go, WebAssembly) say to each other: an API server without a server.
 *
 * A call is one frame in, one JSON document out, both as bytes. A frame holds chunks, each a little-endian uint32 length and as
 * many bytes. The first is one `ApplyRequest` as JSON; those behind it are the `object`s of its operations, as JSON, in whose
 * place the number of the chunk stands, from 1. An instance holds definitions and objects; they live until it is closed.
 */
import type { JsonObject } from '../../core/model.js';

export type ApplyRequest =
  | {
      op: 'define';
      /**
       * CustomResourceDefinitions, `apiextensions.k8s.io/v1`. One that was defined before is replaced; objects stay as they are.
       * Of the built-in kinds that doc.go of the package `apiserver` lists, nothing has to be defined.
       */
      definitions: JsonObject[];
    }
  | { op: 'ask'; operations: Operation[] };

/** `ok: false` is a bug of the module or of its caller, never an answer of the API server. Nothing of the call was done then. */
export type DefineResponse = { ok: true } | { ok: false; error: { message: string } };

/** `answers` are as many as the operations, in their order. */
export type AskResponse = { ok: true; answers: ApplyAnswer[] } | { ok: false; error: { message: string } };

/** Which object: the version is the one that is asked in, and need not be the one that was written in. */
export type ApplyTarget = {
  apiVersion: string;
  kind: string;
  /** Absent for a cluster-scoped object. */
  namespace?: string;
  name: string;
};

/** Operations of a batch are answered one after the other; each sees what those before it have written. */
export type Operation =
  | WriteOperation
  /** `brief`: labels and annotations are enough, and of managedFields who has written how. */
  | { op: 'get'; ref: ApplyTarget; brief?: boolean }
  /** All objects of a kind, sorted by namespace and name, in `Answer.objects`. */
  | { op: 'list'; apiVersion: string; kind: string; namespace?: string }
  /** An object with finalizers gets a deletionTimestamp and stays until they are gone. `preconditions` are those of DeleteOptions. */
  | { op: 'delete'; ref: ApplyTarget; dryRun?: boolean; preconditions?: { uid?: string; resourceVersion?: string } }
  /**
   * Puts a live object in place, with its managedFields, uid, resourceVersion and generation. What is absent of those (but
   * managedFields) is given. Nothing is validated; it is read as a stored object is, without unknown fields and with defaults.
   */
  | { op: 'put-raw'; object: JsonObject; brief?: boolean }
  | TakeoverOperation
  /** Forgets all objects; definitions stay. The clock and the counters start again. */
  | { op: 'reset' }
  /** Remembers all objects, counters and the clock under a name, and goes back to them, as often as wanted. */
  | { op: 'snapshot'; name: string }
  | { op: 'restore'; name: string }
  /**
   * The time of the next write, RFC 3339 with whole seconds, and by how many seconds each write moves it (default 1).
   * Without it the clock starts at 2001-01-01T00:00:00Z. Every write moves it, a dry run too, and even one that is refused.
   */
  | { op: 'clock'; now: string; step?: number };

type WriteOperation = {
  /** The fieldManager of the request: where there is none, the user agent up to its first slash. */
  manager: string;
  dryRun?: boolean;
  /** Whether the object can be left out of the answer, which is then much faster to write and to read. */
  brief?: boolean;
} & (
  | { op: 'create'; object: JsonObject }
  /** PUT. A custom resource has to carry the resourceVersion it was read with, as on a real server; a built-in kind need not. */
  | { op: 'update'; object: JsonObject }
  /**
   * Server-side apply: a PATCH of the type application/apply-patch+yaml. `ref` only where the object's address is to differ from
   * what it says of itself.
   */
  | { op: 'apply'; object: JsonObject; force?: boolean; ref?: ApplyTarget }
  /** application/merge-patch+json */
  | { op: 'merge'; ref: ApplyTarget; patch: JsonObject; subresource?: 'status' }
  /** application/json-patch+json */
  | { op: 'json'; ref: ApplyTarget; patch: JsonPatch; subresource?: 'status' }
);

/**
 * What fluxcd/pkg/ssa does between its dry run and its apply (`cleanupMetadata`): it removes annotations and labels, and writes the
 * fields of some managers over to its own entry, by one JSON patch. `Answer.patch` is that patch; it is absent, and nothing is
 * written, where there is nothing to do. The answer's object is the one after the patch.
 */
type TakeoverOperation = {
  op: 'takeover';
  ref: ApplyTarget;
  /** The manager that takes over, and that sends the patch. */
  manager: string;
  dryRun?: boolean;
  brief?: boolean;
  annotations?: string[];
  labels?: string[];
  fieldManagers?: { name: string; exactMatch: boolean; operationType: 'Update' | 'Apply' }[];
  /** Labels and annotations that keep an object as it is, where either the live object or `desired` carries one. */
  exclusions?: Record<string, string>;
  /** The object that is to be applied; only its labels and annotations are read. */
  desired?: JsonObject;
};

export type JsonPatch = ({ op: string; path: string } & JsonObject)[];

export type ApplyAnswer = {
  /** The HTTP status code: 200, 201, 400, 404, 409, 415, 422, 500. */
  status: number;
  /** The object as the server answers it, with managedFields; its keys are sorted. Absent where there is a Status. */
  object?: JsonObject;
  /** Of `list`. */
  objects?: JsonObject[];
  /** Why it was refused, as the server words it. */
  error?: Status;
  /**
   * Of an `apply`: whether fluxcd/pkg/ssa would see a drift between the live object before it and the answered one (`hasDrifted`),
   * and so would write. True for an object that was not there.
   */
  drifted?: boolean;
  /** Of a `takeover`. */
  patch?: JsonPatch;
};

/**
 * `metav1.Status` of a failure. What Kubernetes leaves in random order is sorted: the causes of an invalid object, and its
 * message, by field; those of a conflict by manager and path; what does not fit a schema by path, unknown fields last.
 */
export type Status = {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: JsonObject;
  status: 'Failure';
  message: string;
  reason?: string;
  details?: {
    name?: string;
    group?: string;
    kind?: string;
    causes?: { reason?: string; message?: string; field?: string }[];
    uid?: string;
    retryAfterSeconds?: number;
  };
  code: number;
};
