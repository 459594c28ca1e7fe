/** GitHub's own description of its API, held against every request and every response. */
import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: { type?: string } };
type Operation = {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { required?: boolean; content: { 'application/json': { schema: object } } };
  responses: Record<string, { content?: { 'application/json': { schema: object } } }>;
};
export type Route = { id: string; method: string; template: string; match: RegExp; operation: Operation };
export type Matched = { route: Route; params: Record<string, string> };

const description: {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
} = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8'));

/** Shapes in which GitHub refuses, whether an operation announces them or not. */
const refusals = new Set(['400', '401', '403', '404', '406', '410', '429', '500', '502', '503']);

const routes: Route[] = Object.entries(description.paths)
  .flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      template,
      match: new RegExp(
        `^${template.replace(/\{(\w+)\}/g, (_, name) => (name === 'path' ? '(?<path>.*)' : `(?<${name}>[^/]+)`))}$`,
      ),
      operation,
    })),
  )
  // A fixed word before a parameter: pulls/comments/{id} before pulls/{number}/comments.
  .sort((a, b) => a.template.split('{').length - b.template.split('{').length);

/** The operation that a method and a path (without the prefix of a server) are. */
export function operationOf(method: string, path: string): Matched | undefined {
  for (const route of routes) {
    const groups = route.method === method ? route.match.exec(path)?.groups : undefined;
    if (groups) {
      const params = Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value ?? '')]);
      return { route, params: Object.fromEntries(params) };
    }
  }
  return undefined;
}

const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, logger: false, allowUnionTypes: true });
formats.default(ajv);
ajv.addSchema({ $id: 'openapi', ...description });
const compiled = new Map<object, ValidateFunction>();

function problems(schema: object, value: unknown, where: string): string[] {
  let validate = compiled.get(schema);
  if (!validate) {
    // References are to the whole description.
    const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'));
    validate = ajv.compile(rooted);
    compiled.set(schema, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error: ErrorObject) => {
    const extra = error.keyword === 'additionalProperties' ? ` (${error.params.additionalProperty})` : '';
    return `${where}${error.instancePath} ${error.message}${extra}`;
  });
}

export function requestProblems({ route, params }: Matched, query: URLSearchParams, body: unknown): string[] {
  const { operation } = route;
  const declared = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place);
  const found: string[] = [];
  for (const { name, schema } of declared('path')) {
    found.push(...problems(schema, typed(schema, params[name] ?? ''), `${route.id}: parameter ${name}`));
  }
  for (const [name, value] of query) {
    const parameter = declared('query').find((candidate) => candidate.name === name);
    if (!parameter) found.push(`${route.id}: parameter ${name} is not declared`);
    else found.push(...problems(parameter.schema, typed(parameter.schema, value), `${route.id}: parameter ${name}`));
  }
  for (const { name, required } of declared('query')) {
    if (required && !query.has(name)) found.push(`${route.id}: parameter ${name} is missing`);
  }
  const schema = operation.requestBody?.content['application/json'].schema;
  if (body === undefined) {
    if (operation.requestBody?.required) found.push(`${route.id}: the body is missing`);
  } else if (!schema) found.push(`${route.id}: takes no body`);
  else found.push(...problems(schema, body, `${route.id}: body`));
  return found;
}

export function responseProblems({ route }: Matched, status: number, body: unknown): string[] {
  const declared = route.operation.responses[status];
  if (!declared && !refusals.has(String(status))) return [`${route.id}: answers ${status}, which is not declared`];
  const refusal = { $ref: '#/components/schemas/basic-error' };
  const schema = declared ? declared.content?.['application/json'].schema : refusal;
  if (!schema) return body === undefined ? [] : [`${route.id}: ${status} takes no body`];
  return problems(schema, body, `${route.id}: ${status}`);
}

/** A parameter arrives as text; what cannot be read as its type stays text and is refused. */
function typed({ type }: { type?: string }, value: string): unknown {
  if (type === 'integer' && /^-?\d+$/.test(value)) return Number(value);
  if (type === 'boolean' && /^(true|false)$/.test(value)) return value === 'true';
  return value;
}
