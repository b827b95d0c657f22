import { quoteExpression, quoteText } from './syntax.ts';

const textLiteral = /^N?'((?:[^'\\]|'')*)'$/;
/** PostgreSQL adds the type to every string literal. */
const castText = /^('(?:[^'\\]|'')*')::[\w ."()]+(?:\[\])?$/;
const number = /^-?\d+(?:\.\d+)?$/;
const constant = /^(?:true|false|null)$/i;

/**
 * Renders a default in DBML: a string, a number, a constant, otherwise an expression in backticks;
 * undefined if that is impossible. Numbers that a double cannot hold exactly become expressions.
 */
export function formatDefault(expression: string): string | undefined {
  const bare = withoutCast(withoutBrackets(expression));
  const text = textLiteral.exec(bare)?.[1];
  if (text !== undefined) return quoteText(text.replaceAll("''", "'"));
  if (number.test(bare) && String(Number(bare)) === bare) return bare;
  if (constant.test(bare)) return bare.toLowerCase();
  return quoteExpression(bare);
}

/** Removes the brackets that SQL Server puts around every default. */
function withoutBrackets(expression: string): string {
  return isBracketed(expression) ? withoutBrackets(expression.slice(1, -1)) : expression;
}

function isBracketed(expression: string): boolean {
  if (!/^\([\s\S]*\)$/.test(expression)) return false;
  const bare = expression.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\[[^\]]*\]/g, '');
  let depth = 0;
  for (const [i, character] of [...bare].entries()) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth === 0) return i === bare.length - 1;
  }
  return false;
}

function withoutCast(expression: string): string {
  return castText.exec(expression)?.[1] ?? expression;
}
