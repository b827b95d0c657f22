/**
 * Removes rejected rows of tables whose foreign keys form a cycle: rows with dangling references, and
 * all rows that depend on them. They are removed together, because they may reference each other.
 */
import { raw, sql } from '../../model/fragment.ts';
import { render } from '../../sql/render.ts';
import {
  batchesOf,
  collectDependents,
  keyColumns,
  keyText,
  keyedRowOf,
  matchesAny,
  readDangling,
} from './cycle-rows.ts';
import { importError, rejectRow } from './load-batch.ts';
import { nullableKeyColumns } from './plan-cycle.ts';
import type { StudioError } from '../../model/errors.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { CycleTables, KeyedRow } from './cycle-rows.ts';
import type { FailedRows, LoadSession } from './load-batch.ts';

export interface RejectedRows {
  /** Rows that were inserted, and whose later update failed. */
  readonly failed: FailedRows;
  /** Removes the rejected rows and all rows that depend on them. */
  remove(): Promise<void>;
}

/** Must be called before the rows of the cycle are written: references that dangle before are not errors of the load. */
export async function trackRejectedRows(
  loadSession: LoadSession,
  cycle: CycleTables,
): Promise<RejectedRows> {
  const isSkipping = loadSession.options.onError === 'skip';
  const readAll = async (): Promise<readonly KeyedRow[]> =>
    isSkipping ? readDangling(loadSession, cycle) : [];
  const knownKeys = new Set((await readAll()).map(keyText));
  const addedRows: KeyedRow[] = [];
  return {
    failed: {
      add: (batch, failure) => {
        rejectRow(loadSession, batch, { ...failure, wasInserted: true });
        addedRows.push(keyedRowOf(batch));
      },
    },
    remove: async () => {
      const added = new Set(addedRows.map(keyText));
      const found = (await readAll()).filter((each) => !knownKeys.has(keyText(each)));
      const [first] = [...found, ...addedRows];
      if (first === undefined) return;
      for (const table of cycle.order)
        if (await loadSession.session.runsTriggers(table, ['insert', 'delete']))
          throw triggersRanError(first);
      const report = (each: KeyedRow): void => reportDependent(loadSession, each);
      const from = new Map([...addedRows, ...found].map((each) => [keyText(each), each]));
      for (const [text, each] of from) if (!added.has(text)) report(each);
      const levels = await collectDependents(loadSession, cycle, {
        from: [...from.values()],
        onFound: report,
      });
      await deleteAll(loadSession, cycle, levels);
    },
  };
}

function reportDependent({ tally, options }: LoadSession, { table, key }: KeyedRow): void {
  const names = keyColumns(table).map(({ name }, i) => `${name} ${String(key[i])}`);
  const error = {
    code: 'foreign_key_violation',
    table: table.name,
    message: `The row with ${names.join(', ')} references a row that does not exist or was skipped.`,
  };
  options.onRejected?.(error);
  tally.rejected(table, { errors: [error], wasInserted: true });
}

/** Deleting a row does not undo what its triggers wrote. */
function triggersRanError({ table, key }: KeyedRow): StudioError {
  const names = keyColumns(table).map(({ name }, i) => `${name} ${String(key[i])}`);
  const message =
    `the row with ${names.join(', ')} references a row that does not exist or was skipped. ` +
    'It cannot be skipped, because rows in a cycle are all inserted before their references are checked, and triggers have run for it. ' +
    'Remove it from the file.';
  return importError([{ code: 'foreign_key_violation', message, table: table.name }]);
}

/** Sets nullable references to NULL first. The rows can then be deleted table by table. */
async function deleteAll(
  loadSession: LoadSession,
  cycle: CycleTables,
  levels: readonly (readonly KeyedRow[])[],
): Promise<void> {
  const { session, dialect } = loadSession;
  const run = async (query: Fragment): Promise<void> =>
    void (await session.run(render(dialect, query)));
  for (const table of cycle.order) {
    const deferredColumns = cycle.deferredKeys
      .filter((each) => each.table === table)
      .flatMap(nullableKeyColumns);
    const names = [...new Set(deferredColumns.map(({ name }) => dialect.quoteName(name)))];
    if (names.length === 0) continue;
    const assignments = raw(names.map((name) => `${name} = NULL`).join(', '));
    for (const batch of batchesOf(levels.flat(), table))
      await run(
        sql`UPDATE ${dialect.tableName(table)} SET ${assignments} WHERE ${matchesAny(loadSession, batch, '')}`,
      );
  }
  const children = cycle.order.toReversed();
  for (const table of children)
    for (const level of levels.toReversed())
      for (const batch of batchesOf(level, table))
        await run(
          sql`DELETE FROM ${dialect.tableName(table)} WHERE ${matchesAny(loadSession, batch, '')}`,
        );
}
