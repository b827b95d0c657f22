/**
 * The structure of a database in neutral terms: neither rows nor counts.
 * Importers end here, exporters start here; nothing in it is specific to one database.
 */

/** What a column holds, told so that every database can spell it. */
export type ColumnType =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer'; readonly bits: 8 | 16 | 24 | 32 | 64; readonly unsigned?: boolean }
  | { readonly kind: 'decimal'; readonly precision?: number; readonly scale?: number }
  | { readonly kind: 'float'; readonly bits: 32 | 64 }
  | { readonly kind: 'text'; readonly length?: number; readonly fixed?: boolean }
  | { readonly kind: 'enum'; readonly values: readonly string[]; readonly name?: string }
  | { readonly kind: 'set'; readonly values: readonly string[] }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'date' }
  | { readonly kind: 'time'; readonly precision?: number; readonly zone?: boolean }
  | { readonly kind: 'timestamp'; readonly precision?: number; readonly zone?: boolean }
  | { readonly kind: 'interval' }
  | { readonly kind: 'json'; readonly binary?: boolean }
  | { readonly kind: 'binary'; readonly length?: number; readonly fixed?: boolean }
  | { readonly kind: 'bits'; readonly length?: number; readonly varying?: boolean }
  | { readonly kind: 'array'; readonly of: ColumnType }
  | { readonly kind: 'untyped' }
  | { readonly kind: 'other'; readonly name: string };

export type ColumnKind = ColumnType['kind'];

/** A column as it comes back from a query: what is needed to write its values as JSON. */
export interface ColumnInfo {
  readonly name: string;
  readonly type: ColumnType;
  /**
   * Each value tells its own class, whatever the type says (SQLite): text is text also in a
   * number column, and there a JS number is a REAL and a bigint an INTEGER where both can be.
   */
  readonly dynamic?: boolean;
  /** The column stores text that looks like a number as a number, though its type is not numeric (SQLite). */
  readonly convertsDigits?: boolean;
  /** The column is of kind `json`, but may store text that JSON.parse rejects (MariaDB). */
  readonly mayHoldOtherText?: boolean;
  /** The type as the database itself spells it. */
  readonly nativeType?: string;
}

export interface Column extends ColumnInfo {
  /** Counts only where source and target dialect are the same. */
  readonly nativeType: string;
  readonly nullable: boolean;
  /** NULL may be stored all the same: what forbids it came later, or looks away. */
  readonly mayHoldNull?: boolean;
  /** As a column of a key: the collation by which the key compares values, where it is not the column's. */
  readonly keyCollation?: string;
  /** The default's expression as stored. */
  readonly default?: string;
  readonly autoIncrement?: boolean;
  /**
   * Rows may be equal in it though a unique key says otherwise, and a look-up by the key would read
   * one row only (MySQL: an engine that shows rows of other tables, an ENUM with an empty label).
   */
  readonly hidesEquals?: boolean;
  /** GENERATED … AS IDENTITY that refuses values of its own. */
  readonly identityAlways?: boolean;
  /** The options of the sequence that numbers it, as SQL has them, where they are not the usual ones (PostgreSQL). */
  readonly numbering?: string;
  readonly generated?: Generated;
  readonly collation?: string;
  /**
   * By symbol (`=`, `<>`, `<`, `<=`, `>`, `>=`): the SQL of the operators by which the type is ordered,
   * where the symbol alone does not find them (PostgreSQL: a type outside the search path, hstore).
   */
  readonly operators?: Readonly<Record<string, string>>;
  /** The database's ON UPDATE expression (MySQL). */
  readonly onUpdate?: string;
  /** Left out of `SELECT *` (MySQL, MariaDB). */
  readonly invisible?: boolean;
  readonly comment?: string;
  /** A function or type of the database's authors that its type, default or expression needs. */
  readonly needs?: string;
  /** Not a column of its own but the database's number of the row (`Table.rowIdColumn`). */
  readonly isRowNumber?: boolean;
}

export interface Generated {
  readonly expression: string;
  readonly stored: boolean;
}

export interface PrimaryKey {
  readonly name?: string;
  readonly columns: readonly string[];
  /** Rows may share its values: nobody makes sure of it for all that the table shows. */
  readonly unenforced?: boolean;
  /** By column: the collation that compares its values, where it is not the column's. */
  readonly collations?: Readonly<Record<string, string>>;
}

export interface IndexPart {
  /** A column's name, or else an expression. */
  readonly column?: string;
  readonly expression?: string;
  readonly descending?: boolean;
  readonly prefixLength?: number;
  readonly collation?: string;
  readonly operatorClass?: string;
}

export interface Index {
  readonly name: string;
  readonly unique: boolean;
  readonly parts: readonly IndexPart[];
  /** Predicate of a partial index. */
  readonly where?: string;
  /** btree, hash, gin, fulltext …, when it is not the database's usual one. */
  readonly method?: string;
  /** Columns carried along without being keys (INCLUDE). */
  readonly included?: readonly string[];
  /** Made by a UNIQUE constraint of the table, not by CREATE INDEX. */
  readonly constraint?: boolean;
  readonly nullsNotDistinct?: boolean;
  /** Kept, but not used by the planner (MySQL's INVISIBLE, MariaDB's IGNORED). */
  readonly invisible?: boolean;
  /** As of a primary key. */
  readonly unenforced?: boolean;
  readonly comment?: string;
  /** As of a column. */
  readonly needs?: string;
}

export type ForeignKeyAction = 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default';

export interface ForeignKey {
  readonly name?: string;
  readonly columns: readonly string[];
  /** The referenced table's name, as in `Table.name`. */
  readonly table: string;
  readonly referencedColumns: readonly string[];
  readonly onUpdate: ForeignKeyAction;
  readonly onDelete: ForeignKeyAction;
  readonly deferrable?: 'deferred' | 'immediate';
}

export interface Check {
  readonly name?: string;
  readonly expression: string;
  /** False where rows may break it (NOT ENFORCED). */
  readonly enforced?: false;
  /** As of a column. */
  readonly needs?: string;
}

export type TableKind = 'table' | 'view' | 'materialized_view';

export interface Table {
  /** The name clients use: `namespace.table` outside the default namespace. Unique in the schema. */
  readonly name: string;
  /** The name within its namespace. */
  readonly localName: string;
  readonly namespace?: string;
  readonly kind: TableKind;
  readonly columns: readonly Column[];
  readonly primaryKey?: PrimaryKey;
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly Check[];
  /** A hidden column that numbers the rows (SQLite's rowid), by the name that reaches it. */
  readonly rowIdColumn?: string;
  /**
   * System columns that tell every row from every other as long as nobody writes, for tables without
   * a key that does: they order pages and are never shown.
   */
  readonly locators?: readonly Column[];
  /** Changes when the database renumbers the rows of a table that has no key but its row numbers (SQLite's VACUUM). */
  readonly rowIdVersion?: string;
  /** Rows may hold NULL in a key column (SQLite). */
  readonly nullableKey?: boolean;
  /** Constraints may have ON CONFLICT clauses, by which a write replaces another row or is ignored (SQLite). */
  readonly resolvesConflicts?: boolean;
  /** Its INSERT and UPDATE take no RETURNING, unlike those of other tables (SQLite: virtual tables). */
  readonly withoutReturning?: boolean;
  /** Rules may run other statements in the place of a write, and return rows of other tables (PostgreSQL: DO INSTEAD). */
  readonly redirectsWrites?: boolean;
  /** The column that marks a row as deleted. */
  readonly softDelete?: SoftDelete;
  readonly comment?: string;
  /** What a view is defined as. */
  readonly definition?: string;
  /** What the definition needs, as of a column. */
  readonly needs?: string;
  /**
   * Why definitions are missing that the database has: another session's lock keeps them from being
   * read. A default, a check, an index by an expression or a view's definition may be absent.
   */
  readonly incomplete?: string;
  /**
   * Why a rollback does not undo all that a write to the table does: its triggers write to tables
   * without transactions, or may (MySQL, MariaDB).
   */
  readonly lastingWrites?: string;
  /** The database's mark of the definition: it changes when columns, keys or kind of the table do. */
  readonly revision?: string;
  /** What only this database knows of the table (STRICT, WITHOUT ROWID, engine …). */
  readonly options?: Readonly<Record<string, string>>;
}

/** `time`: the moment of deletion; `unix` flavours: 0 while the row lives. */
export interface SoftDelete {
  readonly column: string;
  readonly flavour: 'time' | 'unix_seconds' | 'unix_milliseconds' | 'unix_nanoseconds' | 'flag';
}

export interface EnumType {
  readonly name: string;
  readonly namespace?: string;
  readonly values: readonly string[];
  readonly comment?: string;
}

export interface Schema {
  /** The database's name, or its file's. */
  readonly database: string;
  readonly serverVersion: string;
  readonly tables: readonly Table[];
  readonly views: readonly Table[];
  readonly enums: readonly EnumType[];
  readonly surroundings?: Surroundings;
}

/** What the structure may lean on and this model does not hold, by name. */
export interface Surroundings {
  /** What the database was extended by, and can be by its name (PostgreSQL). */
  readonly extensions: readonly string[];
  /** Functions, and types that are no enums, of whoever wrote the file that was read; a database tells by `needs`. */
  readonly routines: readonly string[];
  readonly types: readonly string[];
}
