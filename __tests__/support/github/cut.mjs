/**
 * Cuts GitHub's OpenAPI description down to the operations that the fake answers, without prose.
 *
 *   node __tests__/support/github/cut.mjs PATH/TO/generated/api.github.com.json
 *
 * The file comes from the package @octokit/openapi (385 MB, therefore no dependency of ours). What is written is plain
 * JSON Schema in OpenAPI's frame: `nullable` becomes a type, parameters and responses stand where they are used, and a
 * request's objects are closed, so that a field which GitHub would ignore is noticed.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const operations = [
  'actions/download-artifact',
  'actions/list-workflow-run-artifacts',
  'git/get-blob',
  'git/get-tree',
  'pulls/create-reply-for-review-comment',
  'pulls/create-review',
  'pulls/create-review-comment',
  'pulls/delete-pending-review',
  'pulls/delete-review-comment',
  'pulls/get',
  'pulls/get-review',
  'pulls/get-review-comment',
  'pulls/list',
  'pulls/list-files',
  'pulls/list-review-comments',
  'pulls/list-reviews',
  'pulls/submit-review',
  'pulls/update-review',
  'pulls/update-review-comment',
  'repos/compare-commits-with-basehead',
  'repos/download-tarball-archive',
  'repos/get',
  'repos/get-content',
  'repos/list-pull-requests-associated-with-commit',
];

// Where the live service answers otherwise than it describes itself: an outdated comment has neither line nor position,
// and a deleted fork is no repository.
const nullInFact = ['position', 'original_position', 'line', 'original_line'];
const headRepository = ['pull-request', 'pull-request-simple'];
/** Either endpoint of review comments refuses with words or with objects. */
const errorSchemas = ['validation-error', 'validation-error-simple'];

const prose = new Set(['title', 'description', 'example', 'examples', 'externalDocs', 'deprecated', 'nullable']);
const source = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const resolve = (node) => (node.$ref ? resolve(at(node.$ref)) : node);
const at = (ref) =>
  ref
    .slice(2)
    .split('/')
    .reduce((node, key) => node[key], source);

const components = {};
const paths = {};
for (const [path, methods] of Object.entries(source.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    if (!operations.includes(operation?.operationId)) continue;
    paths[path] ??= {};
    paths[path][method] = cut(operation, [...(methods.parameters ?? []), ...(operation.parameters ?? [])]);
  }
}
for (const field of nullInFact) allowNull(components['pull-request-review-comment'].properties[field]);
for (const name of headRepository) allowNull(components[name].properties.head.properties.repo);
const [objects, words] = errorSchemas.map((name) => components[name].properties.errors.items);
for (const name of errorSchemas) components[name].properties.errors.items = { anyOf: [objects, words] };

const result = {
  openapi: '3.1.0',
  info: { title: `${source.info.title}, cut down`, version: source.info.version },
  paths,
  components: { schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))) },
};
const missing = operations.filter((name) => !JSON.stringify(paths).includes(`"${name}"`));
if (missing.length > 0) throw new Error(`not in this description: ${missing.join(', ')}`);
writeFileSync(new URL('openapi.json', import.meta.url), `${JSON.stringify(result)}\n`);

function cut(operation, parameters) {
  const body = operation.requestBody?.content?.['application/json']?.schema;
  return {
    operationId: operation.operationId,
    parameters: parameters.map(resolve).map(({ name, in: where, required, schema }) => ({
      name,
      in: where,
      ...(required && { required }),
      schema: plain(schema),
    })),
    ...(body && {
      requestBody: {
        ...(operation.requestBody.required && { required: true }),
        content: { 'application/json': { schema: closed(plain(inline(body))) } },
      },
    }),
    responses: Object.fromEntries(
      Object.entries(operation.responses)
        .filter(([status]) => status !== '304')
        .map(([status, response]) => [status, content(resolve(response))]),
    ),
  };
}

function content(response) {
  const schema = response.content?.['application/json']?.schema;
  return schema ? { content: { 'application/json': { schema: plain(schema) } } } : {};
}

/** A request's schema with its references filled in, so that it can be closed without closing responses. */
function inline(node) {
  if (Array.isArray(node)) return node.map(inline);
  if (typeof node !== 'object' || node === null) return node;
  if (node.$ref) return inline(at(node.$ref));
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inline(value)]));
}

function closed(node) {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const declares = typeof node.properties === 'object' && node.type === 'object';
  return declares ? { ...inner, additionalProperties: false } : inner;
}

/** A schema without prose, `nullable` as a type; the schemas that it refers to are taken along. */
function plain(schema) {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.$ref) {
    const name = schema.$ref.split('/').pop();
    if (!(name in components)) {
      components[name] = {}; // a schema may refer to itself
      components[name] = plain(at(schema.$ref));
    }
    return { $ref: schema.$ref };
  }
  const result = {};
  for (const [key, value] of Object.entries(schema)) {
    if (prose.has(key) || key.startsWith('x-')) continue;
    if (key === 'properties') {
      result.properties = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
    } else result[key] = key === 'enum' || key === 'required' ? value : plain(value);
  }
  return schema.nullable ? allowNull(result) : result;
}

function allowNull(schema) {
  if (typeof schema.type === 'string') schema.type = [schema.type, 'null'];
  else if (!schema.type) {
    const inner = { ...schema };
    for (const key of Object.keys(schema)) delete schema[key];
    schema.anyOf = [inner, { type: 'null' }];
  }
  if (schema.enum && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
  return schema;
}
