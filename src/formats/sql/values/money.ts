/**
 * Amounts as PostgreSQL writes values of `money`: in the format of the server's locale, with its
 * currency symbol. https://www.postgresql.org/docs/current/datatype-money.html
 */
import { StudioError } from '../../../model/errors.ts';
import type { Column, ColumnKind } from '../../../model/schema.ts';

const numberKinds: ReadonlySet<ColumnKind> = new Set(['integer', 'decimal', 'float']);

/** Reads texts for a column of numbers: an amount with a currency symbol becomes its digits, other texts stay as they are. */
export function amountReader(column: Column): (text: string) => string {
  if (!numberKinds.has(column.type.kind)) return (text) => text;
  return (text) => (/\p{Sc}/u.test(text) ? readAmount(text, column) : text);
}

/** A symbol, maybe with letters as in `R$`, before or after the number, and one sign or parentheses. */
const amount =
  /^(?<open>\()?(?<leading>[-\s]*)(?<before>[A-Za-z.]{0,3}\p{Sc}[\s]*)?(?<inner>-?)\s*(?<number>\d(?:[\d.,'’ \u00a0\u202f]*\d)?)(?<after>[-\s]*)(?<symbol>[A-Za-z.]{0,3}\p{Sc})?(?<end>-?)(?<close>\))?$/u;

function readAmount(text: string, column: Column): string {
  const { open, close, leading, inner, after, end, before, symbol, number } =
    amount.exec(text.trim())?.groups ?? {};
  const minuses = `${leading}${inner}${after}${end}`.replaceAll(/[^-]/g, '').length;
  const hasOneSymbol = (before === undefined) !== (symbol === undefined);
  const isBalanced = (open === undefined) === (close === undefined);
  const isNegative = open !== undefined || minuses === 1;
  if (number === undefined || !hasOneSymbol || !isBalanced || minuses + (open ? 1 : 0) > 1)
    throw amountError(column, text, 'is not an amount of money');
  const digits = digitsOf(number);
  if (digits === undefined)
    throw amountError(column, text, 'has separators that do not say which digits are decimals');
  return `${isNegative ? '-' : ''}${digits}`;
}

/**
 * The digits with a decimal point, if the separators are certain. Of two different separators the last
 * one is the decimal separator. A single one before three digits may be either.
 */
function digitsOf(number: string): string | undefined {
  const separators: readonly string[] = number.match(/\D/g) ?? [];
  const groups = number.split(/\D/);
  const last = separators.at(-1);
  const [first = ''] = separators;
  if (last === undefined) return number;
  const hasDecimals =
    isDecimalSeparator(last) && separators.indexOf(last) === separators.length - 1;
  if (separators.length === 1) {
    const isCertain = groups[1]?.length !== 3 || groups[0] === '0' || (groups[0]?.length ?? 0) > 3;
    if (hasDecimals) return isCertain ? groups.join('.') : undefined;
    return isGrouped(groups) ? groups.join('') : undefined;
  }
  const grouping = hasDecimals ? separators.slice(0, -1) : separators;
  if (grouping.some((each) => each !== first)) return undefined;
  const integerGroups = hasDecimals ? groups.slice(0, -1) : groups;
  if (!isGrouped(integerGroups)) return undefined;
  return hasDecimals ? `${integerGroups.join('')}.${groups.at(-1)}` : integerGroups.join('');
}

function isDecimalSeparator(text: string): boolean {
  return text === '.' || text === ',';
}

/** Groups of three digits; in India the groups before the last have two. */
function isGrouped([first = '', ...otherGroups]: readonly string[]): boolean {
  const sizes = otherGroups.map(({ length }) => length);
  const before = new Set(sizes.slice(0, -1));
  const isRegular = before.size === 0 || (before.size === 1 && (before.has(3) || before.has(2)));
  return first.length <= 3 && sizes.at(-1) === 3 && isRegular;
}

function amountError({ name, nativeType }: Column, text: string, reason: string): StudioError {
  const excerpt = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
  return new StudioError(
    'invalid_value',
    `Column "${name}" (${nativeType}): ${excerpt} ${reason}. Dump the column as numeric, or write the amount as a number.`,
    { column: name },
  );
}
