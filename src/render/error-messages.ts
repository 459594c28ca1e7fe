/**
 * kustomize's and Flux's error texts in plain words. The texts are those of kustomize 0.21.1 and fluxcd/pkg 1.27.0; one
 * that is not in the table is shown as it is, which is worse to read but never wrong.
 */
import { kustomizationsIn } from '../core/kustomization.js';
import type { FieldPath } from '../core/model.js';
import { cutText } from '../engine/host/engine.js';
import type { EngineError } from '../engine/host/protocol.js';
import { matchText } from './match.js';

export type Explanation = {
  /** The rule that the refusal belongs to, where it is not any other way to be unbuildable. */
  rule?: string;
  message: string;
  help?: string;
  /** Files or folders of which one is missed: relative to the repository, or to the kustomization at fault. */
  missing?: string[];
  /** What to look for in the file at fault, where the text knows more than the engine. */
  clue?: Clue;
};

export type Clue =
  | { path: FieldPath }
  | { line: number }
  | { text: string }
  /** A document without this field. */
  | { without: FieldPath }
  | { kind: string; name: string }
  /** A key on two lines of one document, in any of the files that were read. */
  | { key: string; lines: [number, number] };

/** A pattern with at most one gap, or a template (match.ts), or what finds the gaps in a text. */
type Row = [
  text: RegExp | string | ((text: string) => string[] | undefined),
  explain: (...groups: string[]) => Explanation,
];

const noKustomization =
  'add a kustomization.yaml there, or list its files one by one: Flux generates one only at the top';
const wholeObject = 'every document must have apiVersion, kind and metadata.name';
const correctPath = 'correct the path, or add what is missing';

const inQuotes = 'put the value in quotes, as everything in a Secret and most other values are strings';

/** The first row that matches explains: the particular stand before the general. */
const rows: Row[] = [
  // Values that YAML takes for something else: none is repeated.
  [
    /yaml: unknown anchor '([^']*)' referenced/,
    (anchor = '') => ({
      message: 'A value begins with "*", which makes it an alias, and there is no anchor of that name',
      help: inQuotes,
      clue: { text: `*${anchor}` },
    }),
  ],
  [
    /cannot decode !!\w+ `[^`]*` as an? (!!\w+)/,
    (tag) => ({ message: `A value has the tag ${tag}, and is none`, help: `take the tag away, or ${inQuotes}` }),
  ],
  [
    /json: unsupported value: (?:[+-]Inf|NaN)/,
    () => ({
      message: 'A value is .inf or .nan, and no manifest can hold such a number',
      help: inQuotes,
    }),
  ],
  [
    /options\.index (-?\d+) is out of bounds for value/,
    (index) => ({
      message: `The value has no part ${index} for the replacement, by its delimiter`,
      help: 'correct options.index or options.delimiter; the first part has the index 0',
    }),
  ],
  // Before the build: Flux's generator.
  [
    'failed to decode Kubernetes YAML from %s: ',
    (file) => ({
      message: `"${file}" is not a Kubernetes manifest, and without a kustomization.yaml Flux takes every YAML file for one`,
      help: 'add a kustomization.yaml that lists the manifests',
    }),
  ],
  [
    'line %d: key "%s" already set in map',
    (_, key) => ({
      rule: 'duplicate-key',
      message: `The key "${key}" stands twice in one map of this file`,
      help: 'remove one of the two',
    }),
  ],
  [
    'error converting YAML to JSON: yaml: %s\n',
    (words = '') => {
      const line = /^line (\d{1,9}): /.exec(words);
      const reason = words.slice(line?.[0].length ?? 0).replace(/ <nil>$/, '');
      return { message: `This is not valid YAML: ${reason}`, ...(line && { clue: { line: Number(line[1]) } }) };
    },
  ],
  [
    'cannot unmarshal %s into Go struct field %s of type %s\n',
    (got = '', words = '', rest = '') => {
      const [, ...path] = words.split('.');
      const [type = ''] = rest.split(/\s/, 1);
      return {
        message: `"${path.join('.')}" must be ${article(type)}, and this is ${article(got)}`,
        clue: { path },
      };
    },
  ],
  [
    "component path '%s' must be local and relative",
    (path) => ({ message: `The component path "${path}" must be relative and inside the repository` }),
  ],
  // Paths.
  [
    "fs-security-constraint %s: path '",
    (words = '') => ({
      message: `"${words.replace(/^\w+ /, '')}" lies outside the repository, where Flux reads nothing`,
      help: 'move it into the repository, and write the path relative to the kustomization',
    }),
  ],
  [
    "new root '%s' cannot be absolute",
    (path) => ({ message: `"${path}" is an absolute path`, help: 'write it relative to the kustomization' }),
  ],
  [
    /cycle detected/,
    () => ({ message: 'This kustomization includes itself', help: 'remove one of the entries that form the circle' }),
  ],
  [
    "unable to find one of %*s in directory '%s'",
    (path = '') => ({
      message: `The folder "${path}" has no kustomization.yaml`,
      help: noKustomization,
      missing: kustomizationsIn(path),
    }),
  ],
  [
    'failed to get the patch file from path(%s)',
    (path = '') => ({ message: `There is no patch file "${path}"`, help: correctPath, missing: [path] }),
  ],
  [
    'loading KV pairs: %*sopen %s: no such file or directory',
    (path = '') => ({
      message: `There is no file "${path}" for the generator to read`,
      help: correctPath,
      missing: [path],
    }),
  ],
  [
    missingFile,
    (path = '') => ({ message: `There is no file or folder "${path}"`, help: correctPath, missing: [path] }),
  ],
  // Kustomization files.
  [
    /invalid Kustomization: json: unknown field "(.+?)"/,
    (field = '') => ({
      message: `"${field}" is not a field of a kustomization`,
      help: 'correct the name, or remove it',
      clue: { path: [field] },
    }),
  ],
  [
    /kustomization\.yaml is empty/,
    () => ({ message: 'The kustomization is empty', help: 'list its resources, or remove the folder from the parent' }),
  ],
  [/kind should be Kustomization or Component/, () => notOne('kind should be Kustomization or Component')],
  [
    'apiVersion for %s should be %s\n',
    (kind, version = '') => notOne(`apiVersion for ${kind} should be ${version.split(/\s/, 1)[0]}`),
  ],
  [
    /Found multiple kustomization files/,
    () => ({
      message: 'The folder has more than one kustomization file',
      help: 'keep one of kustomization.yaml, kustomization.yml and Kustomization',
    }),
  ],
  [
    "expected kind 'Component' %*sbut got '%s'",
    (kind) => ({
      message: `A component must be of kind Component, and this is a ${kind}`,
      help: 'list it under resources, or change its kind',
    }),
  ],
  // Resources.
  [
    /may not add resource with an already registered id: ([^\s']+)/,
    (id = '') => ({
      rule: 'duplicate-object',
      message: `${describe(id)} is rendered twice`,
      help: 'remove one of the two',
      clue: kindAndName(id),
    }),
  ],
  [
    'id resid.ResId{%*sKind:"%s"%*sName:"%s", Namespace:"%s"} exists; can not use behavior',
    (kind = '', name = '', namespace) => ({
      rule: 'duplicate-object',
      message: `${named(kind, name, namespace)} is generated, and is rendered already`,
      help: 'give it another name, or set "behavior: merge" or "behavior: replace"',
    }),
  ],
  [
    'id resid.ResId{%*sKind:"%s"%*sName:"%s", Namespace:"%s"} does not exist; cannot merge or replace',
    (kind = '', name = '', namespace) => ({
      message: `${named(kind, name, namespace)} is to be merged or replaced, and nothing before it renders one`,
      help: 'list under resources what does, or leave out "behavior"',
    }),
  ],
  [
    'line %d: mapping key "%s" already defined at line %d',
    (line, key = '', first) => ({
      rule: 'duplicate-key',
      message: `The key "${key}" stands twice in one map, the first time on line ${first} of its document`,
      help: 'remove one of the two',
      clue: { key, lines: [Number(line), Number(first)] },
    }),
  ],
  [
    'invalid document separator: %s\n',
    (words = '') => {
      const [separator = ''] = words.split("': must build", 1);
      return {
        message: `"${separator}" is not a document separator`,
        help: 'put what follows the dashes on a line of its own',
        clue: { text: separator },
      };
    },
  ],
  [
    'MalformedYAMLError: yaml: %s in File',
    (words = '') => ({ message: `This is not valid YAML: ${words.replace(/^line \d+: /, '')}` }),
  ],
  [
    /missing kind in object/,
    () => ({ message: 'An object has no kind', help: wholeObject, clue: { without: ['kind'] } }),
  ],
  [
    /missing metadata\.name in object/,
    () => ({ message: 'An object has no metadata.name', help: wholeObject, clue: { without: ['metadata', 'name'] } }),
  ],
  // Patches.
  [
    'multiple matches for Id %s; failed to find unique target for patch',
    (id = '') => ({
      message: `The patch is for ${describe(id)}, which is more than one of the objects here, by their names before a prefix`,
      help: 'name the one that is meant with a target',
    }),
  ],
  [
    /failed to find unique target for patch (\S+)/,
    (id = '') => ({
      message: `The patch is for ${describe(id)}, which this kustomization does not render`,
      help: 'to change an object that is only in the cluster, list the file under resources instead',
    }),
  ],
  [
    /must specify a target for JSON patch/,
    () => ({ message: 'A JSON patch needs a target', help: 'add target, or write the patch as a partial object' }),
  ],
  [/must specify one of patch and path/, () => ({ message: 'The entry has neither patch nor path' })],
  [
    /patch and path can't be set at the same time/,
    () => ({ message: 'The entry has both patch and path', help: 'keep one of them' }),
  ],
  [
    /illegally qualifies as both an SM and JSON patch/,
    () => ({ message: 'The patch could be read both as a partial object and as JSON patch operations' }),
  ],
  [
    /unable to parse SM or JSON patch/,
    () => ({ message: 'The patch is neither a partial object nor a list of JSON patch operations' }),
  ],
  [
    /Multiple Strategic-Merge Patches in one/,
    () => ({
      message: 'An entry with a target takes one patch, and this one holds several',
      help: 'make an entry of each',
    }),
  ],
  [
    /testing value (\S+) failed|testing path (\S+) failed/,
    (value, path) => ({ message: `The test of the patch at "${value ?? path}" fails` }),
  ],
  [
    failedOperation,
    (operation, reason) => ({
      message: `The operation "${operation}" of the patch does not apply: ${reason}`,
      help: 'correct the path; an add needs its parent to be there',
    }),
  ],
  // Transformers.
  [
    /namespace transformation produces ID conflict/,
    () => ({
      rule: 'duplicate-object',
      message: 'With this namespace two objects get the same name',
      help: 'rename one of them',
    }),
  ],
  [
    'resource with name %s does not match a config',
    (name) => ({ message: `There is no workload "${name}" to scale`, help: 'correct the name, or remove the entry' }),
  ],
  [
    /nothing selected by (\S+)/,
    (id = '') => ({ message: `The source of the replacement, ${describe(id)}, is not rendered here` }),
  ],
  [
    /multiple matches for selector (\S+)/,
    (id = '') => ({ message: `The source of the replacement, ${describe(id)}, is more than one object` }),
  ],
  [
    'fieldPath `%s` is missing for replacement source',
    (path) => ({ message: `The source of the replacement has no field "${path}"` }),
  ],
  [
    'unable to find field "%s" in replacement target',
    (path) => ({
      message: `The target of the replacement has no field "${path}"`,
      help: 'correct the path, or set options.create',
    }),
  ],
  [
    "var '{%s %*scannot be mapped to a field",
    (name) => ({ message: `The variable "${name}" has no object to come from`, clue: { path: ['vars'] } }),
  ],
  // Plugins.
  [
    /must specify --enable-helm/,
    () => ({ message: 'Flux does not inflate Helm charts in a kustomization', help: 'ship a HelmRelease instead' }),
  ],
  [
    /unable to load external plugin '(.+?)'/,
    (kind) => ({ message: `Flux runs no plugins, and "${kind}" is one`, help: 'commit what the plugin makes' }),
  ],
  // Substitution.
  [
    "post build failed for '%s': %s\n",
    (object, reason) => ({ message: `The variables of "${object}" cannot be substituted: ${reason}` }),
  ],
];

export function explain(error: EngineError): Explanation {
  if (error.class === 'remote-base') {
    return {
      rule: 'remote-base',
      message: 'A remote base can change without a commit here, so it is not rendered',
      help: 'copy it into the repository, or apply it with a Flux Kustomization of its own',
    };
  }
  if (error.class === 'missing-path' && !error.field)
    return { message: 'There is no such directory for Flux to apply' };
  if (error.stage === 'limit')
    return { message: `This is not rendered, as it is more than the linter takes on: ${error.message}` };
  if (error.stage === 'internal') {
    return { message: `The engine failed: ${error.message}`, help: 'please report it as a bug of the linter' };
  }
  const said = cutText(error.message);
  for (const [text, row] of rows) {
    const found = gapsOf(text, said);
    if (found) return row(...found);
  }
  return { message: said.replace(/^kustomize build failed: /, '').split('\n', 1)[0] ?? '' };
}

function gapsOf(text: Row[0], said: string): string[] | undefined {
  if (typeof text === 'string') return matchText(text, said);
  return typeof text === 'function' ? text(said) : text.exec(said)?.slice(1);
}

function notOne(why: string): Explanation {
  return {
    message: `This file is not a kustomization: ${why}`,
    help: 'a Flux Kustomization must not be named kustomization.yaml, which is kustomize’s own name',
    clue: { path: ['apiVersion'] },
  };
}

/** `open x: no such file or directory`, and what else kustomize says of what is not there. */
function missingFile(said: string): string[] | undefined {
  const end = ': no such file or directory';
  for (const line of said.split('\n')) {
    const start = /(?:open|lstat|evalsymlink failure on) '?/.exec(line);
    const rest = start ? line.slice(start.index + start[0].length) : '';
    if (!rest.includes(end)) continue;
    const ends = ["' :", ' :', `'${end}`, end].map((mark) => rest.indexOf(mark, 1)).filter((at) => at > 0);
    return [rest.slice(0, Math.min(...ends))];
  }
  return undefined;
}

/** `add operation does not apply: …` */
function failedOperation(said: string): string[] | undefined {
  const words = ' operation does not apply: ';
  const at = said.indexOf(words);
  const operation = at < 0 ? undefined : /\w{1,20}$/.exec(said.slice(Math.max(0, at - 20), at))?.[0];
  const reason = said.slice(at + words.length).split('\n', 1)[0];
  return operation && reason ? [operation, reason] : undefined;
}

/** kustomize writes an id as `Kind.version.group/name.namespace`, with `[noGrp]` and the like for what is not there. */
const idPattern = /^([^.]+)\.(?:\[noVer\]|[^.]+)\.(?:\[noGrp\]|[^/]+)\/(.+)\.(\[noNs\]|[^.]*)$/;

/** `ConfigMap "team/settings"`. */
function describe(id: string): string {
  const [, kind, name = '', namespace] = idPattern.exec(id) ?? [];
  return kind ? named(kind, name, namespace === '[noNs]' ? '' : namespace) : `"${id}"`;
}

function named(kind: string, name: string, namespace = ''): string {
  return `${kind} "${namespace ? `${namespace}/${name}` : name}"`;
}

function kindAndName(id: string): Clue {
  const [, kind, name] = idPattern.exec(id) ?? [];
  return kind && name ? { kind, name } : { text: id };
}

/** A Go type, or JSON's word for a value, as a person says it. */
function article(type: string): string {
  const names: Record<string, string> = {
    '[]string': 'a list of strings',
    string: 'a string',
    array: 'a list',
    object: 'a map',
    bool: 'true or false',
    number: 'a number',
  };
  return names[type] ?? (type.startsWith('[]') ? 'a list' : type.startsWith('map') ? 'a map' : `a ${type}`);
}
