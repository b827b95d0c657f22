import type { DdlDialect } from './ddl-dialect.ts';
import type { StudioError } from './errors.ts';
import type { InsertBatch, InsertCounts, LoadDialect } from './load-dialect.ts';
import type { OtherObject } from './other-objects.ts';
import type { RowStream } from './rows.ts';
import type { SortKey, TieBreaker } from './sort-key.ts';
import type { Column, ColumnInfo, ColumnType, Schema, Table } from './schema.ts';
import type { Fragment } from './fragment.ts';
import type { ScriptDialect } from './script-dialect.ts';
import type { WriteDialect } from './write-dialect.ts';
import type { Row, Value } from './values.ts';

/** One statement, spelled for its database. */
export interface Query {
  readonly text: string;
  readonly params: readonly Value[];
  /** What the result's columns are, when the caller knows better than the driver. */
  readonly columns?: readonly ColumnInfo[];
  /** Its rows are such cells, and are to come as pieces of CSV: of queries that `CsvDialect.lines` has made. */
  readonly csv?: CsvCells;
  /**
   * The text is the client's own and is taken for a read: it is refused where the database can tell
   * that it is none, and what it sets of its session does not reach the next request.
   */
  readonly isRawRead?: true;
}

export interface Result {
  readonly columns: readonly ColumnInfo[];
  readonly rows: readonly Row[];
  readonly rowsAffected: number;
  /**
   * The types of the result's fields as the protocol gives them, for queries that say what their
   * columns are. Undefined where values have types of their own (SQLite).
   */
  readonly fieldTypes?: string;
  /** The number that the database gave a new row, where it tells that and not the row. */
  readonly insertId?: bigint;
}

export interface RunOptions {
  /** Ends the statement in the database. */
  readonly signal?: AbortSignal;
  /** Ends the statement in the database with `statement_timeout`. */
  readonly limitMs?: number;
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
}

/** The statements of one transaction. */
export interface Transaction extends Session {
  /**
   * Writes rows in the fastest way that is as strict as INSERT. A `RowsFailure` has the rejected
   * rows; other rows of the batch may already be written.
   */
  insert(batch: InsertBatch, options?: RunOptions): Promise<InsertCounts>;
  /** Called before all rows of a table are deleted, so that the database can speed up the checks of its keys. */
  beforeEmptying(table: Table): Promise<void>;
  /** Fails as the commit would if a deferred foreign key is violated. */
  checkKeys(): Promise<void>;
}

/**
 * `read`: a read-only transaction of the database, in one snapshot. `sql`: a write by a client's own
 * statement. Its settings, temporary tables and locks do not outlive the transaction.
 */
export type TransactionMode = 'read' | 'write' | 'sql';

/** An effect that the text of a statement does not show, such as that of a function it calls. */
export interface StatementEffect {
  readonly kind:
    | 'session'
    | 'transaction'
    | 'write'
    | 'ddl'
    | 'execute'
    | 'administration'
    | 'unknown'
    | 'external';
  readonly reason: string;
  /** The function whose call has the effect. */
  readonly calls?: string;
}

/** Its own `run` and `stream` may write, each statement by itself; what answers a GET goes through `read`. */
export interface Database extends Session {
  readonly dialect: Dialect;
  /**
   * The options are for the connection, and for the statements that begin and end the transaction;
   * the statements in between have options of their own. A commit without an answer is `database_unavailable`.
   */
  transaction<T>(
    mode: TransactionMode,
    work: (session: Transaction) => Promise<T>,
    options?: AcquireOptions,
  ): Promise<T>;
  /** Whether a `read` transaction has one snapshot of all these tables. */
  hasSnapshot(tables: readonly Table[]): Promise<boolean>;
  /** For statements that the database holds read-only: one snapshot where that costs no round trip, else each its own. */
  read<T>(work: (session: Session) => Promise<T>, options?: AcquireOptions): Promise<T>;
  /** For a client's own statement outside any transaction; what it leaves on its connection ends with it. */
  administer<T>(work: (session: Session) => Promise<T>, options?: AcquireOptions): Promise<T>;
  /**
   * What a client's own statement does by the database's own parser and catalog, where these know
   * more than the classifier of its text; empty where they do not. Nothing is run.
   */
  effectsOf(text: string): Promise<readonly StatementEffect[]>;
  /** The same for a read of all rows of these tables and views. Plain ones cost no question. */
  effectsOfReading(relations: readonly Table[]): Promise<readonly StatementEffect[]>;
  /** The options are for each of its statements. */
  introspect(options?: RunOptions): Promise<Schema>;
  /** What `introspect` leaves out, by name: what the login may see of it. */
  otherObjects(options?: RunOptions): Promise<readonly OtherObject[]>;
  /** Changes whenever the structure does. */
  structureVersion(): Promise<string>;
  /** Whether `structureVersion` is cheap: it needs no round trip to a server. */
  readonly isVersionCheap: boolean;
  /**
   * The table's `revision` as it is now, undefined when it is gone. Asked in a transaction that has
   * read the table for writing, or has written to it, it holds until the transaction ends.
   */
  revisionOf(session: Session, table: Table): Promise<string | undefined>;
  /** Changes with every commit of other sessions; undefined where the database has no such counter. */
  changeToken(session: Session): Promise<string | undefined>;
  /** Whether a query of these tables gives the same rows for as long as the change token stays the same. */
  changesByCommitsAlone(query: Query, tables: readonly Table[]): Promise<boolean>;
  /**
   * Whether a page's cost is bounded by its rows, those skipped apart; true where a time limit ends
   * statements anyway.
   */
  isBounded(query: Query): Promise<boolean>;
  /** The planner's estimate of the rows of a SELECT; undefined where it has none. */
  estimateResult(query: Query, options?: RunOptions): Promise<number | undefined>;
  /** The planner's estimate of the rows of each table, by `Table.name`; tables without one are left out. */
  estimateRows(
    tables: readonly Table[],
    options?: RunOptions,
  ): Promise<ReadonlyMap<string, number>>;
  poolStats(): PoolStats;
  close(): Promise<void>;
}

export interface PoolStats {
  readonly maxOpenConnections: number;
  readonly openConnections: number;
  readonly inUse: number;
  readonly idle: number;
  readonly waitCount: number;
  readonly waitDurationMs: number;
}

/** Where a database is and how it is to be opened. */
export interface Target {
  /** As the operator wrote it; may hold credentials, never logged. */
  readonly url: string;
  readonly readOnly: boolean;
  /** A database file that is not there may be made. */
  readonly create: boolean;
}

/** How databases of one kind are opened. */
export interface DatabaseKind {
  readonly dialect: Dialect;
  /** Its statements cannot be interrupted in-process: the studio runs it in child processes. */
  readonly isolated: boolean;
  /** Makes sure a URL can be opened, and gives the one that child processes are to open: a private file for `:memory:`, say. */
  prepare(target: Target): Promise<PreparedTarget>;
  open(target: Target): Promise<Database>;
  /** Undefined where the database can be written while it is read. */
  readsBlockWrites(target: Target): Promise<ReadsBlockWrites | undefined>;
}

/** Why a database takes no write while it is read, as parts of a sentence. */
export interface ReadsBlockWrites {
  readonly reason: string;
  /** What the user can do about it. */
  readonly remedy: string;
}

export interface PreparedTarget {
  readonly target: Target;
  /** Removes what `prepare` made. */
  release(): Promise<void>;
}

/** A database whose rows become CSV without becoming values first, byte for byte as the studio writes it. */
export interface CsvDialect {
  /** An expression for a column's cell; undefined where it would be spelled otherwise. `guarded`: as spreadsheets are to get it. */
  cell(name: string, column: Column, guarded: boolean): string | undefined;
  /** A query for a SELECT of such cells; its rows are pieces of the file: their bytes, and how many lines they are. */
  lines(select: Query, cells: CsvCells): Query;
}

/** The cells of a line, by the columns that they are of. */
export interface CsvCells {
  readonly columns: readonly Column[];
  readonly guarded: boolean;
}

/** A pattern for LIKE: literal text and wildcards, before any escaping. */
export type LikePattern = readonly LikePart[];
export type LikePart = { readonly literal: string } | 'any' | 'one';

/** How one database spells and compares: pure text and facts. Every member is required of every database. */
export interface Dialect {
  /** `driver` in the schema answer. */
  readonly name: string;
  readonly writing: WriteDialect;
  readonly ddl: DdlDialect;
  readonly loading: LoadDialect;
  readonly script: ScriptDialect;
  quoteName(name: string): string;
  /** The table's name, qualified by its namespace. */
  tableName(table: Pick<Table, 'localName' | 'namespace'>): string;
  /** The table as FROM names it to have its own rows, and not those of tables that inherit from it. */
  ownRows(table: Table): string;
  /** The nth parameter (from 1). */
  placeholder(index: number, type?: ColumnType, value?: Value): string;
  /** The clause that takes `limit` rows after `offset`, behind ORDER BY where the rows are ordered. */
  page(limit: number, offset: number, isOrdered: boolean): Fragment;
  /** One term of ORDER BY, NULLs last in both directions; `nullable` false spares what that takes. */
  orderTerm(
    expression: string,
    order: { readonly descending: boolean; readonly nullable: boolean },
  ): string;
  /** Expressions are computed for the rows before a page too, which nobody sees. */
  readonly computesSkippedRows: boolean;
  /** Many rows come faster page by page, each behind the last row's number, than by a stream. */
  readonly pagesByNumber: boolean;
  /** How rows become CSV by the shortest way; undefined where that is by their values. */
  readonly csv: CsvDialect | undefined;
  /** How a column is selected so that its value arrives exact. `name` is quoted. */
  selectExpression(name: string, column: Column): string;
  /**
   * A NULL of the column's own type, for results in which the column itself is computed; undefined
   * where what is computed has that type.
   */
  typeWitness(name: string, column: Column): string | undefined;
  /** Bytes that a value takes, and its first `length` characters or bytes; undefined for types that are never long. */
  preview(
    name: string,
    column: Column,
    length: number,
  ): { readonly bytes: string; readonly head: string } | undefined;
  /** An expression's value as text, to compare types that know no `=` or LIKE. */
  asText(expression: string, column: Column): string;
  /** How a column's values are ordered, and how a cursor finds its place among them. */
  sortKey(column: Column): SortKey;
  /**
   * Terms that ORDER BY needs behind a key's columns to tell their values apart, where it does not
   * look at all of them.
   */
  keyTieBreakers(columns: readonly Column[]): readonly TieBreaker[];
  /** Whether `=` and `<` work on the type as it is. */
  isComparable(type: ColumnType): boolean;
  /** Whether search looks into the column. */
  isSearchable(column: Column): boolean;
  /** LIKE; `ignoreCase` means everywhere, else as the database itself does. */
  like(operand: string, pattern: LikePattern, ignoreCase: boolean): Fragment;
  /**
   * The values of the column's own type that a parameter's text can stand for, most likely first
   * (SQLite's untyped columns: the text and the number); none when it cannot be of that type.
   */
  readParameter(text: string, column: Column): readonly Value[];
  /**
   * All values of a key column whose text in an id is this one, also values of other types than the
   * column's where it may hold them; none when no value has this text.
   */
  readKeyPart(text: string, column: Column): readonly Value[];
  /** A query for the rows that the transaction has written so far; undefined where the database does not count them. */
  readonly rowsWritten: string | undefined;
  /** Whether an error says that the statement cannot run inside a transaction. */
  refusesTransaction(error: unknown): boolean;
  /** Whether an error says that a table or column is not (or no longer) there. */
  isStructureError(error: unknown): boolean;
  /** What the database says against a statement; undefined when the error is not the database's. */
  messageOf(error: unknown): string | undefined;
  /** What a driver's error means, or undefined when it means nothing in particular. */
  readError(error: unknown): StudioError | undefined;
}
