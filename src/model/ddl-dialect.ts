import type { Column, ColumnType, EnumType, Generated, Table, TableKind } from './schema.ts';

/** What a table is called by, in DDL. */
export type TableNames = Pick<Table, 'name' | 'localName' | 'namespace'>;

/**
 * How one database spells its structure: pure text and facts. Names and texts go in raw and come
 * out quoted. Every member is required of every database.
 *
 * A schema reaches it in one of two forms. `native`: it came from a database of this dialect, so
 * native types and expressions go through as they are. Else it is neutral: its types are told by
 * `Column.type`, and its expressions are SQL that every dialect takes: names unquoted, literals,
 * TRUE and FALSE, CURRENT_TIMESTAMP, CURRENT_DATE, CURRENT_TIME, `||`, CASE, coalesce and the like.
 */
export interface DdlDialect {
  quoteName(name: string): string;
  quoteText(text: string): string;
  /** The table's name, qualified where the database knows namespaces. */
  tableName(table: TableNames): string;
  /** The statement that makes a namespace; undefined where there are none. */
  createNamespace(name: string): string | undefined;
  /** The statement that makes an enum type; undefined where `typeCheck` does its work. */
  createEnum(type: EnumType): string | undefined;
  /** The type that holds all that the column's neutral type can. */
  columnType(column: Pick<Column, 'type' | 'autoIncrement'>): string;
  /** What a CHECK must demand because the type cannot; `name` is quoted. */
  typeCheck(name: string, type: ColumnType): string | undefined;
  /** The type and clause of a generated column, after its name. */
  generatedColumn(type: string, generated: Generated, native: boolean): string;
  /** How the database is told to number the rows; undefined where it cannot by this column. */
  identity(column: Column, table: Pick<Table, 'primaryKey'>): IdentityClause | undefined;
  /** The statement that moves an identity past keys inserted by hand; undefined where it moves by itself. */
  restartIdentity(table: TableNames, column: string, next: bigint): string | undefined;
  /** A neutral default in the spelling of the column's type. */
  neutralDefault(expression: string, type: ColumnType): string;
  /** Whether keys can be added to a table that is there; if not, CREATE TABLE may name tables that are not there yet. */
  readonly altersKeys: boolean;
  /** Whether a foreign key can be left to the commit. */
  readonly deferrableKeys: boolean;
  /** The clause of a column's comment; empty where `comments` makes statements of them, or there are none. */
  columnComment(comment: string): string;
  readonly indexes: IndexSyntax;
  /** The statements around neutral ones under which their expressions mean what they say. */
  readonly neutralSession: { readonly begin: readonly string[]; readonly end: readonly string[] };
  /** `CREATE VIEW`, or what else makes such a view. */
  createView(kind: TableKind): string;
  /** What follows CREATE TABLE's closing bracket, by `Table.options` of the same dialect. */
  tableOptions(options: Readonly<Record<string, string>>): string;
  /** The statements that set the comments of a table or view and its columns. */
  comments(table: Table): readonly string[];
}

export interface IdentityClause {
  readonly clause: string;
  /** The clause declares the primary key too. */
  readonly isPrimaryKey: boolean;
}

/** What an index can be told beyond its columns, direction and predicate. */
export interface IndexSyntax {
  /** A predicate: only some rows are in the index. */
  readonly partial: boolean;
  readonly expressions: boolean;
  readonly included: boolean;
  readonly nullsNotDistinct: boolean;
  readonly method: boolean;
}
