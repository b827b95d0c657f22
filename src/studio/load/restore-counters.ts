/**
 * Restores counters after a rollback, where the database does not, so that a dry run or a failed import
 * does not change the numbers of the next one. Names those that cannot be restored.
 */
import { StudioError } from '../../model/errors.ts';
import type { Database, Session, Transaction } from '../../model/database.ts';
import type {
  ColumnCounter,
  CounterRestoration,
  MovedCounters,
  SequenceStates,
} from '../../model/counters.ts';
import type { RowChange } from '../../model/load-dialect.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { Row } from '../../model/values.ts';
import type { LoadCapability } from '../core/capabilities.ts';
import type { Tally } from './load-tally.ts';

export interface CounterWatch {
  /** Called before the first write of the transaction. */
  begin(session: Session): Promise<void>;
  /** Remembers the counters that these changes of a table, or their triggers, may move. Called before they happen. */
  remember(
    session: Transaction<'load'>,
    table: Table,
    changes: ReadonlySet<RowChange>,
  ): Promise<void>;
  /** Called in the transaction, which may have failed, before it is rolled back. */
  end(session: Transaction<'load'>): Promise<void>;
  /** Called after the rollback. Reports what could not be restored. */
  restore(): Promise<void>;
}

interface WatchedCounter {
  readonly counter: ColumnCounter;
  /** The state before the load. */
  readonly before: Row;
}

/** What the transaction has done to the counters, as far as the database can tell. */
interface CounterChanges {
  /** The name of each moved counter in SQL, by its id. Undefined if any may have moved. */
  readonly movedNames: ReadonlyMap<string, string> | undefined;
  readonly countDrawnValues: (id: string) => number;
}

interface WatchedTables {
  readonly schema: Schema;
  /** Names of tables that do not outlive a rollback. Their counters are not watched. */
  readonly createdTables: ReadonlySet<string> | undefined;
}

export function watchCounters(
  database: Database<LoadCapability>,
  tally: Tally,
  tables: WatchedTables,
): CounterWatch {
  const restoration = database.dialect.load.counters.afterRollback;
  const nothing = (): Promise<void> => Promise.resolve();
  if (restoration === undefined)
    return { begin: nothing, remember: nothing, end: nothing, restore: nothing };
  return createWatch({ database, restoration, tally, ...tables });
}

interface WatchContext extends WatchedTables {
  readonly database: Database<LoadCapability>;
  readonly restoration: CounterRestoration;
  readonly tally: Tally;
}

function createWatch(context: WatchContext): CounterWatch {
  const { restoration, schema, createdTables, tally } = context;
  const { movedCounters, sequences } = restoration;
  const watched = new Map<string, WatchedCounter>();
  const watchedTables = new Set<string>();
  let before: ReadonlyMap<string, string> | undefined;
  let counterChanges: CounterChanges = { movedNames: undefined, countDrawnValues: () => 0 };
  const watch = async (session: Session, table: Table): Promise<void> => {
    if (watchedTables.has(table.name) || createdTables?.has(table.name) === true) return;
    watchedTables.add(table.name);
    if (before === undefined && sequences?.mayUse(table) === true)
      before = await readSequences(session, sequences);
    for (const counter of countersOf(table)) {
      const state = await readState(session, restoration, counter);
      const id = String(state?.[1]);
      if (state !== undefined && !watched.has(id)) watched.set(id, { counter, before: state });
    }
  };
  const runsTriggers = new Set<string>();
  return {
    begin: async (session) => {
      if (movedCounters !== undefined)
        await session.run({ text: movedCounters.savepoint, params: [] });
    },
    remember: async (session, table, changes) => {
      const signature = JSON.stringify([table.name, [...changes].toSorted()]);
      if (!runsTriggers.has(signature) && (await session.runsTriggers(table, [...changes]))) {
        for (const each of schema.tables) await watch(session, each);
        before ??= sequences && (await readSequences(session, sequences));
      }
      runsTriggers.add(signature);
      await watch(session, table);
    },
    end: async (session) => {
      const movedNames = movedCounters && (await readMoved(session, movedCounters));
      counterChanges = {
        movedNames,
        countDrawnValues: (id) => session.countDrawnValues?.(id) ?? 0,
      };
    },
    restore: async () => {
      const sentences = [
        ...(await restoreWatched(context, watched, counterChanges)),
        ...unwatchedWarnings(watched, counterChanges),
        ...(before === undefined ? [] : await sequenceWarnings(context, before)),
      ];
      for (const sentence of sentences) tally.addCounterWarning(sentence);
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

/** Undefined if the connection is lost. */
async function readMoved(
  session: Session,
  { undo, query }: MovedCounters,
): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    await session.run({ text: undo, params: [] });
    const { rows } = await session.run({ text: query, params: [] });
    return new Map(rows.map(([id, name]) => [String(id), String(name)]));
  } catch (error) {
    if (error instanceof StudioError) return undefined;
    throw error;
  }
}

async function restoreWatched(
  { database, restoration }: WatchContext,
  watched: ReadonlyMap<string, WatchedCounter>,
  { movedNames, countDrawnValues }: CounterChanges,
): Promise<readonly string[]> {
  const sentences: string[] = [];
  for (const [id, each] of watched) {
    if (movedNames?.has(id) === false) continue;
    const drawnValues = countDrawnValues(id);
    sentences.push(...(await restoreCounter({ database, restoration, drawnValues }, each)));
  }
  return sentences;
}

interface Restoring extends Pick<WatchContext, 'database' | 'restoration'> {
  readonly drawnValues: number;
}

/** Returns warnings. */
async function restoreCounter(
  { database, restoration, drawnValues }: Restoring,
  { counter, before }: WatchedCounter,
): Promise<readonly string[]> {
  const readMovedState = async (): Promise<Row | undefined> => {
    const after = await readState(database, restoration, counter);
    return after === undefined || after[0] === before[0] ? undefined : after;
  };
  try {
    const after = await readMovedState();
    if (after === undefined) return [];
    const text = restoration.restore(counter, { before, after, drawnValues });
    if (text === undefined) return [movedWarning(counter, before, after)];
    await database.run({ text, params: [] });
    const stillMoved = await readMovedState();
    return stillMoved === undefined ? [] : [movedWarning(counter, before, stillMoved)];
  } catch (error) {
    const reason = error instanceof StudioError ? error.message : databaseSentence(database, error);
    if (reason === undefined) throw error;
    const { table, column } = counter;
    return [
      `The next number of column "${column.name}" of table "${table.name}" could not be restored: ${reason}`,
    ];
  }
}

/** An error of the database without a code of its own; undefined for a defect. */
function databaseSentence(
  { dialect }: Database<LoadCapability>,
  error: unknown,
): string | undefined {
  const message = dialect.messageOf(error);
  return message === undefined ? undefined : `${message.replace(/\.$/, '')}.`;
}

function movedWarning({ table, column }: ColumnCounter, before: Row, after: Row): string {
  return `The next number of column "${column.name}" of table "${table.name}" has moved from ${String(before[0])} to ${String(after[0])}, which a rollback does not undo.`;
}

/** Sequences without a column that the studio knows, such as those of triggers, and those that the role may not read. */
function unwatchedWarnings(
  watched: ReadonlyMap<string, WatchedCounter>,
  { movedNames }: CounterChanges,
): readonly string[] {
  return [...(movedNames ?? [])]
    .filter(([id]) => !watched.has(id))
    .map(
      ([, name]) =>
        `If a default, a trigger or an identity has taken numbers from sequence ${name}, a rollback does not undo that.`,
    );
}

/** The next value of each sequence that the session may read, by its name. */
async function readSequences(
  session: Session,
  { namesQuery, stateQuery }: SequenceStates,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await session.run({ text: namesQuery, params: [] });
  const states = new Map<string, string>();
  for (const [name] of rows) {
    const text = stateQuery(String(name));
    const state = await session.run({ text, params: [] }).catch((error: unknown) => {
      if (error instanceof StudioError) return undefined;
      throw error;
    });
    if (state !== undefined) states.set(String(name), String(state.rows[0]?.[0]));
  }
  return states;
}

async function sequenceWarnings(
  { database, restoration: { sequences } }: WatchContext,
  before: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  if (sequences === undefined) return [];
  const after = await readSequences(database, sequences).catch((error: unknown) => {
    if (error instanceof StudioError) return new Map<string, string>();
    throw error;
  });
  return [...before].flatMap(([name, next]) => {
    const nextAfter = after.get(name) ?? next;
    return nextAfter === next
      ? []
      : [
          `The next number of sequence "${name}" has moved from ${next} to ${nextAfter}, which a rollback does not undo.`,
        ];
  });
}
