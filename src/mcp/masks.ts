/** Columns whose values no tool returns. */
import { relationKeys } from './relation-keys.ts';
import type { JsonObject } from './studio-api.ts';
import type { TableInfo } from './structure.ts';

/** The masked columns of a structure. */
export interface Masks {
  hasMask(table: string, column: string): boolean;
  /** The rows with their masked values replaced; NULL stays NULL. */
  apply(table: string, rows: readonly JsonObject[]): readonly JsonObject[];
}

export interface MaskPatterns {
  readonly isEmpty: boolean;
  /** Includes the columns that reference a masked one, because they have its values. */
  within(tables: readonly TableInfo[]): Masks;
  /** The patterns that name no column of these tables. */
  unmatched(tables: readonly TableInfo[]): readonly string[];
}

const maskedValue = '(masked)';

/**
 * A pattern is `table.column`, or `column` in every table. `*` stands for any text; upper and lower case
 * are the same.
 */
export function createMasks(patterns: readonly string[]): MaskPatterns {
  const rules = patterns.map(readPattern);
  return {
    isEmpty: rules.length === 0,
    within: (tables) => masksOf((name) => rules.some((rule) => matches(rule, name)), tables),
    unmatched: (tables) => {
      const columns = tables.flatMap(({ name, columns: tableColumns }) =>
        tableColumns.map((column) => ({ table: name, column: column.name })),
      );
      return patterns.filter((_, i) => !columns.some((name) => matches(rules[i]!, name)));
    },
  };
}

interface ColumnName {
  readonly table: string;
  readonly column: string;
}

function masksOf(isNamed: (name: ColumnName) => boolean, tables: readonly TableInfo[]): Masks {
  const referencing = maskedReferences(isNamed, tables);
  const hasMask: Masks['hasMask'] = (table, column) =>
    isNamed({ table, column }) || referencing.has(keyOf({ table, column }));
  const maskRow = (table: string, row: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        value !== null && hasMask(table, column) ? maskedValue : value,
      ]),
    );
  return { hasMask, apply: (table, rows) => rows.map((row) => maskRow(table, row)) };
}

/** The columns that reference a masked column, themselves or by others. */
function maskedReferences(
  isNamed: (name: ColumnName) => boolean,
  tables: readonly TableInfo[],
): ReadonlySet<string> {
  const pairs = tables.flatMap(({ name, relations }) =>
    relations.flatMap((relation) => relationKeys(name, relation).references),
  );
  const found = new Set<string>();
  let size = -1;
  while (size < found.size) {
    size = found.size;
    for (const { from, to } of pairs)
      if (isNamed(to) || found.has(keyOf(to))) found.add(keyOf(from));
  }
  return found;
}

function keyOf({ table, column }: ColumnName): string {
  return JSON.stringify([table, column]);
}

interface MaskRule {
  readonly table: RegExp;
  readonly column: RegExp;
}

function matches(rule: MaskRule, { table, column }: ColumnName): boolean {
  return rule.table.test(table) && rule.column.test(column);
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
