import BetterSqlite3 from 'better-sqlite3';
import { readFileError, readWholeFile } from '../dialect/errors.ts';
import { fileLabel } from './files.ts';
import { canMapFile } from './file-mapping.ts';
import { createFoldLike, foldLikeFunction } from '../dialect/fold-like.ts';
import type { Row, Value } from '../../../model/values.ts';

/** The values of a statement's parameters: positional ones in order, then named ones in an object. */
export type Bindings = readonly (Value | Readonly<Record<string, Value>>)[];

export interface ResultColumn {
  readonly name: string;
  /** The declared type if the result column is a table's column; null for expressions. */
  readonly type: string | null;
}

/** A prepared statement. With `exact`, an INTEGER is read as a bigint, and a number is a REAL. */
export interface Statement {
  readonly isReader: boolean;
  readonly isReadOnly: boolean;
  /** Whether its rows are being read. */
  readonly isBusy: boolean;
  columns(): readonly ResultColumn[];
  all(bindings: Bindings, exact: boolean): Row[];
  /** Until its end or `return`, the connection rejects writes, and the statement cannot run again. */
  iterate(bindings: Bindings, exact: boolean): IterableIterator<Row>;
  /** For statements without result rows. Returns the number of changed rows. */
  execute(bindings: Bindings): number;
  /** Also returns the rowid of the last INSERT on the connection, by this statement or an earlier one. */
  write(bindings: Bindings): { readonly changes: number; readonly rowId: number };
}

/** A connection to a file; all calls are synchronous. Errors about the file are `StudioError`s that name it, others are the driver's. */
export interface Connection {
  readonly isReadOnly: boolean;
  readonly inTransaction: boolean;
  /** A cached statement for the text, or a new one while the cached one is busy. */
  readonly statement: (text: string) => Statement;
  /** A new statement, for texts that are used once. It is finalized when it is garbage-collected. */
  readonly prepare: (text: string) => Statement;
  /** For settings. PRAGMA may take effect when it is prepared, so a cached statement would do nothing. */
  readonly execute: (text: string) => void;
  close(): void;
}

export interface ConnectOptions {
  readonly path: string;
  readonly readOnly: boolean;
  /** How long a statement waits for a lock of another process. */
  readonly busyTimeoutMs?: number;
  /** Maps the file into memory, where its file system permits that. */
  readonly mapsFileIntoMemory?: boolean;
}

/**
 * SQLite maps as much of the file as there is, also when it grows, up to this size and to its own limit
 * of 2 GiB. It reads the rest as usual. https://www.sqlite.org/mmap.html
 */
const maxMappedBytes = 2 ** 31;

const maxCachedStatements = 200;
const defaultBusyTimeoutMs = 5000;

/** Opens an existing file, and reads its header to make sure that it is readable. Does not change the journal mode. */
export function connect({
  path,
  readOnly,
  busyTimeoutMs = defaultBusyTimeoutMs,
  mapsFileIntoMemory = false,
}: ConnectOptions): Connection {
  const guard = guardFor(path);
  const database = guard(
    () =>
      new BetterSqlite3(path, { readonly: readOnly, fileMustExist: true, timeout: busyTimeoutMs }),
  );
  try {
    if (mapsFileIntoMemory && canMapFile(path)) database.pragma(`mmap_size = ${maxMappedBytes}`);
    readWholeFile(() => guard(() => prepareConnection(database, readOnly)));
  } catch (error) {
    database.close();
    throw error;
  }
  return connectionOf(database, guard);
}

/** Sets the journal mode to WAL. Only for files that the studio created for itself. */
export function useWriteAheadLog(path: string): void {
  const database = new BetterSqlite3(path, { fileMustExist: true });
  database.pragma('journal_mode = WAL');
  database.close();
}

/** Keeps functions in a schema from side effects outside the file. The driver already sets defensive mode, and loads no extensions from SQL. */
function prepareConnection(database: BetterSqlite3.Database, readOnly: boolean): void {
  database.pragma('trusted_schema = OFF');
  if (!readOnly) {
    database.pragma('foreign_keys = ON');
    // This is SQLite's default, which the driver lowers in WAL mode. Committed data must survive a power failure.
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
  const cached = new Map<string, Statement>();
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
      const found = cached.get(text);
      const statement = found === undefined || found.isBusy ? prepare(text) : found;
      cached.delete(text);
      cached.set(text, statement);
      if (cached.size > maxCachedStatements) cached.delete(cached.keys().next().value ?? '');
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
    // The driver's own `busy` takes as long as a small statement.
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
      return trackedRows(rows, guard, () => (isBusy = false));
    },
    execute: (bindings) => guard(() => statement.run(...bindings).changes),
    write: (bindings) => {
      const { changes, lastInsertRowid } = guard(() => statement.run(...bindings));
      return { changes, rowId: Number(lastInsertRowid) };
    },
  };
}

function trackedRows(
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
