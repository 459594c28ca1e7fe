/**
 * What the TypeScript side and the engine (Go, WebAssembly) say to each other.
 *
 * A call is one frame in, one JSON document out, both as bytes. A frame is a sequence of chunks, each a little-endian
 * uint32 length and as many bytes: first the header (one of `Request` as JSON), then for `load` a path and a content for
 * every file. An instance holds one tree; `load` replaces it, `build` and `read` work on it and leave it as it was.
 * Paths are relative to the repository's root, with forward slashes; `.` is the root.
 */
import type {
  ExcludedFile,
  FieldPath,
  FluxKustomization,
  JsonObject,
  PatchOutcome,
  WriterKind,
} from '../../core/model.js';

export type EngineRequest =
  | {
      op: 'load';
      /** Files that must not be parsed: a read of one fails with the reason (size, depth, …). Their bytes are not sent. */
      refused?: Record<string, string>;
      /** Symbolic links and submodules: Flux's artifact has neither. */
      links?: string[];
      submodules?: string[];
      /** `spec.ignore` of the GitRepository. */
      ignore?: string;
    }
  | {
      op: 'build';
      path: string;
      kustomization: FluxKustomization;
      /** `digest` leaves `objects` and `yaml` out of the answer, `yaml` the objects, `objects` the yaml. */
      output: 'objects' | 'yaml' | 'digest';
      /** Gives the objects with the labels and annotations that the controller adds: its own and `commonMetadata`. */
      marked?: boolean;
      /** Where the Flux object is written: its fields are then places in that file, and otherwise in the file ''. */
      declaredAt?: { file: string; document: number };
      /** `false` leaves out who wrote what, for a build that only the result is wanted of. */
      origins?: boolean;
    }
  | { op: 'read'; files: string[] };

export type LoadResponse = { ok: true; lost: ExcludedFile[] };

export type BuildResponse =
  | {
      ok: true;
      /** SHA-256, hex, of the YAML that Flux 1.8 hashes into `status.history`; absent where only objects are asked for. */
      sha256?: string;
      yaml?: string;
      objects?: EngineObject[];
      /** What `EngineObject.source` and origins count in. */
      sources: EngineSource[];
      /** What `Head`s with the source -2 count in. */
      traces?: Trace[];
      /** A step of the Flux object has the kustomization '' and a field of the object. */
      steps: PatchOutcome[];
      /** Files read, sorted. */
      files: string[];
      /** Keys of the root kustomization that Flux drops without a word (flux/FACTS.md, Generated kustomization). */
      dropped: { file: string; path: FieldPath }[];
      /**
       * Names of variables without a value or a default, sorted. They become empty, as in Flux, unless there is a
       * `substituteFrom`: then the cluster may define them and they are left as they stand.
       */
      undefinedVariables: string[];
    }
  | { ok: false; error: EngineError; files: string[] };

export type EngineObject = {
  value: JsonObject;
  /** Index into `sources`, or -1 for a generated object. */
  source: number;
  /** JSON of an `Origin`, kept as text because few objects are ever asked where they came from. */
  origin: string;
  /** Fields that were there and are not, in final coordinates, with what removed them. An item has the index it had. */
  removed?: [path: FieldPath, by: Head][];
  /**
   * Why the controller would not apply it: no apiVersion, kind or name, a kustomize configuration object, or a list, whose
   * items follow it as objects.
   */
  dropped?: string;
};

/**
 * One document of a source file. `line` is the number of lines of the file before it.
 *
 * With `inside` it is a document of an inline patch: `file` is the kustomization, `inside` the scalar there that holds the
 * text (e.g. `['patches', 0, 'patch']`), and document and line count in that text; `within` is the document of the file that
 * has the scalar, absent for the first. A patch of the Flux object has the file '', or that of `declaredAt`, and a field of
 * the object (`['spec', 'patches', 0, 'patch']`). `by` is absent for a resource.
 */
type EngineSource = {
  file: string;
  document: number;
  line: number;
  inside?: FieldPath;
  within?: number;
  by?: WriterKind;
};

/**
 * Where a node was written, in the shape of the value: a head, with a list of origins behind it for a list, and for a map a
 * list of `[key, head of the key, origin of the value]` (the key's head spread into three numbers).
 */
export type WireOrigin =
  | [source: number, line: number, column: number]
  | [source: number, line: number, column: number, items: WireOrigin[]]
  | [source: number, line: number, column: number, entries: [string, number, number, number, WireOrigin][]];

/**
 * `[source, line, column]`: the node as it was parsed; lines and columns are go-yaml's: from 1, relative to the document,
 * columns in code points. `[-2, n, 0]`: `traces[n]` of the answer tells. `[-1, 0, 0]`: nobody knows.
 */
export type Head = [source: number, line: number, column: number];

/** An operation that wrote a node and is more than a parsed document put in its place. */
type Trace = {
  by: WriterKind;
  /** The places that made it, the most telling first: several where several made one scalar (prefix + name + hash). */
  from: EnginePlace[];
  /** What it wrote over, or what it made the new value from. */
  before?: Head;
  /** The nodes of rendered objects (index and path) whose value is part of this one, or the same. */
  derivedFrom?: [object: number, path: FieldPath][];
};

/**
 * A parsed node, or a part of one; or a field of a file's document by its path (a kustomization's entry); or a line of a plain
 * text file. A part counts UTF-16 code units of the value, or of the line.
 */
export type EnginePlace =
  | Head
  | [...head: Head, start: number, end: number]
  | { file: string; document: number; path: FieldPath; part?: 'key' | 'value'; span?: [start: number, end: number] }
  | { file: string; line: number; span?: [start: number, end: number] };

export type EngineError = {
  /** The text that Flux would show, with the repository's root cut from paths. */
  message: string;
  stage: 'prepare' | 'build' | 'substitute' | 'limit' | 'internal';
  /** What kind of refusal it is, where the engine knows for certain. */
  class?: 'remote-base' | 'limit' | 'missing-path' | 'escape' | 'plugin';
  /**
   * The file at fault, the kustomization that was being built and the entry in it, innermost first known. An entry that Flux
   * added has the kustomization '' (absent) and a field of the Flux object (`['spec', 'patches', 0]`).
   */
  file?: string;
  kustomization?: string;
  field?: FieldPath;
  /** For a YAML syntax error: the line as the parser counts it, and the document it counts in. */
  line?: number;
  document?: number;
};

export type ReadResponse = {
  ok: true;
  documents: { value: JsonObject; source: number; origin: string }[];
  sources: EngineSource[];
  /** Files that could not be parsed. */
  failures: { file: string; message: string }[];
};
