/**
 * Rows without a value in the column that the database numbers. They wait for the other rows, because
 * the database could give them a number that a later row of the file has.
 */
import { groupInKeyOrder, keysWithin } from '../core/foreign-key-groups.ts';
import { loadBatch } from './load-batch.ts';
import { moveIdentities } from './move-counters.ts';
import { createRowSpool } from './row-spool.ts';
import { pickRows } from '../../model/row-chunk.ts';
import type { ConflictRule } from '../../model/load-dialect.ts';
import type { LoadOptions } from '../../model/load.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { LoadBatch, LoadSession } from './load-batch.ts';

export interface UnnumberedRows {
  /** Keeps the rows without a number, and returns the others. */
  holdBack(this: void, batch: LoadBatch): LoadBatch;
  /** Writes the rows that were kept, parents first. Called when the others are written. */
  load(this: void, loadSession: LoadSession): Promise<void>;
  close(this: void): void;
}

/** `folder` is for the rows that wait. */
export function createUnnumberedRows(
  folder: string,
  { shouldNumberNulls = false }: LoadOptions,
): UnnumberedRows {
  const spool = createRowSpool(folder, 'unnumbered');
  const narrowedColumns = new WeakMap<readonly Column[], readonly Column[]>();
  const columnsWithout = (columns: readonly Column[], index: number): readonly Column[] => {
    const narrowed = narrowedColumns.get(columns) ?? columns.toSpliced(index, 1);
    narrowedColumns.set(columns, narrowed);
    return narrowed;
  };
  return {
    holdBack: (batch) => {
      const { columns, rows, table } = batch;
      const at = shouldNumberNulls ? columns.findIndex((column) => isNumbered(table, column)) : -1;
      const column = columns[at];
      if (column === undefined || rows.every((row) => row[at] !== null)) return batch;
      const indexes = rows.map((_, i) => i);
      const unnumbered = pickRows(
        batch,
        indexes.filter((i) => rows[i]?.[at] === null),
      );
      spool.write({
        ...unnumbered,
        columns: columnsWithout(columns, at),
        rows: unnumbered.rows.map((row) => row.toSpliced(at, 1)),
        conflict: conflictWithout(column, batch.conflict),
      });
      return pickRows(
        batch,
        indexes.filter((i) => rows[i]?.[at] !== null),
      );
    },
    load: async (loadSession) => {
      const tables = spool.tables();
      for (const table of groupInKeyOrder(tables, keysWithin(tables)).flat()) {
        const column = table.columns.find((each) => isNumbered(table, each));
        if (column !== undefined)
          await loadTable(loadSession, { table, column, batches: spool.read(table) });
      }
    },
    close: spool.close,
  };
}

/** In other columns, NULL is a value. */
function isNumbered({ primaryKey }: Table, { name, autoIncrement, nullable }: Column): boolean {
  const canBeNull = nullable && primaryKey?.columns.includes(name) !== true;
  return autoIncrement === true && !canBeNull;
}

/** A row without a part of the key is like no existing row. */
function conflictWithout({ name }: Column, conflict: ConflictRule): ConflictRule {
  const isPart =
    conflict.kind !== 'error' && conflict.key.some((part) => part.column.name === name);
  return isPart ? { kind: 'error' } : conflict;
}

interface UnnumberedTable {
  readonly table: Table;
  readonly column: Column;
  readonly batches: Iterable<LoadBatch>;
}

async function loadTable(
  loadSession: LoadSession,
  { table, column, batches }: UnnumberedTable,
): Promise<void> {
  const { dialect, options, tally } = loadSession;
  const movesIdentity = dialect.load.advanceIdentity(table, column.name) !== undefined;
  const number =
    movesIdentity && options.dryRun ? await numbering(loadSession, table, column) : undefined;
  if (number === undefined) await moveIdentities(loadSession, new Map([[column, table]]));
  let rows = 0;
  for (const batch of batches) {
    rows += batch.rows.length;
    await loadBatch(loadSession, number?.(batch) ?? batch);
  }
  tally.warn(
    `The database numbers ${rows === 1 ? 'a row' : `${rows} rows`} of table "${table.name}", for which the file has no value of column "${column.name}".`,
  );
}

/** A rollback would not take back how the identity was moved, so a dry run uses the numbers after the highest one. */
async function numbering(
  { session, dialect }: LoadSession,
  table: Table,
  column: Column,
): Promise<(batch: LoadBatch) => LoadBatch> {
  const text = `SELECT MAX(${dialect.quoteName(column.name)}) FROM ${dialect.tableName(table)}`;
  const { rows } = await session.run({ text, params: [] });
  let last = BigInt(String(rows[0]?.[0] ?? 0));
  return (batch) => ({
    ...batch,
    columns: [...batch.columns, column],
    rows: batch.rows.map((row) => [...row, ++last]),
  });
}
