/** Points and commas in numbers such as `1.234`, which can be decimal ones or stand between thousands. */
import type { CellFormat } from './cell-format.ts';
import type { ColumnProfile } from './column-profile.ts';

/** What the columns of a file show together. */
export interface PointEvidence {
  readonly profiles: readonly ColumnProfile[];
  readonly format: Pick<CellFormat, 'decimal' | 'dateOrder'>;
  /** Undefined for files that are not CSV. */
  readonly delimiter: string | undefined;
}

/**
 * Whether nothing in the file shows what points are. They are decimal points if a number has another number of
 * decimals, or thousands without a point. Where the decimal character is a comma, fields are rarely separated by
 * commas, and dates often begin with the day.
 */
export function hasUnclearPoints({ profiles, format, delimiter }: PointEvidence): boolean {
  const { decimal, dateOrder } = format;
  if (decimal === 'point' || decimal === 'comma') return false;
  const decimals = profiles.filter(hasDecimalTexts);
  if (decimals.length === 0 || decimals.some(({ hasGroupsOnly }) => !hasGroupsOnly)) return false;
  return dateOrder === 'DMY' || delimiter !== ',';
}

/** Whether the column has such numbers only, in a file that does not show what their points are. */
export function mayHaveGroups(
  profile: ColumnProfile,
  { hasUnclearPoints: isUnclear }: Pick<CellFormat, 'hasUnclearPoints'>,
): boolean {
  return hasDecimalTexts(profile) && profile.hasGroupsOnly && isUnclear === true;
}

/** Whether cells are texts of decimals. The numbers that a workbook stores have a decimal point. */
export function hasDecimalTexts({ kind, count, numbers }: ColumnProfile): boolean {
  return kind === 'decimal' && numbers < count;
}

/** The decimal character by which the import reads the numbers of a column. Undefined if they are texts, or plain numbers. */
export function decimalOf(
  { kind, count, numbers, hasFractions, local }: ColumnProfile,
  { decimal, isDecimalRequested = false }: Pick<CellFormat, 'decimal' | 'isDecimalRequested'>,
): 'comma' | 'point' | undefined {
  const notation = local?.notation;
  if (notation?.kind !== 'number') return undefined;
  if (decimal === 'point') return notation.canBePoint ? decimal : undefined;
  // A point in a number of a workbook is a decimal point. In a text it may separate thousands.
  if (decimal !== 'comma' || !notation.canBeComma || hasFractions) return undefined;
  // Where each point can be a decimal point too, other columns do not make the numbers thousands.
  const hasDoubt = kind === 'decimal' && (numbers === count || !isDecimalRequested);
  return hasDoubt ? undefined : decimal;
}
