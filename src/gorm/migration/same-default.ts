/**
 * Compares the default of a model with the expression that a database reports for it. Databases add
 * casts, brackets and quotes, and write literals and function names in their own way.
 */
import type { ColumnKind } from '../../model/schema.ts';
import type { GormDialect } from '../gorm-dialect.ts';

export function isSameDefault(
  reported: string,
  ofModel: string,
  { kind, dialect }: { readonly kind: ColumnKind; readonly dialect: GormDialect },
): boolean {
  const [a, b] = [reported, ofModel].map((text) => plainDefault(text, dialect)) as [string, string];
  if (kind === 'binary' && textOfBytes(a) === b) return true;
  return a === b || (!textKinds.has(kind) && (isSameNumber(a, b) || isSameDate(a, b)));
}

/** The text of bytes that PostgreSQL reports as `\x78`. */
function textOfBytes(literal: string): string | undefined {
  const hex = /^\\x([\da-f]*)$/i.exec(literal)?.[1];
  return hex === undefined ? undefined : Buffer.from(hex, 'hex').toString();
}

/** Kinds whose values are texts: `05` and `5` are different ones. */
const textKinds: ReadonlySet<ColumnKind> = new Set(['text', 'enum', 'set']);

const quoted = /^(?:[enb]|_utf8mb4)?(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)")$/i;

const booleans: ReadonlyMap<string, string> = new Map([
  ['true', '1'],
  ['false', '0'],
]);

/** The content of a literal; any other expression in lower case, without casts, outer brackets and blanks. */
function plainDefault(text: string, dialect: GormDialect): string {
  const withoutWrapping = withoutBrackets(withoutCasts(text.trim()));
  const literal = quoted.exec(withoutWrapping);
  if (literal !== null)
    return literal[1]?.replaceAll("''", "'") ?? literal[2]?.replaceAll('""', '"') ?? '';
  const expression = withoutWrapping.toLowerCase().replaceAll(/\s+/g, '');
  return booleans.get(expression) ?? dialect.normalizeDefaultCall(expression);
}

/** `'a'::character varying(20)` is `'a'`. Quoted texts stay unchanged. */
function withoutCasts(text: string): string {
  return text.replaceAll(
    /('(?:[^']|'')*')|::(?:"[^"]*"|[a-z_][\w.]*(?: (?:varying|precision|with(?:out)? time zone))*)(?:\(\d+(?:,\s*\d+)?\))?(?:\[\])*/gi,
    (_, literal: string | undefined) => literal ?? '',
  );
}

function withoutBrackets(text: string): string {
  const inner = /^\((.*)\)$/s.exec(text)?.[1]?.trim();
  return inner === undefined || !isBalanced(inner) ? text : withoutBrackets(inner);
}

/** Whether no bracket closes one that was opened before the text. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/'(?:[^']|'')*'|[()]/g)) {
    if (token === '(') depth++;
    if (token === ')') depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

const numeric = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function isSameNumber(a: string, b: string): boolean {
  if (!numeric.test(a) || !numeric.test(b)) return false;
  const areIntegers = [a, b].every((text) => /^[+-]?\d+$/.test(text));
  return areIntegers ? BigInt(unsigned(a)) === BigInt(unsigned(b)) : Number(a) === Number(b);
}

/** BigInt rejects a plus sign. */
function unsigned(text: string): string {
  return text.replace(/^\+/, '');
}

/** A database shows a time in the time zone of its session, so only the texts of dates can be compared. */
function isSameDate(a: string, b: string): boolean {
  const withTime = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/;
  return withTime.test(a) && withTime.test(b);
}
