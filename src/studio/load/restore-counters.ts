/**
 * Restores counters of columns after a rollback, where the database does not, so that a dry run or a
 * failed import does not change the numbers of the next one.
 */
import { StudioError } from '../../model/errors.ts';
import type { Database, Session } from '../../model/database.ts';
import type { ColumnCounter, CounterRestoration } from '../../model/counters.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { Row } from '../../model/values.ts';
import type { LoadCapability } from '../core/capabilities.ts';
import type { LoadBatch, LoadSession } from './load-batch.ts';
import type { Tally } from './load-tally.ts';

export interface CounterWatch {
  /** Remembers the counters of the tables that these rows and their triggers write. Called before they are written. */
  note(loadSession: LoadSession, batch: LoadBatch): Promise<void>;
  /** Called after the rollback. Reports what could not be restored. */
  restore(): Promise<void>;
}

interface WatchedCounter {
  readonly counter: ColumnCounter;
  /** The state before the load. */
  readonly before: Row;
  /** The number of values that the load has taken. */
  readonly countDrawnValues: () => number;
}

export function watchCounters(
  database: Database<LoadCapability>,
  schema: Schema,
  tally: Tally,
): CounterWatch {
  const restoration = database.dialect.load.counters.afterRollback;
  if (restoration === undefined)
    return { note: () => Promise.resolve(), restore: () => Promise.resolve() };
  const watched = new Map<string, readonly WatchedCounter[]>();
  const watch = async ({ session }: LoadSession, table: Table): Promise<void> => {
    if (watched.has(table.name)) return;
    const found = [];
    for (const counter of countersOf(table)) {
      const before = await readState(session, restoration, counter);
      const countDrawnValues = (): number => session.countDrawnValues?.(counter.column) ?? 0;
      if (before !== undefined) found.push({ counter, before, countDrawnValues });
    }
    watched.set(table.name, found);
  };
  return {
    note: async (loadSession, { table }) => {
      if (!watched.has(table.name) && (await loadSession.session.runsTriggers(table, ['insert'])))
        for (const each of schema.tables) await watch(loadSession, each);
      await watch(loadSession, table);
    },
    restore: async () => {
      for (const each of [...watched.values()].flat())
        for (const sentence of await restoreCounter(database, restoration, each))
          tally.movedCounter(sentence);
    },
  };
}

function countersOf(table: Table): readonly ColumnCounter[] {
  return table.columns
    .filter(({ autoIncrement }) => autoIncrement === true)
    .map((column) => ({ kind: 'column', table, column }));
}

async function readState(
  session: Session,
  { stateQuery }: CounterRestoration,
  counter: ColumnCounter,
): Promise<Row | undefined> {
  const { rows } = await session.run({ text: stateQuery(counter), params: [] });
  return rows[0];
}

/** Returns warnings. */
async function restoreCounter(
  database: Database<LoadCapability>,
  restoration: CounterRestoration,
  { counter, before, countDrawnValues }: WatchedCounter,
): Promise<readonly string[]> {
  const isMoved = async (): Promise<Row | undefined> => {
    const after = await readState(database, restoration, counter);
    return after === undefined || after[0] === before[0] ? undefined : after;
  };
  try {
    const after = await isMoved();
    if (after === undefined) return [];
    const text = restoration.restore(counter, { before, after, drawnValues: countDrawnValues() });
    if (text === undefined) return [movedWarning(counter, before, after)];
    await database.run({ text, params: [] });
    const still = await isMoved();
    return still === undefined ? [] : [movedWarning(counter, before, still)];
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    const { table, column } = counter;
    return [
      `The next number of column "${column.name}" of table "${table.name}" could not be restored: ${error.message}`,
    ];
  }
}

function movedWarning({ table, column }: ColumnCounter, before: Row, after: Row): string {
  return `The next number of column "${column.name}" of table "${table.name}" has moved from ${String(before[0])} to ${String(after[0])}, which the rollback does not undo.`;
}
