/** Columns whose values no tool returns. */
import type { JsonObject } from './studio-api.ts';

export interface Masks {
  readonly isEmpty: boolean;
  hasMask(table: string, column: string): boolean;
  /** The rows with their masked values replaced; NULL stays NULL. */
  apply(table: string, rows: readonly JsonObject[]): readonly JsonObject[];
}

const maskedValue = '(masked)';

/**
 * A pattern is `table.column`, or `column` in every table. `*` stands for any text; upper and lower case
 * are the same.
 */
export function createMasks(patterns: readonly string[]): Masks {
  const rules = patterns.map(readPattern);
  const hasMask: Masks['hasMask'] = (table, column) =>
    rules.some((rule) => rule.table.test(table) && rule.column.test(column));
  const maskRow = (table: string, row: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        value !== null && hasMask(table, column) ? maskedValue : value,
      ]),
    );
  return {
    isEmpty: rules.length === 0,
    hasMask,
    apply: (table, rows) => (rules.length === 0 ? rows : rows.map((row) => maskRow(table, row))),
  };
}

interface MaskRule {
  readonly table: RegExp;
  readonly column: RegExp;
}

/** The last dot separates the column, since the name of a table may contain its schema. */
function readPattern(pattern: string): MaskRule {
  const dot = pattern.lastIndexOf('.');
  const table = dot === -1 ? '*' : pattern.slice(0, dot);
  return { table: globOf(table), column: globOf(pattern.slice(dot + 1)) };
}

function globOf(pattern: string): RegExp {
  const parts = pattern
    .split('*')
    .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 'is');
}
