/**
 * Parses the expressions of T-SQL that stand without parentheses, such as `DEFAULT dbo.f(1) + 2` and
 * `AS a * b`. Operands and operators alternate, so the expression ends at the first token that
 * continues neither. https://learn.microsoft.com/en-us/sql/t-sql/language-elements/expressions-transact-sql
 */
import {
  DdlError,
  accept,
  acceptOne,
  consumeToken,
  expect,
  indexAfter,
  isAtEnd,
  offsetOf,
  parseGroup,
  parseName,
  parseQualifiedName,
  textBetween,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { words } from '../../../portable/lexer/words.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';

/** Parses an expression and returns its text. */
function parseScalar(cursor: Cursor, expected: string): string {
  const from = cursor.at;
  skipOperand(cursor, expected);
  while (acceptOperator(cursor)) skipOperand(cursor, 'an operand');
  return textBetween(cursor, from, cursor.at);
}

/** Parses the expression of a computed column. Parentheses around all of it are left off. */
export function parseComputed(cursor: Cursor): string {
  const from = cursor.at;
  const text = parseScalar(cursor, 'an expression');
  const isGroup = cursor.code[from]?.word === '(' && indexAfter(cursor, from) === cursor.at;
  return isGroup ? textBetween(cursor, from + 1, cursor.at - 1) : text;
}

/** A collation at the end of a default has no effect, because the value gets the column's collation. */
export function parseDefaultExpression(cursor: Cursor, warn: (message: string) => void): string {
  const from = cursor.at;
  const text = parseScalar(cursor, 'a default');
  const end = cursor.at - 2;
  if (end <= from || cursor.code[end]?.word !== 'COLLATE') return text;
  warn(`${textBetween(cursor, end, cursor.at)} of the default`);
  return textBetween(cursor, from, end);
}

const binaryOperators = words('+ - * / % & | ^ ||');

function acceptOperator(cursor: Cursor): boolean {
  const isShift =
    ['<', '>'].includes(wordAt(cursor)) &&
    wordAt(cursor, 1) === wordAt(cursor) &&
    cursor.code[cursor.at]?.end === cursor.code[cursor.at + 1]?.start;
  if (!isShift) return acceptOne(cursor, binaryOperators) !== undefined;
  cursor.at += 2;
  return true;
}

/** Parses an operand with its signs and with what may follow it. */
export function skipOperand(cursor: Cursor, expected: string): void {
  skipSigned(cursor, expected);
  for (;;) {
    if (accept(cursor, 'COLLATE')) parseName(cursor, 'a collation');
    else if (accept(cursor, 'AT', 'TIME', 'ZONE')) skipSigned(cursor, 'a time zone');
    else if (accept(cursor, 'OVER') || accept(cursor, 'WITHIN', 'GROUP')) parseGroup(cursor);
    else return;
  }
}

function skipSigned(cursor: Cursor, expected: string): void {
  while (acceptOne(cursor, ['+', '-', '~']) !== undefined);
  skipPrimary(cursor, expected);
}

/** Reserved words that begin no operand. Most of them are clauses of a column. */
const notOperands: ReadonlySet<string> = new Set(
  words(`
    NOT CONSTRAINT PRIMARY UNIQUE CHECK REFERENCES FOREIGN DEFAULT FOR WITH ON AS IS AND OR LIKE IN
    BETWEEN SELECT EXISTS COLLATE IDENTITY CLUSTERED NONCLUSTERED WHERE THEN ELSE END WHEN GO KEY
    CREATE ALTER DROP ADD TABLE
  `),
);

/** Signs of money literals: `$0.00`. */
const currencies = words('$ £ ¢ ¤ ¥');

function skipPrimary(cursor: Cursor, expected: string): void {
  const token = cursor.code[cursor.at];
  const word = wordAt(cursor);
  if (word === '(') parseGroup(cursor);
  else if (word === '{') skipBraces(cursor);
  else if (word === 'CASE') skipCase(cursor);
  else if (accept(cursor, 'NEXT', 'VALUE', 'FOR')) parseQualifiedName(cursor, 'a sequence');
  else if (acceptOne(cursor, currencies) !== undefined) skipMoney(cursor);
  else if (token?.kind === 'number' || token?.kind === 'string') consumeToken(cursor, expected);
  else if (isName(cursor)) skipPath(cursor);
  else throw unexpected(cursor, expected);
}

function isName({ code, at }: Cursor): boolean {
  const token = code[at];
  if (token?.kind === 'word') return !notOperands.has(token.word);
  return token?.kind === 'quoted-name' || token?.kind === 'variable';
}

/** `$0.00`, `$-5`, and the pseudocolumn `$rowguid` */
function skipMoney(cursor: Cursor): void {
  acceptOne(cursor, ['+', '-']);
  const kind = cursor.code[cursor.at]?.kind;
  if (kind !== 'number' && kind !== 'word') throw unexpected(cursor, 'an amount');
  cursor.at += 1;
}

/** A column, variable or call with its methods: `dbo.f(1)`, `[a]`, `@@SPID`, `geometry::Parse('…').STX` */
function skipPath(cursor: Cursor): void {
  consumeToken(cursor, 'a name');
  for (;;) {
    if (acceptOne(cursor, ['.', '::']) !== undefined) parseName(cursor, 'a name');
    else if (wordAt(cursor) === '(') parseGroup(cursor);
    else return;
  }
}

/** Parses from an opening to its closing word. Groups in parentheses are skipped as a whole. */
function skipNested(cursor: Cursor, [open, close]: readonly [string, string]): void {
  const start = offsetOf(cursor);
  expect(cursor, open);
  let depth = 1;
  while (depth > 0) {
    if (isAtEnd(cursor)) throw new DdlError(`The ${open} that begins here has no ${close}.`, start);
    if (wordAt(cursor) === '(') {
      parseGroup(cursor);
      continue;
    }
    if (wordAt(cursor) === open) depth += 1;
    if (wordAt(cursor) === close) depth -= 1;
    consumeToken(cursor, close);
  }
}

/** `{ts '2020-01-01 00:00:00'}`, `{fn NOW()}` */
function skipBraces(cursor: Cursor): void {
  skipNested(cursor, ['{', '}']);
}

function skipCase(cursor: Cursor): void {
  skipNested(cursor, ['CASE', 'END']);
}
