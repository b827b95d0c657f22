import type {
  Column,
  ColumnType,
  EnumType,
  ForeignKeyAction,
  Generated,
  Index,
  Schema,
  Table,
} from './schema.ts';

export interface NameLimit {
  readonly length: number;
  readonly unit: 'bytes' | 'characters';
}

/**
 * How a database stores names of tables and views that it compares without their case: in lower case, or as CREATE
 * writes them.
 */
export type TableNameCase = 'lower case' | 'ignoring case';

/** The parts of a table's name. */
export type TableNames = Pick<Table, 'name' | 'localName' | 'namespace'>;

/**
 * Renders the DDL of one database, without side effects. Names and texts are passed unquoted and
 * returned quoted. Part of the capability `ddl`.
 *
 * A schema is either native or neutral. A `native` schema came from a database of this dialect, so its
 * native types and expressions are used as they are. In a neutral one, `Column.type` has the types,
 * and expressions are SQL that every dialect accepts: unquoted names, literals, TRUE and FALSE,
 * CURRENT_TIMESTAMP, CURRENT_DATE, CURRENT_TIME, `||`, CASE, coalesce and the like.
 */
export interface DdlDialect {
  /** Names of the database product, the most common one first. */
  readonly productNames: readonly [string, ...string[]];
  /** Longer names are rejected, or cut in silence (PostgreSQL). Undefined: names may be of any length. */
  readonly nameLimit: NameLimit | undefined;
  quoteName(name: string): string;
  quoteText(text: string): string;
  /** The table's name, qualified if the database has namespaces. */
  tableName(table: TableNames): string;
  /** Absent where tables may have names that differ by case only. */
  readonly tableNames?: TableNameCase;
  /** Whether an unqualified name may be that of an object of the database's own catalog. Absent where none is. */
  readonly mayBeCatalogName?: (this: void, name: string) => boolean;
  /** Terminates a statement of a script, including its line break. */
  readonly terminator: string;
  /** The collation, or the nearest one if only other servers of the dialect have it. Absent where all have the same. */
  readonly nearestCollation?: (this: void, name: string) => string;
  /** The collation of text columns in keys whose values differ only by letter case. Absent where keys distinguish them anyway. */
  readonly exactCollation?: string;
  /** Undefined for tables whose rows a transaction rolls back. Absent where all tables are like that. */
  readonly transactionalTable?: (this: void, table: Table) => TransactionalTable | undefined;
  /** Creates a namespace. Undefined if the database has none, or if it exists anyway. */
  createNamespace(name: string): string | undefined;
  /** The name of the extension that one of `statementsBeforeTables` creates. Absent where there are no extensions. */
  readonly extensionCreatedBy?: (this: void, statement: string) => string | undefined;
  /** The statements that create an enum type; none if the database uses `typeCheck` instead. */
  createEnum(type: EnumType): readonly string[];
  /** Statements that run before the tables of a native schema are created, and after. */
  statementsBeforeTables(schema: Schema): readonly string[];
  statementsAfterTables(schema: Schema): readonly string[];
  /** The statement that computes the rows of a view that stores them. Undefined for other views. */
  refreshView(view: Table): string | undefined;
  /** A type that holds every value of the column's neutral type. */
  columnType(column: Pick<Column, 'type' | 'autoIncrement'>): string;
  /** The column's native type as SQL. Undefined for a type that a new database does not have. */
  nativeType(column: Column, schema: Schema): string | undefined;
  /** The operand of DEFAULT, for an expression as this database stores it. */
  nativeDefault(expression: string): string;
  /** The ON UPDATE clause of a column; undefined if the database has none. */
  onUpdate(expression: string): string | undefined;
  /** The clause that hides a column from `SELECT *`; empty if the database has none. */
  readonly invisibleColumn: string;
  /** The clause of a column whose changes make no history; empty if the database has none. */
  readonly unversionedColumn: string;
  /** The clause of a CHECK that is not enforced; undefined if the database enforces every check. */
  readonly notEnforced: string | undefined;
  /** The condition of a CHECK that the column's type cannot enforce, such as enum labels. `name` is quoted. */
  typeCheck(name: string, type: ColumnType): string | undefined;
  /** The clause of a nullable column: NULL on databases where columns may be NOT NULL by default. */
  readonly nullable: '' | 'NULL';
  /** Whether a generated column may be declared NOT NULL. */
  allowsGeneratedNotNull(generated: Generated): boolean;
  /** The type and GENERATED clause of a column. */
  generatedColumn(type: string, generated: Generated, native: boolean): string;
  /** The clause of a column that the database numbers. Undefined if the column is not numbered, or cannot be. */
  identityClause(column: Column, table: IdentityTable, native: boolean): IdentityClause | undefined;
  /** A neutral default, rendered for the column's type. */
  neutralDefault(expression: string, type: ColumnType): string;
  /** Whether ALTER TABLE can add foreign keys. If not, CREATE TABLE may refer to tables that do not exist yet. */
  readonly canAddForeignKeys: boolean;
  /** Whether the check of a foreign key can be deferred to the commit. */
  readonly supportsDeferrableKeys: boolean;
  /** The action of a foreign key without ON DELETE or ON UPDATE; undefined if it depends on the version. */
  readonly defaultForeignKeyAction: ForeignKeyAction | undefined;
  /** The equivalent action on nullable columns, or on columns that are not; undefined if there is none. */
  foreignKeyAction(action: ForeignKeyAction, nullable: boolean): ForeignKeyAction | undefined;
  /** Whether cascades may reach a table on two paths, or form a cycle. */
  readonly allowsMultipleCascadePaths: boolean;
  /** Whether a foreign key column of type `from` can reference a column of type `to`. */
  canReference(from: ColumnType, to: ColumnType): boolean;
  /** The maximum length, in characters, of a text in a key of `columns` columns; undefined if there is no limit. */
  maxKeyTextLength(columns: number): number | undefined;
  /** The maximum sum of the declared text lengths of a row, in characters; undefined if there is no limit. */
  readonly maxRowTextLength: number | undefined;
  /** Whether columns of the type can be indexed. */
  isIndexable(type: ColumnType): boolean;
  /** The COMMENT clause of a column; empty if `comments` renders statements, or if the database has no comments. */
  columnComment(comment: string): string;
  /** Whether a table may have no columns. */
  readonly allowsNoColumns: boolean;
  /** The most columns of a table. */
  readonly maxColumns: number;
  /** Whether the database stores comments. */
  readonly supportsComments: boolean;
  readonly columnSupport: ColumnSupport;
  readonly indexSupport: IndexSupport;
  /** Session settings, and their reset, under which neutral expressions have their neutral meaning. */
  readonly neutralSession: { readonly begin: readonly string[]; readonly end: readonly string[] };
  /** The clauses around a view's name and query, from its kind and its `Table.options` of the same dialect. */
  createView(view: Pick<Table, 'kind' | 'options'>): ViewSyntax;
  /** The statement for a table that is not defined by columns (a virtual table of SQLite); undefined for all others. */
  createVirtual(table: Table): string | undefined;
  /** The keyword between CREATE and TABLE, from `Table.options` of the same dialect. */
  /** Whether CREATE TABLE of the same dialect declares checks of a column (`Check.column`) with the column. */
  readonly columnChecks: boolean;
  tableModifier(options: Readonly<Record<string, string>>): string;
  /** Constraints that only this database has, as written in CREATE TABLE; empty if there are none. */
  tableConstraints(options: Readonly<Record<string, string>>): string;
  /** The clauses after the closing parenthesis of CREATE TABLE. */
  tableOptions(options: Readonly<Record<string, string>>): string;
  /** The names of the `Table.options` that the members above render. */
  readonly renderedOptions: readonly string[];
  /** For databases that commit with each DDL statement: how to undo them. Undefined if DDL is transactional. */
  readonly ddlUndo: DdlUndo | undefined;
  /** The statements that set the comments of a table or view and its columns. */
  comments(table: Table): readonly string[];
}

/** A new table that would store its rows without transactions. */
export interface TransactionalTable {
  /** The table as it takes its rows: with transactions. */
  readonly table: Table;
  /** What stores it in the end, as in messages. */
  readonly storage: string;
  /** The statement after the commit that gives it its own storage. It may run twice. */
  readonly restore: string;
}

export interface ViewSyntax {
  /** The keywords before the name: `CREATE VIEW`. */
  readonly create: string;
  /** The clause after the name, or empty. */
  readonly options: string;
  /** The clause after the query, or empty. */
  readonly check: string;
}

/** What an import creates. */
export interface CreatedObject {
  /** `relation` (a table or view), `column`, `index`, `constraint`, or the kind of a program. */
  readonly kind: string;
  readonly name: string;
  /** The table of a column, index or constraint. */
  readonly table?: string;
}

export interface DdlUndo {
  dropView(view: Table): string;
  dropTable(table: Table): string;
  /** The statements that drop the foreign keys of tables. */
  dropKeys(tables: readonly Table[]): readonly string[];
  /**
   * The name of a constraint with which nobody can insert rows into a table, at any server of a cluster. Adding it waits
   * for the transactions that use the table, and fails if the table has rows.
   */
  closingConstraint(table: Table): string;
  closeTable(table: Table): string;
  /** Drops the constraint. */
  openTable(table: Table): string;
  /** A query that acquires a named lock for the session. Returns 1 if no other session holds it, or releases it in time. */
  acquireLock(name: string, waitSeconds: number): string;
  /**
   * A query that locks the name of a table or view in the current database for the session. Returns 1 if no other
   * session holds the lock, or releases it in time.
   */
  lockName(name: string, waitSeconds: number): string;
  /** A query that returns 1 if another session has locked the name, without locking it. */
  isNameLocked(name: string): string;
  /** A query that releases the lock if the session holds it. */
  unlockName(name: string): string;
  /** Whether a statement has failed because its table, view, trigger, routine or event exists. */
  isExistsError(error: unknown): boolean;
  /** Whether a statement has failed because the column, index or constraint that it adds exists. */
  isAddedError(error: unknown): boolean;
  /** Whether a statement has failed because its table, column, index, key or program does not exist. */
  isMissingError(error: unknown): boolean;
  /**
   * Keeps other sessions from using tables until `unlockTables`; waits for the transactions that use them. Undefined where
   * sessions at other servers would not wait.
   */
  readonly lockTables: ((tables: readonly Table[]) => string) | undefined;
  readonly unlockTables: string;
  /** A query for the time of the server, as `setTime` takes it. */
  readonly time: string;
  /** Stops the clock of the session at a time, for defaults such as CURRENT_TIMESTAMP. */
  setTime(time: string): string;
  readonly resetTime: string;
  /** A query for the id of the session that holds the lock; NULL if none does. */
  lockHolder(name: string): string;
  /** Ends a session and its running statement. */
  endSession(id: string): string;
  /** The name of a column while its values are counted, so that nobody can write to it. */
  hiddenColumn(column: string): string;
  /** Waits for the transactions that use the table. */
  renameColumn(table: string, names: { readonly from: string; readonly to: string }): string;
  dropColumn(table: string, column: string): string;
  /**
   * A query that counts the rows in which an added column has another value than its default, at the time of the session.
   * Fails without one.
   */
  countChanged(table: string, column: Pick<Column, 'name' | 'default'>): string;
  /**
   * The same for a NOT NULL column without default, whose initial value is the empty text, zero, or the like of its type.
   * Counts every row for types of which it does not know that.
   */
  countFilled(table: string, column: Pick<Column, 'name' | 'nativeType'>): string;
  /** Whether a locked name is locked at all servers that take writes. False for clusters. */
  readonly canLockNames: boolean;
  /** A query for the body of a trigger, routine or event, as its script has it, and for the table of a trigger. */
  bodyOf(kind: string, name: string): string | undefined;
  /**
   * Queries whose rows distinguish an object from another one of its name. They return no rows if it does not exist. The
   * statements that close a table, and additions to it other than columns, do not change them.
   */
  definitionOf(object: CreatedObject): readonly string[];
  /** A query for the number of triggers on a table. */
  countTriggers(table: Table): string;
  /** The name of the marker of the import with that journal. */
  markerName(journal: string): string;
  /** A query for the names of all markers in the database. */
  readonly findMarkers: string;
  importMarker(name: string): ImportMarker;
  /** A temporary database to try statements in. `home` is the database that the session returns to. */
  scratchDatabase(name: string, home: string): ScratchDatabase;
}

/**
 * A table with at most one row for what has been decided about an import. Its transaction inserts the row, and so does
 * whoever undoes it. The key allows one of them. Other rows are names of what later imports rely on.
 */
export interface ImportMarker {
  /** Creates the table. Fails if the user lacks a privilege that one of the other statements needs. */
  readonly create: readonly string[];
  /** Inserts the row of the import. The database must not commit it by itself. */
  readonly commit: string;
  /** Deletes that row in the same transaction. */
  readonly withdraw: string;
  /** Inserts the row of the undo. Waits while the transaction of the import may still commit. */
  readonly prevent: string;
  /** A query that returns 1 if the import has committed. */
  readonly isCommitted: string;
  /** A query that returns 1 if somebody undoes the import. */
  readonly isUndone: string;
  /** A query that returns 0 while nothing has been decided. */
  readonly countOutcomes: string;
  /** Inserts names that whoever undoes the import must keep. The keeper is the name of the marker of another import. */
  retain(names: readonly string[], keeper: string): string;
  /** Deletes the names of the keeper. */
  release(keeper: string): string;
  /** A query for the names of all keepers. */
  readonly retainedNames: string;
  /** Drops the table if it exists. */
  readonly drop: string;
  /** Whether an insert has failed because the table has its row. */
  isDecidedError(error: unknown): boolean;
}

export interface ScratchDatabase {
  readonly begin: readonly string[];
  /** Creates an empty copy of a table or view of the home database. */
  copy(relation: Table): string;
  readonly end: readonly string[];
  /** Drops the database if it exists. */
  readonly remove: string;
}

export type IdentityTable = Pick<Table, 'primaryKey' | 'columns' | 'options' | 'nullableKey'>;

export interface IdentityClause {
  readonly clause: string;
  /** The clause also declares the primary key. */
  readonly isPrimaryKey: boolean;
  /** The clause also adds a key on the column, which the schema does not have. */
  readonly addsKey?: true;
}

/** Which column types and properties of a neutral schema the database supports. */
export interface ColumnSupport {
  /** Whether an integer of this size can be unsigned. SQLite enforces no type, but stores the type's name. */
  unsigned(bits: number): boolean;
  /** MySQL's SET type. */
  readonly setTypes: boolean;
  /** Generated columns that are not stored. */
  readonly virtual: boolean;
  /** The most fractional digits of a second that times and timestamps have; undefined if there is no limit. */
  readonly secondDigits: number | undefined;
  /** Timestamps with a zone keep the offset from UTC, not the instant alone. */
  readonly offsets: boolean;
  /** The year in which timestamps with a zone end, if it is one that applications reach. */
  readonly lastZonedYear: number | undefined;
  /** The most digits of a decimal, and the most after the point. Undefined: decimals are stored as doubles. */
  readonly decimals: { readonly precision: number; readonly scale: number } | undefined;
  /** Whether checks and generated columns may refer to a column that the database numbers. */
  readonly expressionsOnIdentity: boolean;
  /** Whether checks and stored generated columns may refer to a column that a foreign key changes: SET NULL, ON UPDATE CASCADE. */
  readonly expressionsOnChangedKeys: boolean;
}

/** Which properties of an index the database supports. */
export interface IndexSupport {
  /** Indexes with a WHERE clause. */
  readonly partial: boolean;
  readonly expressions: boolean;
  readonly included: boolean;
  readonly nullsNotDistinct: boolean;
  /** Indexes on the first characters of a text. */
  readonly prefixes: boolean;
  /** A unique index treats NULLs as equal. */
  readonly nullsAreEqual: boolean;
  /** Indexes are declared inside CREATE TABLE. */
  readonly inline: boolean;
  /** The keywords of an index with this method; undefined if the dialect has no such index. */
  keywords(index: Index): IndexKeywords | undefined;
}

export interface IndexKeywords {
  /** Before INDEX: `FULLTEXT ` with its trailing space, or empty. */
  readonly before: string;
  /** After the name: ` USING gin` with its leading space, or empty. */
  readonly using: string;
}
