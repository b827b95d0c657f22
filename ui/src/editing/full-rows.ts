import { client } from '../api/client.ts';
import type { Column, Row } from '../api/queries.ts';
import { truncatedValueOf } from '../cells/value-kind.ts';
import type { Block } from '../grid/selection.ts';
import type { EditTarget } from './edit-target.ts';
import { rowsBetween, rowValuesOf } from './shown-rows.ts';
import type { ShownRow } from './shown-rows.ts';
import { editingTexts as texts } from '../texts/editing.ts';

/** Returns the rows of a block with the full values of the given columns. Throws if a row has not been read yet. */
export async function readFullRows(
  { table, rows }: EditTarget,
  { top, bottom }: Pick<Block, 'top' | 'bottom'>,
  columns: readonly Column[],
): Promise<readonly Row[]> {
  const shownRows = rowsBetween(rows, top, bottom);
  if (shownRows.length < bottom - top + 1) throw new Error(texts.rowsNotLoadedForCopy);
  return Promise.all(shownRows.map((row) => readFullRow(table.name, row, columns)));
}

/** Reads the row again if the list truncated one of its values. */
async function readFullRow(
  table: string,
  shownRow: ShownRow,
  columns: readonly Column[],
): Promise<Row> {
  const row = rowValuesOf(shownRow);
  const isTruncated = columns.some(({ name }) => truncatedValueOf(row[name] ?? null) !== undefined);
  if (!isTruncated || shownRow.kind === 'new' || shownRow.stored === undefined) return row;
  const { body } = await client.call('GET /tables/:table/rows/:id', {
    params: { table, id: shownRow.stored.id },
    query: { show_deleted: true },
  });
  return { ...body, ...shownRow.values };
}
