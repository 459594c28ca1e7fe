import { isMap, isNode, isScalar, isSeq } from 'yaml';
import type { Entrypoint, FieldPath, Tree } from '../../core/model.js';
import { formatPath } from '../../core/object.js';
import { SourceText } from '../../yaml/source-text.js';
import type { Rule, RuleContext } from '../rule.js';
import { type Lenient, patchesOf, patchesOfFlux } from './texts.js';

const messages = {
  twice: (field: string, { what, takes }: Lenient) =>
    `duplicate key ${field} in this ${what}: kustomize uses the ${takes} one and ignores the other silently`,
};

/** A key twice in a manifest is reported by the render stage, as the build is refused. */
export default {
  id: 'duplicate-key',
  group: 'schema',
  severity: 'error',
  summary: 'duplicate key in one map: refused in a manifest; in a patch one of the two is ignored silently',
  messages,
  check(context) {
    const { entrypoints, tree } = context;
    const seen = new Set<string>();
    for (const { ok, files, entrypoint } of entrypoints) {
      const patches = ok ? files.flatMap((file) => patchesOf(file, tree)) : [];
      for (const text of [...patches, ...(ok ? patchesOfFlux(entrypoint, tree) : [])]) {
        for (const one of repeated(text)) {
          const key = `${text.file} ${one.last}`;
          if (seen.has(key)) continue;
          seen.add(key);
          tell(one, text, entrypoint, context);
        }
      }
    }
  },
} satisfies Rule;

/** Offsets are of the keys, in the file. */
type Repeated = { path: FieldPath; first: number; last: number; isSame: boolean };

function repeated({ text, root, outer, below = 0 }: Lenient): Repeated[] {
  const found: Repeated[] = [];
  const written = (value: unknown) => (isNode(value) && value.range ? text.slice(value.range[0], value.range[1]) : '');
  const visit = (node: unknown, path: FieldPath): void => {
    if (isSeq(node)) for (const [index, item] of node.items.entries()) visit(item, [...path, index]);
    if (!isMap(node)) return;
    const known = new Map<string, { at: number; value: string }>();
    for (const { key, value } of node.items) {
      if (!isScalar(key) || !key.range) continue;
      const name = String(key.value);
      const at = outer(key.range[0]);
      const first = known.get(name);
      if (!first) known.set(name, { at, value: written(value) });
      else if (path.length >= below && name !== '<<')
        found.push({ path: [...path, name], first: first.at, last: at, isSame: first.value === written(value) });
      visit(value, [...path, name]);
    }
  };
  visit(root, []);
  return found;
}

function tell(
  { path, first, last, isSame }: Repeated,
  text: Lenient,
  entrypoint: Entrypoint,
  { tree, report }: RuleContext,
): void {
  const key = String(path.at(-1));
  report({
    message: messages.twice(formatPath(path), text),
    help: 'remove one of the two',
    at: place(tree, text, last, key),
    related: [
      {
        message: text.takes === 'last' ? 'the first one, which is ignored' : 'the first one, which is used',
        at: place(tree, text, first, key),
      },
    ],
    entrypoint: entrypoint.path,
    ...(isSame && { severity: 'notice' as const }),
  });
}

function place(tree: Tree, { file }: Lenient, offset: number, key: string) {
  return { file, range: new SourceText(tree.text(file) ?? '').firstLine(offset, offset + key.length) };
}
