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
  /** What people call the database, the most usual first. */
  readonly titles: readonly [string, ...string[]];
  quoteName(name: string): string;
  quoteText(text: string): string;
  /** The table's name, qualified where the database knows namespaces. */
  tableName(table: TableNames): string;
  /** The statement that makes a namespace; undefined where there are none. */
  createNamespace(name: string): string | undefined;
  /** The statements that make an enum type; none where `typeCheck` does its work. */
  createEnum(type: EnumType): readonly string[];
  /** What must be there before the tables of a native schema, and what makes them whole when they are. */
  prepare(schema: Schema): readonly string[];
  finish(schema: Schema): readonly string[];
  /** The type that holds all that the column's neutral type can. */
  columnType(column: Pick<Column, 'type' | 'autoIncrement'>): string;
  /** The column's native type, ready to stand in a statement; undefined for one that only its own database has. */
  nativeType(column: Column, schema: Schema): string | undefined;
  /** What stands after DEFAULT, of an expression as this database stores it. */
  nativeDefault(expression: string): string;
  /** The clause that says what an UPDATE sets a column to; undefined where there is none. */
  onUpdate(expression: string): string | undefined;
  /** What hides a column from `SELECT *`; empty where nothing does. */
  readonly invisibleColumn: string;
  /** What stands behind a check that rows may break; undefined where every check is enforced. */
  readonly notEnforced: string | undefined;
  /** What a CHECK must demand because the type cannot; `name` is quoted. */
  typeCheck(name: string, type: ColumnType): string | undefined;
  /** What is said of a column that takes NULL: nothing, or NULL where that is not the rule. */
  readonly nullable: '' | 'NULL';
  /** Whether such a generated column can be told to be NOT NULL. */
  generatedNotNull(generated: Generated): boolean;
  /** The type and clause of a generated column, after its name. */
  generatedColumn(type: string, generated: Generated, native: boolean): string;
  /** How the database is told to number the rows; undefined where it cannot by this column, or is not to. */
  identity(column: Column, table: IdentityTable, native: boolean): IdentityClause | undefined;
  /** The statement that moves an identity past the keys that its table holds, never back; undefined where it moves by itself. */
  moveIdentity(table: TableNames, column: string, isTrial?: boolean): string | undefined;
  /** A neutral default in the spelling of the column's type. */
  neutralDefault(expression: string, type: ColumnType): string;
  /** Whether keys can be added to a table that is there; if not, CREATE TABLE may name tables that are not there yet. */
  readonly altersKeys: boolean;
  /** Whether a foreign key can be left to the commit. */
  readonly deferrableKeys: boolean;
  /** What a foreign key does that says nothing; undefined where versions differ. */
  readonly usualKeyAction: ForeignKeyAction | undefined;
  /** An action as the database has it, of columns that take NULL or not; undefined where it has none like it. */
  keyAction(action: ForeignKeyAction, nullable: boolean): ForeignKeyAction | undefined;
  /** Whether actions of keys may come to a table by two ways, or back to where they began. */
  readonly cascadesMeet: boolean;
  /** Whether a foreign key's column of one type can point at a column of the other. */
  canReference(from: ColumnType, to: ColumnType): boolean;
  /** The most characters of a text in a key of so many columns; undefined where there is no such limit. */
  longestKeyText(columns: number): number | undefined;
  /** The most characters that the texts of a row may be declared with together; undefined where there is no such limit. */
  readonly longestRowText: number | undefined;
  /** Whether an index can hold values of the type. */
  isIndexable(type: ColumnType): boolean;
  /** The clause of a column's comment; empty where `comments` makes statements of them, or there are none. */
  columnComment(comment: string): string;
  /** Whether there are comments at all. */
  readonly keepsComments: boolean;
  readonly columns: ColumnSyntax;
  readonly indexes: IndexSyntax;
  /** The statements around neutral ones under which their expressions mean what they say. */
  readonly neutralSession: { readonly begin: readonly string[]; readonly end: readonly string[] };
  /** What stands around a view's name and query, by its kind and its `Table.options` of the same dialect. */
  createView(view: Pick<Table, 'kind' | 'options'>): ViewSyntax;
  /** The statement of a table that is none of columns (SQLite's virtual ones); undefined for all others. */
  createVirtual(table: Table): string | undefined;
  /** What stands between CREATE and TABLE, by `Table.options` of the same dialect. */
  tableModifier(options: Readonly<Record<string, string>>): string;
  /** Constraints of no other database, as they stand in CREATE TABLE's body; empty for none. */
  tableConstraints(options: Readonly<Record<string, string>>): string;
  /** What follows CREATE TABLE's closing bracket. */
  tableOptions(options: Readonly<Record<string, string>>): string;
  /** Those of `Table.options` that the statements above make. */
  readonly madeOptions: readonly string[];
  /** Where every statement of DDL commits: how its work is undone. Undefined where a transaction holds it. */
  readonly undoing: DdlUndoing | undefined;
  /** The statements that set the comments of a table or view and its columns. */
  comments(table: Table): readonly string[];
}

export interface ViewSyntax {
  /** Before the name: `CREATE VIEW`. */
  readonly create: string;
  /** Behind the name; empty where nothing stands there. */
  readonly options: string;
  /** Behind the query; empty where nothing stands there. */
  readonly check: string;
}

export interface DdlUndoing {
  /** The statements that remove the tables and views, and before them the keys between them. */
  remove(made: Pick<Schema, 'tables' | 'views'>): readonly string[];
  /** Takes a lock of that name for the session, and gives 1 when no other has it. */
  hold(name: string): string;
  /** The query for the id of the session that holds the lock; NULL when none does. */
  holder(name: string): string;
  /** The statement that ends a session and its running statement. */
  endSession(id: string): string;
  /** How many rows have another value in the column than it was added with. */
  writtenTo(table: string, column: string): string;
  /** A database of another name to try statements in, in the place of the one called `home`. */
  scratch(name: string, home: string): Scratch;
}

export interface Scratch {
  readonly begin: readonly string[];
  readonly end: readonly string[];
  /** Removes the database if it exists. */
  readonly remove: string;
}

export type IdentityTable = Pick<Table, 'primaryKey' | 'columns' | 'options' | 'nullableKey'>;

export interface IdentityClause {
  readonly clause: string;
  /** The clause declares the primary key too. */
  readonly isPrimaryKey: boolean;
  /** The column becomes a key of its own, which the schema does not ask for. */
  readonly addsKey?: true;
}

/** What a column of a neutral schema can be. */
export interface ColumnSyntax {
  /** Whether an integer can refuse negative numbers; also where no type refuses anything, but keeps its name. */
  unsigned(bits: number): boolean;
  /** A set of labels. */
  readonly sets: boolean;
  /** A generated column that is not stored. */
  readonly virtual: boolean;
  /** Checks and generated columns may use the column that the database numbers. */
  readonly expressionsOfNumbers: boolean;
}

/** What an index can be told beyond its columns, direction and predicate. */
export interface IndexSyntax {
  /** A predicate: only some rows are in the index. */
  readonly partial: boolean;
  readonly expressions: boolean;
  readonly included: boolean;
  readonly nullsNotDistinct: boolean;
  /** An index may hold the beginning of a text only. */
  readonly prefixes: boolean;
  /** NULL is taken for equal to another NULL. */
  readonly nullsAreEqual: boolean;
  /** Whether an index is a line of CREATE TABLE. */
  readonly inline: boolean;
  /** What stands before INDEX and after the name, by the index's method; undefined where the dialect has no such index. */
  words(index: Index): IndexWords | undefined;
}

export interface IndexWords {
  /** `FULLTEXT `, with the blank behind it, or nothing. */
  readonly before: string;
  /** ` USING gin`, with the blank before it, or nothing. */
  readonly using: string;
}
