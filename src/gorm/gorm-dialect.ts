/**
 * The interface to the behavior of GORM's driver for one database: how it renders columns, indexes
 * and constraints.
 */
import type { Column, Table } from '../model/schema.ts';

/** The parsed value of a `default:` setting. A time is a text in GORM's format. */
export type GormDefault =
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string };

/** A field as GORM's drivers see it when they render its column. */
export interface GormColumn {
  /** The column's name. */
  readonly column: string;
  /** bool, int, uint, float, string, time or bytes. Any other text is a native type, used unchanged. */
  readonly dataType: string;
  /** Like `dataType`, but without regard to the settings `type:` and `-`. Empty if the field holds no value. */
  readonly gormDataType: string;
  readonly size: number;
  readonly precision: number;
  readonly scale: number;
  readonly primaryKey: boolean;
  readonly autoIncrement: boolean;
  readonly notNull: boolean;
  readonly unique: boolean;
  readonly hasDefault: boolean;
  /** The text in the tag, without the quotes of a string. */
  readonly defaultText: string;
  /** The parsed text. Undefined if the text is used unchanged. */
  readonly defaultValue: GormDefault | undefined;
  readonly comment: string;
  /** The settings of the tag, by name in upper case. */
  readonly settings: ReadonlyMap<string, string>;
}

export interface StoredColumn {
  readonly column: Column;
  readonly table: Table;
}

export interface GormIndexPart {
  readonly column: string;
  readonly expression: string;
  readonly sort: string;
  readonly collate: string;
  /** The prefix length; 0 for the whole value. */
  readonly length: number;
}

export interface GormIndex {
  readonly name: string;
  /** UNIQUE, FULLTEXT, SPATIAL or nothing. */
  readonly class: string;
  readonly type: string;
  readonly where: string;
  readonly comment: string;
  readonly option: string;
  readonly parts: readonly GormIndexPart[];
}

export interface RebuiltTable {
  readonly name: string;
  /** The columns that are not generated. */
  readonly columns: readonly string[];
}

/** Rebuilds a table to add constraints. Keeps its rows, indexes and triggers. */
export interface GormTableRebuild {
  /** Settings before and after the transaction, which cannot be changed within it. */
  readonly outsideTransaction: {
    readonly begin: readonly string[];
    readonly end: readonly string[];
  };
  /** The query for the stored statements of a table: its own first, then those of its indexes and triggers. */
  storedStatementsQuery(table: string): string;
  /** Returns the statements that rebuild the table, from those texts. */
  statements(
    table: RebuiltTable,
    texts: readonly string[],
    constraints: readonly string[],
  ): readonly string[];
  /** The query for rows of a table whose foreign keys reference no row. */
  danglingRowsQuery(table: string): string;
}

/** Renders DDL as GORM's driver for one database does. Every member is required of every database. */
export interface GormDialect {
  /** What `db.Dialector.Name()` says. */
  readonly driver: string;
  /**
   * Longer names of indexes and constraints are cut. This is the limit of GORM's naming strategy, not of
   * the database: 64 by default, which only GORM's driver for PostgreSQL changes (to 63).
   */
  readonly maxNameLength: number;
  /** The name of a table or column. A name with dots is qualified. */
  quoteName(name: string): string;
  /** The native type, with everything that the driver appends to it (AUTO_INCREMENT, PRIMARY KEY, NULL). */
  columnType(column: GormColumn): string;
  /**
   * Whether an existing column already has the type that the database gives to a column of this native
   * type: `int8` is `bigint`. Clauses after the type, such as NOT NULL, are ignored.
   */
  hasType(stored: StoredColumn, nativeType: string): boolean;
  /** Whether the driver reads the setting `generated:`. */
  readonly readsGenerated: boolean;
  /** Whether AutoMigrate alters columns of the primary key. */
  readonly altersKeys: boolean;
  /** Renders a parsed default. */
  literal(value: GormDefault): string;
  /**
   * Replaces synonyms of a function call in a default by one of them, to compare defaults: `now()` and
   * `current_timestamp` are equal in MySQL. Texts are in lower case, without blanks.
   */
  normalizeDefaultCall(call: string): string;
  /** The clauses after type, NOT NULL and DEFAULT in a column definition. */
  columnSuffix(column: GormColumn): string;
  /** The statement that sets a column's comment. Undefined if the driver has none. */
  commentColumn(table: string, column: GormColumn): string | undefined;
  /**
   * Which columns get a new comment from AutoMigrate: none, those with a comment in the model, or all,
   * so that comments that the model does not have are removed.
   */
  readonly changedComments: 'none' | 'of models' | 'all';
  /** Whether AutoMigrate also changes the comments of key columns. */
  readonly changesCommentsOfKeys: boolean;
  /**
   * Whether a unique index of a column counts as its unique constraint. Otherwise AutoMigrate adds
   * the constraint although there is such an index.
   */
  readonly uniqueIndexIsConstraint: boolean;
  /** CREATE TABLE itself creates the indexes. */
  readonly indexesInTable: boolean;
  /** Renders an index as a line of CREATE TABLE, or as a separate statement. */
  indexLine(index: GormIndex): string;
  createIndex(table: string, index: GormIndex): string;
  /**
   * Rebuilds a table to add constraints, on databases whose ALTER TABLE cannot add any. There,
   * CREATE TABLE may reference tables that do not exist yet. Undefined if ALTER TABLE can add
   * constraints.
   */
  readonly tableRebuild: GormTableRebuild | undefined;
  /**
   * The statement that removes an added column, index or constraint, for databases that commit
   * every DDL statement.
   */
  readonly undo: {
    column(table: string, column: string): string;
    index(table: string, index: string): string;
    foreignKey(table: string, name: string): string;
    constraint(table: string, name: string): string;
  };
  /** ALTER TABLE … ADD for a missing column. */
  addColumn(table: string, line: string, column: GormColumn): string;
}
