/**
 * The words of the pages are in `ui/src/texts`, so that they can be read in one go. Finds words in
 * JSX, and sentences or labels in code, anywhere else in `ui/src`.
 */
import type { Node } from 'oxc-parser';

import { lineAt, readSources, report } from './sources.ts';
import type { Source } from './sources.ts';

const attributesWithWords: ReadonlySet<string> = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'ariaLabel',
  'label',
  'note',
  'offReason',
  'placeholder',
  'title',
]);

/** Properties whose values are shown, also as single words in lower case. */
const propertiesWithWords: ReadonlySet<string> = new Set([
  'detail',
  'disabledReason',
  'label',
  'note',
  'title',
]);

/** Strings that look like text but are identifiers: keys, data types of a drag, grammar nodes, a column of MySQL's plans. */
const identifiers: ReadonlySet<string> = new Set([
  'Alt-Enter',
  'Enter',
  'Extra',
  'Files',
  'Mod-Enter',
  'Mod-Shift-Enter',
  'PostgreSQL',
  'Shift-Enter',
  'String',
]);

/** The name of an export, a class or a syntax node: `TablePage`. */
const isPascalCase = (text: string): boolean => /^(?:\p{Lu}\p{Ll}+){2,}$/u.test(text);

const hasWord = (text: string): boolean => /\p{L}{2}/u.test(text);

/** Begins like a sentence or a label, or has four words in a row. */
const readsAsText = (text: string): boolean =>
  /^\s*\p{Lu}\p{Ll}/u.test(text) || /(?:\p{L}+[,:]? ){3}\p{L}/u.test(text);

/** Syntax nodes whose strings are never shown: comparisons and imports. */
const withoutTexts: ReadonlySet<string> = new Set([
  'BinaryExpression',
  'ExportAllDeclaration',
  'ImportDeclaration',
  'ImportExpression',
  'SwitchCase',
]);

type ReportText = (start: number, words: string) => void;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode);
}

/** A string, or the text between the expressions of a template. */
function literalOf(node: Node): string | undefined {
  if (node.type === 'TemplateElement') return node.value.raw;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

const nameOf = (node: Node): string =>
  node.type === 'JSXIdentifier' || node.type === 'Identifier' ? node.name : '';

/** Literals that are shown as they are: attributes and properties with words, and children of elements. */
function visitShown(program: Node, reportText: ReportText): void {
  const visit = (node: Node): void => {
    if (node.type === 'JSXText') reportText(node.start, node.value);
    const isShown =
      (node.type === 'JSXAttribute' && attributesWithWords.has(nameOf(node.name))) ||
      (node.type === 'Property' && propertiesWithWords.has(nameOf(node.key)));
    if (isShown && node.value !== null) visitShownValue(node.value, reportText);
    for (const child of childrenOf(node)) {
      const isChild = node.type === 'JSXElement' || node.type === 'JSXFragment';
      if (isChild && child.type === 'JSXExpressionContainer')
        visitShownValue(child.expression, reportText);
      visit(child);
    }
  };
  visit(program);
}

/** The literals that an expression can result in, but not the arguments of its calls. */
function visitShownValue(node: Node, reportText: ReportText): void {
  const text = literalOf(node);
  if (text !== undefined) reportText(node.start, text);
  if (node.type === 'JSXExpressionContainer') visitShownValue(node.expression, reportText);
  if (node.type === 'TemplateLiteral')
    for (const quasi of node.quasis) visitShownValue(quasi, reportText);
  if (node.type === 'ConditionalExpression')
    for (const branch of [node.consequent, node.alternate]) visitShownValue(branch, reportText);
  if (node.type === 'LogicalExpression')
    for (const side of [node.left, node.right]) visitShownValue(side, reportText);
}

/** Texts anywhere in code, except class names. */
function visitTexts(program: Node, reportText: ReportText): void {
  const reportSentence: ReportText = (start, words) => {
    const isIdentifier = identifiers.has(words) || isPascalCase(words);
    if (readsAsText(words) && !isIdentifier) reportText(start, words);
  };
  const visit = (node: Node): void => {
    if (withoutTexts.has(node.type) || node.type.startsWith('TS')) return;
    if (node.type === 'JSXAttribute' && nameOf(node.name) === 'className') return;
    const text = literalOf(node);
    if (text !== undefined) reportSentence(node.start, text);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
}

export function wordsOutsideTexts({ path, text, parsed }: Source): string[] {
  const findings = new Set<string>();
  const reportText: ReportText = (start, words) => {
    if (!hasWord(words)) return;
    const sentence = words.trim().replaceAll(/\s+/g, ' ');
    findings.add(`${path}:${lineAt(text, start)} "${sentence}": move it to ui/src/texts`);
  };
  visitShown(parsed.program, reportText);
  visitTexts(parsed.program, reportText);
  return [...findings];
}

const isChecked = ({ path }: Source): boolean =>
  path.startsWith('ui/src/') && !path.startsWith('ui/src/texts/');

if (import.meta.main) report(readSources().filter(isChecked).flatMap(wordsOutsideTexts));
