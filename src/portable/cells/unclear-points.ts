/** Points in numbers such as `1.234`, which can be decimal points or stand between thousands. */
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
  const decimals = profiles.filter(
    ({ kind, numbers, count }) => kind === 'decimal' && numbers < count,
  );
  if (decimals.length === 0 || decimals.some(({ hasGroupsOnly }) => !hasGroupsOnly)) return false;
  return dateOrder === 'DMY' || delimiter !== ',';
}

/** Whether the column has such numbers only, in a file that does not show what their points are. */
export function mayHaveGroups(
  { kind, count, numbers, hasGroupsOnly }: ColumnProfile,
  { hasUnclearPoints: isUnclear }: Pick<CellFormat, 'hasUnclearPoints'>,
): boolean {
  return kind === 'decimal' && numbers < count && hasGroupsOnly && isUnclear === true;
}
