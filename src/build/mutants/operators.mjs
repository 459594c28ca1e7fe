/**
 * What may be wrong at a place of a program: small, plausible mistakes (another boundary, a condition left out, one element less), as
 * texts in place of others. The kinds are those of the literature on mutation testing and of StrykerJS.
 */
import ts from 'typescript';

/**
 * @typedef {object} Mutation
 * @property {ts.Node} node what is replaced
 * @property {string} operator
 * @property {string | undefined} replacement source text; undefined for a statement that is left out
 * @property {Watch | undefined} watch where it is known when the program does something else; without, whenever it comes by
 *
 * @typedef {object} Watch
 * @property {ts.Node} node
 * @property {'true' | 'false' | 'any' | 'equal'} when its value is, as a condition; of a comparison: whether its sides are equal
 */

const { SyntaxKind } = ts;

/** Each comparison with its neighbour; strict ones with their opposite. */
const others = new Map([
  [SyntaxKind.LessThanToken, ['<=', 'boundary']],
  [SyntaxKind.LessThanEqualsToken, ['<', 'boundary']],
  [SyntaxKind.GreaterThanToken, ['>=', 'boundary']],
  [SyntaxKind.GreaterThanEqualsToken, ['>', 'boundary']],
  [SyntaxKind.EqualsEqualsEqualsToken, ['!==', 'equality']],
  [SyntaxKind.ExclamationEqualsEqualsToken, ['===', 'equality']],
  [SyntaxKind.PlusToken, ['-', 'arithmetic']],
  [SyntaxKind.MinusToken, ['+', 'arithmetic']],
  [SyntaxKind.AsteriskToken, ['/', 'arithmetic']],
]);

const logical = new Set([SyntaxKind.AmpersandAmpersandToken, SyntaxKind.BarBarToken, SyntaxKind.QuestionQuestionToken]);

/** Methods that are taken for each other; undefined for those that are forgotten. */
const methods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['find', 'findLast'],
  ['findLast', 'find'],
  ['findIndex', 'findLastIndex'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['indexOf', 'lastIndexOf'],
  ['lastIndexOf', 'indexOf'],
  ['min', 'max'],
  ['max', 'min'],
  ['filter', undefined],
  ['sort', undefined],
  ['toSorted', undefined],
  ['slice', undefined],
  ['trim', undefined],
  ['toLowerCase', undefined],
  ['reverse', undefined],
]);

/**
 * All mutations of a file, in the order of their places.
 *
 * @param {ts.SourceFile} file
 * @returns {Mutation[]}
 */
export function mutationsOf(file) {
  /** @type {Mutation[]} */
  const found = [];
  const text = (node) => node.getText(file);
  const add = (node, operator, replacement, watch) => found.push({ node, operator, replacement, watch });

  const visit = (node) => {
    // Types, imports and words that name something are not run.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (isReplaceable(node)) expression(node);
    statement(node);
    ts.forEachChild(node, visit);
  };

  const expression = (node) => {
    if (ts.isBinaryExpression(node)) binary(node);
    else if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
      add(node, 'negation', text(node.operand));
    else if (ts.isConditionalExpression(node)) {
      add(node, 'condition', text(node.whenTrue), { node: node.condition, when: 'false' });
      add(node, 'condition', text(node.whenFalse), { node: node.condition, when: 'true' });
    } else if (node.kind === SyntaxKind.TrueKeyword) add(node, 'boolean', 'false');
    else if (node.kind === SyntaxKind.FalseKeyword) add(node, 'boolean', 'true');
    else if (ts.isNumericLiteral(node)) add(node, 'number', `${Number(node.text.replaceAll('_', '')) + 1}`);
    else if (ts.isRegularExpressionLiteral(node)) pattern(node);
    else if (ts.isCallExpression(node)) call(node);
    else if (ts.isArrayLiteralExpression(node) && node.elements.length > 1) elements(node, node.elements, '[', ']');
    else if (ts.isObjectLiteralExpression(node) && node.properties.length > 0)
      elements(node, node.properties, '({', '})');
  };

  const binary = (node) => {
    const { left, right, operatorToken } = node;
    const [sign, operator] = others.get(operatorToken.kind) ?? [];
    const watch = operator === 'boundary' ? { node, when: 'equal' } : undefined;
    if (sign) add(node, operator, `${text(left)} ${sign} ${text(right)}`, watch);
    if (!logical.has(operatorToken.kind)) return;
    // The second is come by only where it counts; there, as a condition, one of its values is what the first has been.
    const isAnd = operatorToken.kind === SyntaxKind.AmpersandAmpersandToken;
    const asBefore = isAnd ? 'false' : 'true';
    add(node, 'second left out', text(left), { node: right, when: isCondition(node) ? asBefore : 'any' });
    if (operatorToken.kind === SyntaxKind.QuestionQuestionToken) add(node, 'first left out', text(right));
    else add(node, 'first left out', text(right), { node: left, when: asBefore });
  };

  const pattern = (node) => {
    const [, body, flags] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [];
    if (body === undefined) return;
    if (body.startsWith('^')) add(node, 'pattern', `/${body.slice(1)}/${flags}`);
    if (/[^\\]\$$/.test(body)) add(node, 'pattern', `/${body.slice(0, -1)}/${flags}`);
    if (flags.includes('i')) add(node, 'pattern', `/${body}/${flags.replace('i', '')}`);
  };

  const call = (node) => {
    const { expression: callee, arguments: args } = node;
    if (!ts.isPropertyAccessExpression(callee) || !methods.has(callee.name.text) || callee.questionDotToken) return;
    if (ts.isIdentifier(callee.expression) && /^[A-Z]/.test(text(callee.expression)) && callee.name.text.length > 3)
      return;
    const other = methods.get(callee.name.text);
    const object = text(callee.expression);
    add(node, 'method', other ? `${object}.${other}(${args.map(text).join(', ')})` : object);
  };

  const elements = (node, all, open, close) => {
    for (const one of all)
      add(
        node,
        'element',
        `${open}${all
          .filter((other) => other !== one)
          .map(text)
          .join(', ')}${close}`,
      );
  };

  const statement = (node) => {
    if (ts.isExpressionStatement(node) && !isCallOfSuper(node)) add(node, 'statement', undefined);
    if (!ts.isIfStatement(node)) return;
    const leaves = [SyntaxKind.ReturnStatement, SyntaxKind.ContinueStatement, SyntaxKind.ThrowStatement];
    const watch = (when) => ({ node: node.expression, when });
    if (!node.elseStatement && leaves.includes(node.thenStatement.kind))
      add(node, 'statement', undefined, watch('true'));
    else {
      add(node.expression, 'if', 'false', watch('true'));
      add(node.expression, 'if', 'true', watch('false'));
    }
  };

  visit(file);
  return found.filter(({ node, replacement }) => replacement !== text(node));
}

function isCallOfSuper({ expression }) {
  return ts.isCallExpression(expression) && expression.expression.kind === SyntaxKind.SuperKeyword;
}

/** Whether only the truth of a value counts. */
function isCondition(node) {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent)) return isCondition(parent);
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === node;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  if (ts.isPrefixUnaryExpression(parent)) return parent.operator === SyntaxKind.ExclamationToken;
  if (!ts.isBinaryExpression(parent)) return false;
  const { kind } = parent.operatorToken;
  return (kind === SyntaxKind.AmpersandAmpersandToken || kind === SyntaxKind.BarBarToken) && isCondition(parent);
}

/** Whether `(x ? y : z)` may stand in its place, and means the same where `x` does not hold. */
function isReplaceable(node) {
  const { parent } = node;
  if (!ts.isExpression(node) && !ts.isObjectLiteralExpression(node)) return false;
  if (!parent) return false;
  // Names, keys and what a pattern takes apart.
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  if (ts.isBindingElement(parent) && parent.initializer !== node) return false;
  if (ts.isLiteralTypeNode(parent) || ts.isEnumMember(parent) || ts.isComputedPropertyName(parent)) return false;
  // A constant of a type: another value is another type, but the same program.
  if (ts.isBinaryExpression(parent) && isAssignment(parent) && parent.left === node) return false;
  if (ts.isForOfStatement(parent) && parent.initializer === node) return false;
  if (ts.isTaggedTemplateExpression(parent) || ts.isExpressionWithTypeArguments(parent)) return false;
  if (ts.isDeleteExpression(parent) || ts.isPostfixUnaryExpression(parent)) return false;
  if (ts.isPrefixUnaryExpression(parent) && parent.operator !== SyntaxKind.ExclamationToken) return false;
  // Brackets would end the chain early.
  if (ts.isOptionalChain(parent) && parent.expression === node) return false;
  return !ts.isOptionalChain(node);
}

function isAssignment({ operatorToken: { kind } }) {
  return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;
}
