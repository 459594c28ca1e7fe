/** A schema as the OpenAPI of Kubernetes and the definitions of custom resources have it. */
import type { Json } from '../core/model.js';

/** The part of JSON Schema that structural schemas and Kubernetes' own OpenAPI use. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly nullable?: boolean;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly definitions?: { readonly [name: string]: Schema };
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly Json[];
};

export type KnownSchema = {
  known: true;
  scope: 'Cluster' | 'Namespaced';
  plural: string;
  /** Built into Kubernetes, as opposed to a custom resource. */
  builtIn: boolean;
  schema: Schema;
  /** What a `$ref` in `schema` refers to. */
  root: Schema;
  /** ObjectMeta, which no custom resource's own schema holds; it is its own root. */
  metadata: Schema;
  /**
   * What becomes of a field that the schema does not have. Flux converts built-in kinds to the types that it was compiled
   * with and so loses it; everything else reaches the API server, which refuses the object (flux/FACTS.md, Request).
   */
  unknownFields: 'dropped' | 'refused';
  /**
   * What the API server's own Kubernetes has, where that is another than the one whose types Flux converts to: a field that Flux sends
   * and this has not is refused.
   */
  server?: { schema: Schema; kubernetes: string };
  /** Served, but on its way out. */
  deprecated: boolean;
  /** An alpha or beta version of a built-in kind, which a cluster serves only if it was told to. */
  offByDefault: boolean;
  /** `<package>/<component>` that bring the kind to the cluster; `operator`; empty for built-in kinds and where nothing does. */
  installedBy: readonly string[];
};
