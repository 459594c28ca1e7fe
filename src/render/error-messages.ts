/**
 * kustomize's and Flux's error texts in plain words. The texts are those of kustomize 0.21.1 and fluxcd/pkg 1.27.0; one
 * that is not in the table is shown as it is, which is worse to read but never wrong.
 */
import { defined } from '../core/defined.js';
import { kustomizationsIn } from '../core/kustomization.js';
import type { FieldPath } from '../core/model.js';
import { cutText } from '../engine/host/engine.js';
import type { EngineError } from '../engine/host/protocol.js';
import type { Complaint } from '../yaml/mistake.js';
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
  /** What the parser of YAML says; `line` is the engine's to know where it is left out. */
  | { syntax: Complaint }
  | { text: string }
  /** What a value begins with, in one of the files that were read. */
  | { begins: string }
  /** A document without this field. */
  | { without: FieldPath }
  | { kind: string; name: string }
  /** A key on two lines of one document, in any of the files that were read. */
  | { key: string; lines: [number, number] };

/** One kind of refusal: how its text is known, and what is said instead. */
export type ErrorMessage = {
  id: string;
  /** A pattern with at most one gap, or a template (match.ts), or what finds the gaps in a text. */
  text: RegExp | string | ((text: string) => string[] | undefined);
  explain: (...gaps: string[]) => Explanation;
};

const noKustomization = 'add a kustomization.yaml there, or list its files one by one';
const wholeObject = 'write apiVersion, kind and metadata.name in every document';
const correctPath = 'correct the path, or add what is missing';

const inQuotes = 'put the value in quotes';

/** The first row that matches explains: the particular stand before the general. */
export const errorMessages: ErrorMessage[] = [
  {
    id: 'crash',
    text: /recovered from kustomize build panic/,
    explain: () => ({
      message: 'kustomize crashes, so nothing is built',
      help: 'correct the name of an image, which is a regular expression; kustomize crashes if it is not valid',
    }),
  },
  // Values that YAML takes for something else: none is repeated.
  {
    id: 'unknown-anchor',
    text: /yaml: unknown anchor '([^']*)' referenced/,
    explain: (anchor = '') => ({
      message: 'a value begins with "*", which makes it an alias, but no anchor of that name exists',
      help: inQuotes,
      clue: { text: `*${anchor}` },
    }),
  },
  {
    id: 'wrong-tag',
    text: /cannot decode !!\w+ `[^`]*` as an? (!!\w+)/,
    explain: (tag) => ({
      message: `a value has the tag ${tag}, but another type`,
      help: `remove the tag, or ${inQuotes}`,
    }),
  },
  {
    id: 'infinite-number',
    text: /json: unsupported value: (?:[+-]Inf|NaN)/,
    explain: () => ({
      message: 'a value is .inf or .nan, which a manifest cannot contain',
      help: inQuotes,
    }),
  },
  {
    id: 'index-out-of-bounds',
    text: /options\.index (-?\d+) is out of bounds for value/,
    explain: (index) => ({
      message: `the value has no part ${index} for the replacement, with this delimiter`,
      help: 'correct options.index or options.delimiter; the first part has the index 0',
    }),
  },
  {
    id: 'map-as-key',
    text: /yaml: invalid map key: /,
    explain: () => ({
      message: 'a key is a map or a list, as "{{ name }}" without quotes is one',
      help: inQuotes,
      clue: { begins: '{{' },
    }),
  },
  // Before the build: Flux's generator.
  {
    id: 'invalid-yaml-without-kustomization',
    text: 'failed to decode Kubernetes YAML from %*s: MalformedYAMLError: yaml: %s\n',
    explain: (words = '') => {
      const { message, clue } = invalid(words, 'begin');
      return {
        message: `${message}; without a kustomization.yaml Flux applies every YAML file`,
        help: 'correct it, or add a kustomization.yaml that lists the manifests',
        ...defined({ clue }),
      };
    },
  },
  {
    id: 'not-a-manifest',
    text: 'failed to decode Kubernetes YAML from %s: ',
    explain: (file) => ({
      message: `"${file}" is not a Kubernetes manifest, but without a kustomization.yaml Flux applies every YAML file as one`,
      help: 'add a kustomization.yaml that lists the manifests',
    }),
  },
  {
    id: 'key-twice-in-kustomization',
    text: 'line %d: key "%s" already set in map',
    explain: (_, key) => ({
      rule: 'duplicate-key',
      message: `duplicate key "${key}" in one map of this file, so kustomize refuses to build it`,
      help: 'remove one of the two',
    }),
  },
  {
    id: 'invalid-yaml',
    text: 'error converting YAML to JSON: yaml: %s\n',
    explain: (words = '') => invalid(words, 'stop'),
  },
  {
    id: 'wrong-type',
    text: 'cannot unmarshal %s into Go struct field %s of type %s\n',
    explain: (got = '', words = '', rest = '') => {
      const [, ...path] = words.split('.');
      const [type = ''] = rest.split(/\s/, 1);
      return {
        message: `"${path.join('.')}" must be ${article(type)}, but is ${article(got)}`,
        clue: { path },
      };
    },
  },
  {
    id: 'component-path-not-local',
    text: "component path '%s' must be local and relative",
    explain: (path) => ({ message: `The component path "${path}" must be relative and inside the repository` }),
  },
  // Paths.
  {
    id: 'path-outside',
    text: "fs-security-constraint %s: path '",
    explain: (words = '') => ({
      message: `"${words.replace(/^\w+ /, '')}" is outside the repository, where Flux reads nothing`,
      help: 'move it into the repository, and write the path relative to the kustomization.yaml',
    }),
  },
  {
    id: 'absolute-path',
    text: "new root '%s' cannot be absolute",
    explain: (path) => ({
      message: `"${path}" is an absolute path`,
      help: 'write it relative to the kustomization.yaml',
    }),
  },
  {
    id: 'cycle',
    text: /cycle detected/,
    explain: () => ({
      message: 'this kustomization.yaml includes itself',
      help: 'remove one of the entries of the cycle',
    }),
  },
  {
    id: 'folder-without-kustomization',
    text: "unable to find one of %*s in directory '%s'",
    explain: (path = '') => ({
      message: `directory "${path}" has no kustomization.yaml`,
      help: noKustomization,
      missing: kustomizationsIn(path),
    }),
  },
  {
    id: 'missing-patch-file',
    text: 'failed to get the patch file from path(%s)',
    explain: (path = '') => ({ message: `patch file "${path}" does not exist`, help: correctPath, missing: [path] }),
  },
  {
    id: 'missing-generator-file',
    text: 'loading KV pairs: %*sopen %s: no such file or directory',
    explain: (path = '') => ({
      message: `file "${path}" of the generator does not exist`,
      help: correctPath,
      missing: [path],
    }),
  },
  {
    id: 'missing-file',
    text: missingFile,
    explain: (path = '') => ({
      message: `file or directory "${path}" does not exist`,
      help: correctPath,
      missing: [path],
    }),
  },
  // Kustomization files.
  {
    id: 'unknown-kustomization-field',
    text: /invalid Kustomization: json: unknown field "(.+?)"/,
    explain: (field = '') => ({
      message: `unknown field "${field}" in kustomization.yaml`,
      help: 'correct the name, or remove it',
      clue: { path: [field] },
    }),
  },
  {
    id: 'empty-kustomization',
    text: /kustomization\.yaml is empty/,
    explain: () => ({
      message: 'the kustomization.yaml is empty',
      help: 'list its resources, or remove the directory from its parent',
    }),
  },
  {
    id: 'not-a-kustomization-kind',
    text: /kind should be Kustomization or Component/,
    explain: () => notOne('kind should be Kustomization or Component'),
  },
  {
    id: 'not-a-kustomization-version',
    text: 'apiVersion for %s should be %s\n',
    explain: (kind, version = '') => notOne(`apiVersion for ${kind} should be ${version.split(/\s/, 1)[0]}`),
  },
  {
    id: 'several-kustomization-files',
    text: /Found multiple kustomization files/,
    explain: () => ({
      message: 'the directory has more than one kustomization.yaml',
      help: 'keep one of kustomization.yaml, kustomization.yml and Kustomization',
    }),
  },
  {
    id: 'not-a-component',
    text: "expected kind 'Component' %*sbut got '%s'",
    explain: (kind) => ({
      message: `a component must be of kind Component, but is of kind ${kind}`,
      help: 'list it under resources, or change its kind',
    }),
  },
  // Resources.
  {
    id: 'object-twice',
    text: /may not add resource with an already registered id: ([^\s']+)/,
    explain: (id = '') => ({
      rule: 'duplicate-object',
      message: `duplicate ${describe(id)}, so kustomize refuses to build it`,
      help: 'remove one of the two',
      clue: kindAndName(id),
    }),
  },
  {
    id: 'generated-object-twice',
    text: 'id resid.ResId{%*sKind:"%s"%*sName:"%s", Namespace:"%s"} exists; can not use behavior',
    explain: (kind = '', name = '', namespace) => ({
      rule: 'duplicate-object',
      message: `generated ${named(kind, name, namespace)} exists already, so kustomize refuses to build it`,
      help: 'rename it, or set "behavior: merge" or "behavior: replace"',
    }),
  },
  {
    id: 'nothing-to-merge',
    text: 'id resid.ResId{%*sKind:"%s"%*sName:"%s", Namespace:"%s"} does not exist; cannot merge or replace',
    explain: (kind = '', name = '', namespace) => ({
      message: `${named(kind, name, namespace)} is to be merged or replaced, but does not exist before`,
      help: 'list it under resources, or remove "behavior"',
    }),
  },
  {
    id: 'key-twice-in-resource',
    text: 'line %d: mapping key "%s" already defined at line %d',
    explain: (line, key = '', first) => ({
      rule: 'duplicate-key',
      message: `duplicate key "${key}", first set on line ${first} of its document, so kustomize refuses to build it`,
      help: 'remove one of the two',
      clue: { key, lines: [Number(line), Number(first)] },
    }),
  },
  {
    id: 'document-separator',
    text: 'invalid document separator: %s\n',
    explain: (words = '') => {
      const [separator = ''] = words.split("': must build", 1);
      return {
        message: `"${separator}" is not a document separator`,
        help: 'put what follows the dashes on its own line',
        clue: { text: separator },
      };
    },
  },
  {
    id: 'invalid-yaml-in-resource',
    text: 'MalformedYAMLError: yaml: %s in File',
    explain: (words = '') => invalid(words, 'begin'),
  },
  {
    id: 'no-kind',
    text: /missing kind in object/,
    explain: () => ({ message: 'an object has no kind', help: wholeObject, clue: { without: ['kind'] } }),
  },
  {
    id: 'no-name',
    text: /missing metadata\.name in object/,
    explain: () => ({
      message: 'an object has no metadata.name',
      help: wholeObject,
      clue: { without: ['metadata', 'name'] },
    }),
  },
  // Patches.
  {
    id: 'ambiguous-patch',
    text: 'multiple matches for Id %s; failed to find unique target for patch',
    explain: (id = '') => ({
      message: `the patch is for ${describe(id)}, but more than one object had that name before a prefix was added`,
      help: 'select one with a target',
    }),
  },
  {
    id: 'patch-without-object',
    text: /failed to find unique target for patch (\S+)/,
    explain: (id = '') => ({
      message: `the patch is for ${describe(id)}, which this kustomization.yaml does not render`,
      help: 'to change an object that is only in the cluster, list the file under resources instead',
    }),
  },
  {
    id: 'json-patch-without-target',
    text: /must specify a target for JSON patch/,
    explain: () => ({
      message: 'a JSON patch needs a target',
      help: 'add target, or write the patch as a partial object',
    }),
  },
  {
    id: 'invalid-json-patch',
    text: invalidJsonPatch,
    explain: (reason = '') => ({ message: `the JSON patch is invalid YAML: ${reason.replace(/^line \d{1,9}: /, '')}` }),
  },
  {
    id: 'neither-patch-nor-path',
    text: /must specify one of patch and path/,
    explain: () => ({ message: 'the entry has neither patch nor path' }),
  },
  {
    id: 'patch-and-path',
    text: /patch and path can't be set at the same time/,
    explain: () => ({ message: 'the entry has both patch and path', help: 'keep one of them' }),
  },
  {
    id: 'unparsable-patch',
    text: /unable to parse SM or JSON patch/,
    explain: () => ({
      message: 'the patch is neither a partial object nor a list of JSON patch operations',
      clue: { syntax: { names: 'begin' } },
    }),
  },
  {
    id: 'several-patches',
    text: /Multiple Strategic-Merge Patches in one/,
    explain: () => ({
      message: 'an entry with a target can have only one patch, but this one has several',
      help: 'write one entry for each',
    }),
  },
  {
    id: 'failed-test',
    text: /testing value (\S+) failed|testing path (\S+) failed/,
    explain: (value, path) => ({ message: `the test of the patch at "${value ?? path}" fails` }),
  },
  {
    id: 'failed-operation',
    text: failedOperation,
    explain: (operation, reason) => ({
      message: `operation "${operation}" of the patch fails: ${reason}`,
      help: 'correct the path; for an add, its parent must exist',
    }),
  },
  // Transformers.
  {
    id: 'namespace-conflict',
    text: /namespace transformation produces ID conflict/,
    explain: () => ({
      rule: 'duplicate-object',
      message: 'two objects get the same name in this namespace, so kustomize refuses to build them',
      help: 'rename one of them',
    }),
  },
  {
    id: 'nothing-to-scale',
    text: 'resource with name %s does not match a config',
    explain: (name) => ({
      message: `workload "${name}" does not exist and cannot be scaled`,
      help: 'correct the name, or remove the entry',
    }),
  },
  {
    id: 'no-replacement-source',
    text: /nothing selected by (\S+)/,
    explain: (id = '') => ({ message: `the source of the replacement, ${describeSource(id)}, does not exist here` }),
  },
  {
    id: 'ambiguous-replacement-source',
    text: /multiple matches for selector (\S+)/,
    explain: (id = '') => ({
      message: `the source of the replacement, ${describeSource(id)}, is more than one object`,
    }),
  },
  {
    id: 'no-replacement-source-field',
    text: 'fieldPath `%s` is missing for replacement source',
    explain: (path) => ({ message: `the source of the replacement has no field "${path}"` }),
  },
  {
    id: 'no-replacement-target-field',
    text: 'unable to find field "%s" in replacement target',
    explain: (path) => ({
      message: `the target of the replacement has no field "${path}"`,
      help: 'correct the path, or set options.create',
    }),
  },
  {
    id: 'unmapped-variable',
    text: "var '{%s %*scannot be mapped to a field",
    explain: (name) => ({
      message: `variable "${name}" refers to an object that does not exist`,
      clue: { path: ['vars'] },
    }),
  },
  // Plugins.
  {
    id: 'helm-chart',
    text: /must specify --enable-helm/,
    explain: () => ({
      message: 'Flux does not render Helm charts in a kustomization.yaml',
      help: 'write a HelmRelease instead',
    }),
  },
  {
    id: 'plugin',
    text: /unable to load external plugin '(.+?)'/,
    explain: (kind) => ({
      message: `Flux runs no kustomize plugins, but "${kind}" is one`,
      help: 'commit what the plugin generates',
    }),
  },
  // Substitution.
  {
    id: 'failed-substitution',
    text: "post build failed for '%s': %s\n",
    explain: (object, reason) => ({ message: `variables of "${object}" cannot be substituted: ${reason}` }),
  },
];

export function explain(error: EngineError): Explanation {
  if (error.class === 'remote-base') {
    return {
      rule: 'remote-base',
      message: 'A remote base can change without a commit here, so it is neither rendered nor checked',
      help: 'copy it into the repository, or apply it with a Flux Kustomization of its own',
    };
  }
  if (error.class === 'missing-path' && !error.field)
    return { rule: 'missing-entrypoint', message: 'the directory that Flux applies does not exist' };
  if (error.stage === 'limit')
    return { message: `This is not rendered, as it exceeds a limit of the linter: ${error.message}` };
  if (error.stage === 'internal') {
    return {
      message: `the build failed inside the linter: ${error.message}`,
      help: 'report it as a bug of the linter',
    };
  }
  const said = cutText(error.message);
  for (const { text, explain } of errorMessages) {
    const found = gapsOf(text, said);
    if (found) return explain(...found);
  }
  return { message: said.replace(/^kustomize build failed: /, '').split('\n', 1)[0] ?? '' };
}

function gapsOf(text: ErrorMessage['text'], said: string): string[] | undefined {
  if (typeof text === 'string') return matchText(text, said);
  return typeof text === 'function' ? text(said) : text.exec(said)?.slice(1);
}

/** The words of go-yaml, and where it names a line. */
function invalid(said: string, names: Complaint['names']): Explanation {
  const line = /^line (\d{1,9}): /.exec(said);
  const reason = said.slice(line?.[0].length ?? 0).replace(/ <nil>$/, '');
  return {
    message: `invalid YAML: ${reason}`,
    clue: { syntax: { reason, names, ...(line && { line: Number(line[1]) }) } },
  };
}

function notOne(why: string): Explanation {
  return {
    message: `the file is not a kustomization.yaml: ${why}`,
    help: 'do not name the file of a Flux Kustomization kustomization.yaml',
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

/** The patch stands between, lines and all. */
function invalidJsonPatch(said: string): string[] | undefined {
  const mark = '`: yaml: ';
  const at = said.includes('PatchJson6902Transformer') ? said.lastIndexOf(mark) : -1;
  const reason = said.slice(at + mark.length).split('\n', 1)[0];
  return at >= 0 && reason ? [reason] : undefined;
}

/** kustomize writes an id as `Kind.version.group/name.namespace`, with `[noGrp]` and the like for what is not there. */
const idPattern = /^([^.]+)\.(?:\[noVer\]|[^.]+)\.(?:\[noGrp\]|[^/]+)\/(.+)\.(\[noNs\]|[^.]*)$/;

/** `ConfigMap "team/settings"`. */
function describe(id: string): string {
  const [, kind, name = '', namespace] = idPattern.exec(id) ?? [];
  if (name === '[noName]') return `any ${kind}`;
  return kind ? named(kind, name, namespace === '[noNs]' ? '' : namespace) : `"${id}"`;
}

/** A selector is an id, and a colon with the field where it names one. */
function describeSource(selector: string): string {
  const none = selector.indexOf('[noNs]:');
  const end = none < 0 ? selector.lastIndexOf(':') : none + '[noNs]'.length;
  return describe(end < 0 ? selector : selector.slice(0, end));
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
