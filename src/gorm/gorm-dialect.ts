/** The interface to what GORM's driver for one database does: how it renders columns, indexes and constraints. */

/** A value that a `default:` was parsed into; a time is its text as GORM writes it. */
export type GormDefault =
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string };

/** A field as GORM's drivers see it when they render its column. */
export interface GormColumn {
  /** The column's name. */
  readonly column: string;
  /** bool, int, uint, float, string, time or bytes; anything else is a native type, verbatim. */
  readonly dataType: string;
  /** The same before `type:` and `-` had their say; empty for what is no value. */
  readonly gormDataType: string;
  readonly size: number;
  readonly precision: number;
  readonly scale: number;
  readonly primaryKey: boolean;
  readonly autoIncrement: boolean;
  readonly notNull: boolean;
  readonly unique: boolean;
  readonly hasDefault: boolean;
  /** The tag's text, without the quotes of a string. */
  readonly defaultText: string;
  /** What the text was parsed into; undefined when it is to be written as it is. */
  readonly defaultValue: GormDefault | undefined;
  readonly comment: string;
  /** The tag's settings, by upper-cased name. */
  readonly settings: ReadonlyMap<string, string>;
}

export interface GormIndexPart {
  readonly column: string;
  readonly expression: string;
  readonly sort: string;
  readonly collate: string;
  /** 0 for the whole value. */
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
  /** Those that hold values of their own. */
  readonly columns: readonly string[];
}

/** Rebuilds a table to add constraints. Keeps its rows, indexes and triggers. */
export interface GormTableRebuild {
  /** What is set around the transaction, in which it cannot be. */
  readonly outsideTransaction: {
    readonly begin: readonly string[];
    readonly end: readonly string[];
  };
  /** The query for what is stored of a table: its own text first, then those of what hangs on it. */
  storedStatementsQuery(table: string): string;
  /** The statements, by those texts. */
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
  /** Names of indexes and constraints beyond this many characters are cut. */
  readonly maxNameLength: number;
  /** A table's or column's name; what has dots is a qualified one. */
  quoteName(name: string): string;
  /** The native type, with whatever the driver hangs on it (AUTO_INCREMENT, PRIMARY KEY, NULL). */
  columnType(column: GormColumn): string;
  /** What a parsed default is written as. */
  literal(value: GormDefault): string;
  /** What follows type, NOT NULL and DEFAULT in a column's line. */
  columnSuffix(column: GormColumn): string;
  /** The statement that sets a column's comment; undefined where there is none. */
  commentColumn(table: string, column: GormColumn): string | undefined;
  /** Indexes are made by CREATE TABLE itself. */
  readonly indexesInTable: boolean;
  /** An index as a line of CREATE TABLE, or as a statement of its own. */
  indexLine(index: GormIndex): string;
  createIndex(table: string, index: GormIndex): string;
  /**
   * How a table gets constraints where ALTER TABLE adds none; there CREATE TABLE may name tables that
   * are not there yet. Undefined where it adds them.
   */
  readonly tableRebuild: GormTableRebuild | undefined;
  /** What takes back a column, index or constraint that was added, where every statement commits. */
  readonly undo: {
    column(table: string, column: string): string;
    index(table: string, index: string): string;
    foreignKey(table: string, name: string): string;
    constraint(table: string, name: string): string;
  };
  /** ALTER TABLE … ADD for a column that the table lacks. */
  addColumn(table: string, line: string, column: GormColumn): string;
}
