import { quoteExpression, quoteText } from './syntax.ts';

const textLiteral = /^N?'((?:[^'\\]|'')*)'$/;
/** PostgreSQL tells the type of every text. */
const castText = /^('(?:[^'\\]|'')*')::[\w ."()]+(?:\[\])?$/;
const number = /^-?\d+(?:\.\d+)?$/;
const constant = /^(?:true|false|null)$/i;

/**
 * A default as one of DBML's: a text, a number, a word, else an expression in backticks; undefined
 * where that is impossible. A number that a double would change is an expression too.
 */
export function formatDefault(expression: string): string | undefined {
  const bare = withoutCast(withoutBrackets(expression));
  const text = textLiteral.exec(bare)?.[1];
  if (text !== undefined) return quoteText(text.replaceAll("''", "'"));
  if (number.test(bare) && String(Number(bare)) === bare) return bare;
  if (constant.test(bare)) return bare.toLowerCase();
  return quoteExpression(bare);
}

/** SQL Server's own, around the whole. */
function withoutBrackets(expression: string): string {
  return isBracketed(expression) ? withoutBrackets(expression.slice(1, -1)) : expression;
}

function isBracketed(expression: string): boolean {
  if (!/^\([\s\S]*\)$/.test(expression)) return false;
  const bare = expression.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\[[^\]]*\]/g, '');
  let depth = 0;
  for (const [i, sign] of [...bare].entries()) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (depth === 0) return i === bare.length - 1;
  }
  return false;
}

function withoutCast(expression: string): string {
  return castText.exec(expression)?.[1] ?? expression;
}
