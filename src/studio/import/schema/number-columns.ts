/** Repeats a dump with numbers instead of booleans. */
import { StudioError } from '../../../model/errors.ts';
import { rowErrorsIn } from '../../../model/row-errors.ts';
import { asNumber, mayBecomeNumber } from '../../../sql/truth-columns.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { ReducedInput } from './plan-without-rejected.ts';

/** After so many imports that failed, all these columns become numbers: each import finds few of them. */
const maxAttempts = 3;

/**
 * The dump with those TINYINT(1) columns as numbers for which the database has rejected other numbers than 0
 * and 1. Undefined if the error has another cause.
 */
export function withNumbersOf(input: ReducedInput, error: unknown): ReducedInput | undefined {
  if (!(error instanceof StudioError)) return undefined;
  const rejected = (rowErrorsIn(error.details)?.first ?? []).filter(
    ({ value }) => typeof value === 'string' && /^-?\d+$/.test(value),
  );
  const { tables } = input.structure.schema;
  const isRejected = (table: Table, column: Column): boolean =>
    mayBecomeNumber(table, column) &&
    rejected.some((row) => row.table === table.localName && row.column === column.name);
  if (!tables.some((table) => table.columns.some((column) => isRejected(table, column))))
    return undefined;
  const becomesNumber = input.numbers.length < maxAttempts ? isRejected : mayBecomeNumber;
  const changed: string[] = [];
  const numbered = tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => {
      if (!becomesNumber(table, column)) return column;
      changed.push(`${table.name}.${column.name}`);
      return asNumber(column);
    }),
  }));
  const { structure } = input;
  return {
    ...input,
    structure: { ...structure, schema: { ...structure.schema, tables: numbered } },
    numbers: [
      ...input.numbers,
      `${changed.join(', ')} of the type TINYINT(1) become numbers, not booleans: rows have others than 0 and 1.`,
    ],
  };
}
