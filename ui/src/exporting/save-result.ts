import type { Cell } from '../../../src/contract/client/client.ts';
import { guardFormula } from '../../../src/portable/files/guard-formula.ts';
import type { Row } from '../api/queries.ts';
import { saveText } from '../importing/save-text.ts';
import { formatRows } from '../rows-text/format-rows.ts';
import type { ExportChoices, ResultFormat } from './export-choices.ts';
import type { ShownResult } from './shown-result.ts';

const files: Readonly<Record<ResultFormat, readonly [extension: string, type: string]>> = {
  csv: ['csv', 'text/csv'],
  json: ['json', 'application/json'],
  ndjson: ['ndjson', 'application/x-ndjson'],
  sql: ['sql', 'application/sql'],
  markdown: ['md', 'text/markdown'],
};

/** Saves a query result as a file. The page creates the file, because it already has the rows. */
export function saveResult(
  { resultFormat: format, guardsFormulas }: ExportChoices,
  { columns, rows, driver }: ShownResult,
): void {
  const [extension, type] = files[format];
  const guard = format === 'csv' && guardsFormulas ? guarded : <T>(value: T): T => value;
  const text = formatRows(format, {
    path: ['result'],
    columns: columns.map((name) => ({ name })),
    rows: rows.map((row) => mapValues(row, guard)),
    driver,
  });
  saveText({ name: `result.${extension}`, type, text });
}

const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;

/** Large numbers are strings here. They must not be guarded as formulas. */
function guarded(value: Cell): Cell {
  return typeof value === 'string' && !plainNumber.test(value) ? guardFormula(value) : value;
}

function mapValues(row: Row, change: (value: Cell) => Cell): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, change(value)]));
}
