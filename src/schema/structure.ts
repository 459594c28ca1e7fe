/** Reading a schema: what a node of it declares. */
import type { Schema } from './types.js';

export function resolve(schema: Schema, root: Schema): Schema {
  let resolved = schema;
  for (let hops = 0; resolved.$ref !== undefined && hops < 16; hops++) {
    const name = resolved.$ref.slice('#/definitions/'.length);
    const { definitions } = root;
    resolved = (definitions && Object.hasOwn(definitions, name) ? definitions[name] : undefined) ?? {};
  }
  return resolved;
}

export function childOf({ properties, additionalProperties }: Schema, name: string): Schema | undefined {
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

export function preserves(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
}

/** Server-side apply takes an object without any declared field for free-form (kube-openapi, schemaconv). */
export function declaresFields({ properties, additionalProperties }: Schema): boolean {
  return additionalProperties === false || Object.keys(properties ?? {}).length > 0;
}

/** Whether a schema is one of Go's types that read more than the schema says: amounts as numbers, raw JSON of any type. */
export function refersTo(schema: Schema, type: string): boolean {
  return schema.$ref?.endsWith(`.${type}`) ?? false;
}

/** An object within an object: apiVersion, kind and metadata are implied. */
export function isEmbedded(schema: Schema, name: string): boolean {
  return schema['x-kubernetes-embedded-resource'] === true && ['apiVersion', 'kind', 'metadata'].includes(name);
}
