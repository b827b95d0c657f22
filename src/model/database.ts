import type { Capability } from './capabilities.ts';
import type { DdlDialect } from './ddl-dialect.ts';
import type { StudioError } from './errors.ts';
import type { LoadDialect } from './load-dialect.ts';
import type { LoadSession } from './load-session.ts';
import type { OtherObject } from './other-objects.ts';
import type { RowStream } from './rows.ts';
import type { RunOptions } from './run-options.ts';
import type { EffectOptions, StoredProgram } from './stored-program.ts';
import type { ServerState } from './server-state.ts';
import type { StatementEffect } from './statement-effect.ts';
import type { SkippedComments } from './skipped-comments.ts';
import type { SortKey, TieBreaker } from './sort-key.ts';
import type { Column, ColumnInfo, ColumnType, Schema, Table } from './schema.ts';
import type { Fragment } from './fragment.ts';
import type { ScriptDialect } from './script-dialect.ts';
import type { WriteDialect } from './write-dialect.ts';
import type { Row, Value } from './values.ts';

export type { RunOptions, ServerState, StatementEffect };

/** A statement in the SQL of its database. */
export interface Query {
  readonly text: string;
  readonly params: readonly Value[];
  /** The columns of the result, if the caller knows them better than the driver. */
  readonly columns?: readonly ColumnInfo[];
  /** Set by `CsvDialect.lines`: the rows hold these cells and are returned as chunks of CSV. */
  readonly csv?: CsvCells;
  /**
   * A user's statement that is classified as a read. It is rejected if the database recognizes that
   * it is not a read, and its changes of the session do not affect the next request.
   */
  readonly isRawRead?: true;
}

export interface Result {
  readonly columns: readonly ColumnInfo[];
  readonly rows: readonly Row[];
  readonly rowsAffected: number;
  /**
   * The field types that the protocol reports, for queries with `columns`. Undefined where each value
   * has its own type (SQLite).
   */
  readonly fieldTypes?: string;
  /** The generated key of a new row, for databases that report it instead of the row. */
  readonly insertId?: bigint;
}

/** What a connection is used for. Each use (kind and table) holds at most its share of the connections. */
export interface ConnectionUse {
  readonly kind: 'reads' | 'writes' | 'statements' | 'counts';
  readonly table?: string;
}

export interface AcquireOptions extends RunOptions {
  readonly use?: ConnectionUse;
}

/** Statements on one connection, each complete when its promise is. */
export interface Session {
  run(query: Query, options?: RunOptions): Promise<Result>;
  stream(query: Query, options?: RunOptions): Promise<RowStream>;
  /**
   * Runs statements one after the other, up to the first that fails, and sends them ahead of the
   * responses. Only within a transaction, and only of drivers that can do that. Fails with a
   * `StatementsFailure`; the time limit is that of each statement.
   */
  runAll?(texts: readonly string[], options?: RunOptions): Promise<void>;
}

/** The statements of one transaction of a database with these capabilities. */
export type Transaction<C extends Capability = never> = Session &
  ('load' extends C ? LoadSession : unknown);

/** The modes of transactions that each capability needs. */
interface TransactionModes {
  readonly write: 'write';
  /** A bulk load, isolated so that undoing many rows does not exhaust the server's memory for locks. */
  readonly load: 'load';
  readonly script: never;
  /** A user's own statement. Its settings, temporary tables and locks do not outlive the transaction. */
  readonly sql: 'sql';
  /** Statements that change the structure. Some databases commit each of them. */
  readonly ddl: 'ddl';
}

/** `read`: a read-only transaction of the database, in one snapshot. */
export type TransactionMode<C extends Capability = Capability> = 'read' | TransactionModes[C];

/** An opened database. Without type argument, it can only be read; `Database<'write'>` has that capability too. */
export type Database<C extends Capability = never> = ReadDatabase<C> &
  ('sql' extends C ? StatementDatabase : unknown) &
  ('ddl' extends C ? StatementDatabase : unknown);

/**
 * What every database implements. `run` and `stream` may write, each statement in its own transaction,
 * if the database has a capability that does. GET requests use `read`.
 */
export interface ReadDatabase<C extends Capability = never> extends Session {
  readonly dialect: Dialect<C>;
  /**
   * The options apply to the connection and to the statements that begin and end the transaction;
   * statements in between have their own options. A commit without a response is `database_unavailable`.
   */
  transaction<T>(
    mode: TransactionMode<C>,
    work: (session: Transaction<C>) => Promise<T>,
    options?: AcquireOptions,
  ): Promise<T>;
  /** Whether a `read` transaction has one snapshot of all these tables. */
  hasSnapshot(tables: readonly Table[]): Promise<boolean>;
  /** Runs statements that the database keeps read-only, in one snapshot if that costs no round trip. */
  read<T>(work: (session: Session) => Promise<T>, options?: AcquireOptions): Promise<T>;
  /** The effects of reading these tables and views. Tables that cannot have any need no query. */
  effectsOfReading(relations: readonly Table[]): Promise<readonly StatementEffect[]>;
  /** The options apply to each statement. */
  introspect(options?: RunOptions): Promise<Schema>;
  /** Names of the objects that `introspect` does not read, as far as the login may see them. */
  otherObjects(options?: RunOptions): Promise<readonly OtherObject[]>;
  /** Those of these objects that scripts of this database create, in an order in which they can be created. */
  storedPrograms(options?: RunOptions): Promise<readonly StoredProgram[]>;
  /** Changes whenever the structure does. */
  structureVersion(): Promise<string>;
  /** Whether `structureVersion` is cheap: it needs no round trip to a server. */
  readonly isStructureVersionCheap: boolean;
  /**
   * The current `revision` of the table; undefined if the table is gone. In a transaction that has
   * locked rows of the table or written to it, the revision stays valid until the transaction ends.
   */
  revisionOf(session: Session, table: Table): Promise<string | undefined>;
  /**
   * Called first in a `read` transaction. True: the tables have these revisions, and no other session can
   * change their structure until the transaction ends. If it is false or fails, the transaction can only
   * end.
   */
  holdTables?(session: Session, tables: readonly Table[]): Promise<boolean>;
  /**
   * Whether the snapshot of a `read` transaction shows the current rows of every table that it has read
   * from. Absent where a snapshot shows rows that other sessions remove, however they do it.
   */
  hasCurrentSnapshot?(session: Session): Promise<boolean>;
  /** Changes with every commit of other sessions; undefined where the database has no such counter. */
  changeToken(session: Session): Promise<string | undefined>;
  /** Whether a query of these tables gives the same rows for as long as the change token stays the same. */
  changesOnlyByCommits(query: Query, tables: readonly Table[]): Promise<boolean>;
  /**
   * Whether the cost of a page is bounded by its rows, apart from skipped rows. True where a time limit
   * can end statements anyway.
   */
  isPageCostBounded(query: Query): Promise<boolean>;
  /** The planner's estimate of the rows of a SELECT; undefined where it has none. */
  estimateResultRows(query: Query, options?: RunOptions): Promise<number | undefined>;
  /** The planner's estimate of the rows of each table, by `Table.name`; tables without one are left out. */
  estimateTableRows(
    tables: readonly Table[],
    options?: RunOptions,
  ): Promise<ReadonlyMap<string, number>>;
  /** What may change at any time, for example when a standby is promoted. */
  serverState(): Promise<ServerState>;
  poolStats(): PoolStats;
  close(): Promise<void>;
}

/** What a database implements in addition to run statements of users (`sql`) or of files (`ddl`). */
export interface StatementDatabase {
  /** Runs such a statement outside any transaction, on a connection that is closed afterwards. */
  runOutsideTransaction<T>(
    work: (session: Session) => Promise<T>,
    options?: AcquireOptions,
  ): Promise<T>;
  /**
   * The effects of such a statement according to the database's parser and catalog, in addition to
   * those that the classifier finds. Runs nothing.
   */
  effectsOf(text: string, options?: EffectOptions): Promise<readonly StatementEffect[]>;
  /**
   * The offset of what the database rejected in a statement's text, in UTF-16 units. Undefined if the
   * error does not concern a position in the text.
   */
  errorOffset(error: unknown, text: string): number | undefined;
  /** Reads the structure as a session of this database sees it, including what it has not committed. */
  introspectWithin(session: Session): Promise<Schema>;
}

export interface PoolStats {
  readonly maxOpenConnections: number;
  readonly openConnections: number;
  readonly inUse: number;
  readonly idle: number;
  readonly waitCount: number;
  readonly waitDurationMs: number;
}

/** The location of a database and how to open it. */
export interface DatabaseTarget {
  /** As configured; may contain credentials, so it is never logged. */
  readonly url: string;
  readonly readOnly: boolean;
  /** Whether a missing database file may be created. */
  readonly create: boolean;
  /**
   * Whether a database file may be mapped into memory. If it is truncated or its disk fails meanwhile,
   * the process ends with SIGBUS, so only processes that can be replaced may map it.
   */
  readonly mapsFileIntoMemory?: boolean;
  /**
   * For jobs, whose statements have no time limit: a connection fails within seconds when its server no
   * longer answers any client.
   */
  readonly watchesServer?: boolean;
  /** Whether reads must show what other servers of a cluster have committed before them. */
  readonly readsYourWrites?: boolean;
}

/**
 * Opens databases of one kind. The type argument lists what they can do: `DatabaseKind<'write'>` must
 * have all members of that capability, in its dialect and in the databases that it opens.
 */
export interface DatabaseKind<C extends Capability = never> {
  readonly dialect: Dialect<C>;
  /** Statements cannot be interrupted in-process, so the studio runs them in child processes. */
  readonly runsInChildProcess: boolean;
  /** Whether `ServerState` has a position. */
  readonly reportsPosition?: true;
  /** Checks that a URL can be opened, and returns the one for child processes: for example a private file for `:memory:`. */
  prepare(target: DatabaseTarget): Promise<PreparedTarget>;
  open(target: DatabaseTarget): Promise<Database<C>>;
  /** Loads the modules that `open` loads on demand. */
  loadDriver?(): Promise<unknown>;
  /** Undefined where the database can be written while it is read. */
  whyReadsBlockWrites(target: DatabaseTarget): Promise<BlockedWritesReason | undefined>;
}

/** Why a database accepts no writes while it is read, as parts of a sentence. */
export interface BlockedWritesReason {
  readonly reason: string;
  /** What the user can do about it. */
  readonly remedy: string;
}

export interface PreparedTarget {
  readonly target: DatabaseTarget;
  /** Removes temporary files that `prepare` has created. */
  release(): Promise<void>;
  /** Removes the database file that `prepare` has created, if it is still empty. Undefined if it has created none. */
  removeUnused?(): Promise<void>;
}

/** Exports rows as CSV without decoding the values; the bytes are the same as with decoding. */
export interface CsvDialect {
  /** An expression for the cell of a column; undefined if its text would differ. `guarded`: protected against spreadsheet formulas. */
  cell(name: string, column: Column, guarded: boolean): string | undefined;
  /** Wraps a SELECT of such cells. The rows of the result are chunks of the file, each with its number of lines. */
  lines(select: Query, cells: CsvCells): Query;
}

/** The columns of the cells of a line. */
export interface CsvCells {
  readonly columns: readonly Column[];
  readonly guarded: boolean;
}

/** A pattern for LIKE: literal text and wildcards, before any escaping. */
export type LikePattern = readonly LikePart[];
export type LikePart = { readonly literal: string } | 'any' | 'one';

/**
 * The SQL of one database. Without type argument, it is that of reading, and each group of `DialectGroups`
 * may be absent; `Dialect<'write'>` has that one.
 */
export type Dialect<C extends Capability = never> = ReadDialect &
  Pick<DialectGroups, C> &
  Partial<DialectGroups>;

/** The part of a dialect that each capability needs. Its presence says that the database has the capability. */
export interface DialectGroups {
  readonly write: WriteDialect;
  readonly load: LoadDialect;
  readonly script: ScriptDialect;
  readonly sql: SqlDialect;
  readonly ddl: DdlDialect;
}

/** The SQL syntax and comparison rules that reading needs. Every database implements every member. */
export interface ReadDialect {
  /** `driver` in the schema response. */
  readonly name: string;
  /** The versioned comments of files that the connected server skips; undefined without a server. */
  readonly skippedComments?: SkippedComments;
  quoteName(name: string): string;
  /** The table's name, qualified by its namespace. */
  tableName(table: Pick<Table, 'localName' | 'namespace'>): string;
  /** The table in a FROM clause, without the rows of tables that inherit from it. */
  tableWithoutChildren(table: Table): string;
  /** The nth parameter (from 1). */
  placeholder(index: number, type?: ColumnType, value?: Value): string;
  /** The clause for `limit` rows after `offset`; it follows ORDER BY, if there is one. */
  limitClause(limit: number, offset: number, isOrdered: boolean): Fragment;
  /** One term of ORDER BY with NULLs last in both directions. If `nullable` is false, the term is simpler. */
  orderTerm(
    expression: string,
    order: { readonly descending: boolean; readonly nullable: boolean },
  ): string;
  /** Whether the database also evaluates expressions for the rows that OFFSET skips. */
  readonly evaluatesSkippedRows: boolean;
  /** Whether reading many rows page by page, by row number, is faster than streaming. */
  readonly prefersRowNumberPaging: boolean;
  /** Fast CSV export; undefined where values must be decoded. */
  readonly csv: CsvDialect | undefined;
  /** The expression that selects a column without loss. `name` is quoted. */
  selectExpression(name: string, column: Column): string;
  /**
   * A NULL of the column's type, for results in which the column is computed. Undefined if the
   * computed value has that type anyway.
   */
  typedNull(name: string, column: Column): string | undefined;
  /** Expressions for the size of a value in bytes and for its first `length` characters or bytes; undefined for short types. */
  preview(
    name: string,
    column: Column,
    length: number,
  ): { readonly bytes: string; readonly head: string } | undefined;
  /** The value of an expression as text, for types that do not support `=` or LIKE. */
  asText(expression: string, column: Column): string;
  /** How the values of a column are ordered, and how a cursor finds its position among them. */
  sortKey(column: Column): SortKey;
  /**
   * Terms that ORDER BY needs after a key's columns to distinguish their values, where it compares
   * only a part of each value.
   */
  keyTieBreakers(columns: readonly Column[]): readonly TieBreaker[];
  /** Whether `=` and `<` work on the type as it is. */
  isComparable(type: ColumnType): boolean;
  /** Whether the search includes the column. */
  isSearchable(column: Column): boolean;
  /** A LIKE condition. `ignoreCase` ignores case in every database; otherwise the database's rule applies. */
  like(operand: string, pattern: LikePattern, ignoreCase: boolean): Fragment;
  /**
   * The values of the column's type that a parameter's text can mean, most likely first (SQLite's
   * untyped columns: the text and the number). Empty if the text is not valid for that type.
   */
  readParameter(text: string, column: Column): readonly Value[];
  /**
   * All values of a key column that have this text in an id, including values of other types if the
   * column can hold them. Empty if no value has this text.
   */
  readKeyPart(text: string, column: Column): readonly Value[];
  /** Whether an error says that a table or column does not exist (any more). */
  isStructureError(error: unknown): boolean;
  /** The database's error message; undefined if the error is not from the database. */
  messageOf(error: unknown): string | undefined;
  /** Translates a driver error; undefined for an error without a specific meaning. */
  translateError(error: unknown): StudioError | undefined;
}

/** The members that statements written by users need. */
export interface SqlDialect {
  /** A query for the rows that the transaction has written so far; undefined where the database does not count them. */
  readonly writtenRowsQuery: string | undefined;
  /** Fails where a deferred constraint is violated; undefined where only a commit checks them. */
  readonly deferredCheckQuery: string | undefined;
  /** Whether an error says that the statement cannot run inside a transaction. */
  isTransactionForbidden(error: unknown): boolean;
}
