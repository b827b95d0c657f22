import type {
  Check,
  Column,
  ColumnType,
  ForeignKey,
  Index,
  PrimaryKey,
  Table,
} from '../../model/schema.ts';
import type { Cursor } from './cursor.ts';
import type { TableReference } from './draft.ts';

export interface ParsedType {
  /** As the dialect's catalog reports the type. */
  readonly nativeType: string;
  readonly type: ColumnType;
  /** Column properties that the type implies: auto-increment of SERIAL, NOT NULL of an alias type. */
  readonly column?: Partial<Column>;
}

/** The key whose options are parsed, and whether it is a clause of a column. */
export interface KeyPosition {
  readonly key: 'primary' | 'unique';
  readonly isInColumn: boolean;
}

/** The rules of a dialect for the shared CREATE TABLE parser. Words are in upper case. */
export interface DdlRules {
  parseType(cursor: Cursor, warn: (message: string) => void): ParsedType;
  /** The table that a qualified name refers to; `parts` are in the order of the text. */
  tableReference(parts: readonly string[]): TableReference;
  /** Column clauses that only this dialect has, by their first word, which the caller has consumed. */
  readonly columnClauses: Readonly<Record<string, (context: ColumnContext) => void>>;
  /** First words of the column clauses that may have a name: `CONSTRAINT name CHECK (…)`. */
  readonly namedColumnClauses: ReadonlySet<string>;
  /**
   * Items of a table body that only this dialect has, by their first word, or by their first two where
   * the first alone may be the name of a column. The caller has consumed these words.
   */
  readonly bodyItems: Readonly<Record<string, (cursor: Cursor, body: TableBody) => void>>;
  /** Parses the expression of a default up to the next clause. `warn` names what is left out of it. */
  parseDefault(cursor: Cursor, warn: (message: string) => void): string;
  /** The columns of named defaults, by `constraintKey`, where ALTER TABLE can drop a default by its name. */
  readonly defaultNames?: Map<string, string>;
  /** Parses a change after ALTER COLUMN that is no new definition. `warn` names what is left out. */
  parseColumnChange?(
    cursor: Cursor,
    warn: (message: string) => void,
  ): ((column: Column) => Column) | undefined;
  /** Parses options around a key's columns, such as methods and filegroups, and returns the key's comment. */
  parseKeyOptions(
    cursor: Cursor,
    key: KeyPosition,
    warn: (message: string) => void,
  ): Pick<Index, 'comment'>;
  /** Whether an ADD applies to everything after it (T-SQL: `ADD a int, b int`). */
  readonly continuesAdd: boolean;
  /** Whether a name may follow UNIQUE and FOREIGN KEY, which names the index (MySQL). */
  readonly keysMayNameIndexes: boolean;
  /** Whether DROP COLUMN removes the column from its indexes. Otherwise it drops the indexes, or fails. */
  readonly narrowsIndexes: boolean;
  /** Whether a check without a name in a column's definition belongs to the column, also when the column is redefined. */
  readonly columnsHaveChecks: boolean;
  /** Whether a comma may follow the last item of a table body. */
  readonly allowsTrailingComma: boolean;
  /** Parses the options after the body, up to the end of the statement. */
  parseTableOptions(cursor: Cursor, table: Table, warn: (message: string) => void): Table;
  /** Parses an action of ALTER TABLE that only this dialect has. Returns the changed table; undefined if another action comes next. */
  parseDialectAction?(
    cursor: Cursor,
    table: Table,
    warn: (message: string) => void,
  ): Table | undefined;
  /** Parses a constraint that only this dialect has, after its name. Returns whether there was one. */
  parseDialectConstraint?(cursor: Cursor, body: TableBody, name?: string): boolean;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What the body of CREATE TABLE or the actions of ALTER TABLE define. */
export interface TableBody {
  readonly reference: TableReference;
  readonly rules: DdlRules;
  readonly columns: Column[];
  primaryKey: PrimaryKey | undefined;
  readonly indexes: Index[];
  readonly foreignKeys: ForeignKey[];
  readonly checks: Check[];
  /** Constraints that only this dialect has, as SQL text. */
  readonly constraints: string[];
  /** IF NOT EXISTS of a key: one with the same name stays as it is. */
  skipsExisting: boolean;
  warn(message: string): void;
}

/** A column that is being parsed. */
export interface ColumnContext {
  readonly cursor: Cursor;
  readonly body: TableBody;
  readonly column: Mutable<Column>;
  /** The name after CONSTRAINT, until a constraint uses it. */
  constraintName: string | undefined;
}
