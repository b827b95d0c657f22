/**
 * The structure of a database in neutral terms: neither rows nor counts.
 * Importers end here, exporters start here; nothing in it is specific to one database.
 */

/** The type of a column in neutral terms, which every database can render. */
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

/** A result column: what is needed to write its values as JSON. */
export interface ColumnInfo {
  readonly name: string;
  readonly type: ColumnType;
  /**
   * Each value has its own storage class, whatever the type of the column (SQLite). A numeric column
   * may hold text; a JS number is a REAL and a bigint an INTEGER where both are possible.
   */
  readonly dynamic?: boolean;
  /** The column stores text that looks like a number as a number, though its type is not numeric (SQLite). */
  readonly convertsDigits?: boolean;
  /** The column is of kind `json`, but may store text that JSON.parse rejects (MariaDB). */
  readonly mayHoldOtherText?: boolean;
  /** The type as the database reports it. */
  readonly nativeType?: string;
}

export interface Column extends ColumnInfo {
  /** Used only if source and target have the same dialect. */
  readonly nativeType: string;
  readonly nullable: boolean;
  /** NULL may be stored although the column is NOT NULL: the constraint was added later or is not enforced. */
  readonly mayHoldNull?: boolean;
  /** For a key column: the collation of the key, if it differs from that of the column. */
  readonly keyCollation?: string;
  /** The default's expression as stored. */
  readonly default?: string;
  readonly autoIncrement?: boolean;
  /**
   * Rows may have equal values despite a unique key, and an index lookup would find only one of them
   * (MySQL: an engine that shows rows of other tables, an ENUM with an empty label).
   */
  readonly hidesEquals?: boolean;
  /** GENERATED ALWAYS AS IDENTITY, which rejects explicit values. */
  readonly identityAlways?: boolean;
  /** The options of the column's sequence as SQL text, if they are not the default ones (PostgreSQL). */
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
  /** Omitted from `SELECT *` (MySQL, MariaDB). */
  readonly invisible?: boolean;
  /** The type in the file whose rows are imported into the column: of another dialect, or of the values of a new table. */
  readonly fileType?: ColumnType;
  /** The file generates the values of the column, by an expression that is left out: its rows need not have them. */
  readonly generatedInFile?: true;
  /** Changes of it make no history, although the table is system-versioned (MariaDB). */
  readonly unversioned?: boolean;
  readonly comment?: string;
  /** A user-defined function or type that its type, default or expression needs. */
  readonly needs?: string;
  /** The row number of the database instead of a declared column (`Table.rowIdColumn`). */
  readonly isRowNumber?: boolean;
}

export interface Generated {
  readonly expression: string;
  readonly stored: boolean;
}

export interface PrimaryKey {
  readonly name?: string;
  readonly columns: readonly string[];
  /** Rows may share values of the key, because the database does not enforce it for all rows of the table. */
  readonly unenforced?: boolean;
  /** By column: the collation of the key, if it differs from that of the column. */
  readonly collations?: Readonly<Record<string, string>>;
}

export interface IndexPart {
  /** The name of a column; `expression` is set otherwise. */
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
  /** btree, hash, gin, fulltext …, if it is not the database's default method. */
  readonly method?: string;
  /** Columns that the index stores without being key columns (INCLUDE). */
  readonly included?: readonly string[];
  /** Created by a UNIQUE constraint of the table, not by CREATE INDEX. */
  readonly constraint?: boolean;
  readonly nullsNotDistinct?: boolean;
  /** Maintained, but not used by the optimizer (MySQL's INVISIBLE, MariaDB's IGNORED). */
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
  /** The column that the check is part of. Clients of MariaDB recognize a JSON column by such a check. */
  readonly column?: string;
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
   * System columns that identify each row as long as nobody writes, for tables without a unique key.
   * They order pages and are never shown.
   */
  readonly locators?: readonly Column[];
  /** Changes when the database renumbers the rows of a table that has no key but its row numbers (SQLite's VACUUM). */
  readonly rowIdVersion?: string;
  /** Rows may hold NULL in a key column (SQLite). */
  readonly nullableKey?: boolean;
  /** Constraints may have ON CONFLICT clauses, so that a write replaces another row or is ignored (SQLite). */
  readonly resolvesConflicts?: boolean;
  /** An index whose rows are those of another table, or cannot be read (SQLite: FTS5 with `content=`). */
  readonly isIndexOnly?: boolean;
  /** INSERT and UPDATE of this table do not support RETURNING (SQLite: virtual tables). */
  readonly withoutReturning?: boolean;
  /** Rules may run other statements instead of a write and return rows of other tables (PostgreSQL: DO INSTEAD). */
  readonly redirectsWrites?: boolean;
  /** The column that marks a row as deleted. */
  readonly softDelete?: SoftDelete;
  readonly comment?: string;
  /** The query of a view. */
  readonly definition?: string;
  /** What the definition needs, as of a column. */
  readonly needs?: string;
  /**
   * Why definitions could not be read, for example because of another session's lock. Defaults, checks,
   * indexes on expressions or a view's definition may be missing.
   */
  readonly incomplete?: string;
  /**
   * Why a rollback does not undo a write to the table completely: its triggers write, or may write, to
   * nontransactional tables (MySQL, MariaDB).
   */
  readonly incompleteRollback?: string;
  /** Identifies the definition: it changes when the columns, keys or kind of the table change. */
  readonly revision?: string;
  /** Options that only this database has (STRICT, WITHOUT ROWID, engine …). */
  readonly options?: Readonly<Record<string, string>>;
}

/** `time`: the timestamp of the deletion. The others: a number that is 0 if the row is not deleted. */
export interface SoftDelete {
  readonly column: string;
  readonly mode: 'time' | 'unix_seconds' | 'unix_milliseconds' | 'unix_nanoseconds' | 'flag';
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
  /** The namespace of unqualified names, where that is another one than in a new database. */
  readonly defaultNamespace?: string;
  readonly externalObjects?: ExternalObjects;
}

/** Names of objects that the structure may depend on and that this model does not contain. */
export interface ExternalObjects {
  /** Installed extensions (PostgreSQL). */
  readonly extensions: readonly string[];
  /** By extension: its namespace, where that is not the default one. */
  readonly extensionNamespaces?: Readonly<Record<string, string>>;
  /** Sequences that columns of a file use and that the file does not create, in SQL (PostgreSQL). */
  readonly sequences?: readonly string[];
  /** User-defined functions, and types other than enums, of a file; a database reports them in `needs`. */
  readonly routines: readonly string[];
  readonly types: readonly string[];
}
