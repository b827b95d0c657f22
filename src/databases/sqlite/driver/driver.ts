import BetterSqlite3 from 'better-sqlite3';
import { readFileError, readWholeFile } from '../dialect/errors.ts';
import { fileLabel } from './files.ts';
import { createFoldLike, foldLikeFunction } from '../dialect/fold-like.ts';
import type { Row, Value } from '../../../model/values.ts';

/** What binds a statement's parameters: values in order, and named ones in an object. */
export type Bindings = readonly (Value | Readonly<Record<string, Value>>)[];

export interface ResultColumn {
  readonly name: string;
  /** The declared type of the table's column that it is; null for expressions. */
  readonly type: string | null;
}

/** One prepared statement. `exact` has INTEGER come as bigint, so that a number is a REAL. */
export interface Statement {
  readonly isReader: boolean;
  readonly isReadOnly: boolean;
  /** Its rows are being read. */
  readonly isBusy: boolean;
  columns(): readonly ResultColumn[];
  all(bindings: Bindings, exact: boolean): Row[];
  /** Closed by `return`; until then the connection refuses writes and the statement other runs. */
  iterate(bindings: Bindings, exact: boolean): IterableIterator<Row>;
  /** For statements without rows: how many rows it changed. */
  execute(bindings: Bindings): number;
  /** The same, with the number of the row that was inserted last, be it by this statement or another. */
  write(bindings: Bindings): { readonly changes: number; readonly rowId: number };
}

/** One open file, all of it synchronous. Errors are SQLite's own, but those about the file are `StudioError`s that name it. */
export interface Connection {
  readonly isReadOnly: boolean;
  readonly inTransaction: boolean;
  /** A statement kept by its text, the most recent few hundred; while it is being read, another like it. */
  readonly statement: (text: string) => Statement;
  /** A statement for one use: those linger until they are collected. */
  readonly prepare: (text: string) => Statement;
  /** For settings: PRAGMA does its work when it is prepared, so a kept one would do nothing. */
  readonly execute: (text: string) => void;
  close(): void;
}

export interface ConnectOptions {
  readonly path: string;
  readonly readOnly: boolean;
  /** How long a statement waits for another process's lock. */
  readonly busyTimeoutMs?: number;
}

const keptStatements = 200;
const defaultBusyTimeoutMs = 5000;

/** Opens a file that is there, and reads its header to see that it can be read. The owner's journal mode stays. */
export function connect({
  path,
  readOnly,
  busyTimeoutMs = defaultBusyTimeoutMs,
}: ConnectOptions): Connection {
  const guard = guardFor(path);
  const database = guard(
    () =>
      new BetterSqlite3(path, { readonly: readOnly, fileMustExist: true, timeout: busyTimeoutMs }),
  );
  try {
    readWholeFile(() => guard(() => prepareConnection(database, readOnly)));
  } catch (error) {
    database.close();
    throw error;
  }
  return connectionOf(database, guard);
}

/** Turns a file to WAL; for files of the studio's own only. */
export function useWriteAheadLog(path: string): void {
  const database = new BetterSqlite3(path, { fileMustExist: true });
  database.pragma('journal_mode = WAL');
  database.close();
}

/** Functions in a schema cannot reach out of the file; the driver is in defensive mode by itself, and loads no extensions from SQL. */
function prepareConnection(database: BetterSqlite3.Database, readOnly: boolean): void {
  database.pragma('trusted_schema = OFF');
  if (!readOnly) {
    database.pragma('foreign_keys = ON');
    // SQLite's own default, which the driver lowers in WAL mode: what was answered survives a power cut.
    database.pragma('synchronous = FULL');
  }
  database.function(foldLikeFunction, { deterministic: true, directOnly: true }, createFoldLike());
  database.pragma('schema_version');
}

type Guard = <T>(work: () => T) => T;

function guardFor(path: string): Guard {
  const label = fileLabel(path);
  return (work) => {
    try {
      return work();
    } catch (error) {
      throw readFileError(error, label) ?? error;
    }
  };
}

function connectionOf(database: BetterSqlite3.Database, guard: Guard): Connection {
  const kept = new Map<string, Statement>();
  const prepare = (text: string): Statement =>
    statementOf(
      guard(() => database.prepare(text)),
      guard,
    );
  return {
    isReadOnly: database.readonly,
    get inTransaction() {
      return database.inTransaction;
    },
    prepare,
    execute: (text) => guard(() => void database.exec(text)),
    statement: (text) => {
      const known = kept.get(text);
      const statement = known === undefined || known.isBusy ? prepare(text) : known;
      kept.delete(text);
      kept.set(text, statement);
      if (kept.size > keptStatements) kept.delete(kept.keys().next().value ?? '');
      return statement;
    },
    close: () => void database.close(),
  };
}

function statementOf(statement: BetterSqlite3.Statement, guard: Guard): Statement {
  const { reader, readonly } = statement;
  if (reader) statement.raw();
  let isBusy = false;
  return {
    isReader: reader,
    isReadOnly: readonly,
    // The driver's own `busy` costs as much as a small statement.
    get isBusy() {
      return isBusy;
    },
    columns: () => statement.columns(),
    all: (bindings, exact) => guard(() => statement.safeIntegers(exact).all(...bindings) as Row[]),
    iterate: (bindings, exact) => {
      const rows = guard(
        () => statement.safeIntegers(exact).iterate(...bindings) as IterableIterator<Row>,
      );
      isBusy = true;
      return watched(rows, guard, () => (isBusy = false));
    },
    execute: (bindings) => guard(() => statement.run(...bindings).changes),
    write: (bindings) => {
      const { changes, lastInsertRowid } = guard(() => statement.run(...bindings));
      return { changes, rowId: Number(lastInsertRowid) };
    },
  };
}

function watched(
  rows: IterableIterator<Row>,
  guard: Guard,
  onEnd: () => void,
): IterableIterator<Row> {
  return {
    next: () => {
      let result: IteratorResult<Row> = { done: true, value: undefined };
      try {
        result = guard(() => rows.next());
      } finally {
        if (result.done === true) onEnd();
      }
      return result;
    },
    return: () => {
      onEnd();
      return rows.return?.() ?? { done: true, value: undefined };
    },
    [Symbol.iterator]() {
      return this;
    },
  };
}
