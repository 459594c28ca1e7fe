/** The regular expressions of our own sources, as the compiler sees them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './cli.js';

/** `source` is undefined where the expression is made at run time. */
export type Pattern = { file: string; line: number; source?: string; flags: string };

/** Every literal, and every call of the constructor, in the TypeScript files below `src`. */
export function patterns(): Pattern[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort();
  return files.flatMap((file) => patternsIn(`src/${file}`, readFileSync(join(root, 'src', file), 'utf8')));
}

export function patternsIn(file: string, text: string): Pattern[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Pattern[] = [];
  const add = (node: ts.Node, words: { source?: string; flags: string }) => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push({ file, line, ...words });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(node, { source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isConstructor(node.expression)) {
      const [source, flags] = node.arguments ?? [];
      const known = source && ts.isStringLiteralLike(source) && (!flags || ts.isStringLiteralLike(flags));
      add(node, {
        ...(known && { source: source.text }),
        flags: known && flags && ts.isStringLiteralLike(flags) ? flags.text : '',
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** `RegExp` itself, or as a property of the global object. */
function isConstructor(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return node.text === 'RegExp';
  return ts.isPropertyAccessExpression(node) && node.name.text === 'RegExp';
}
