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

/** The rules of a dialect for the shared CREATE TABLE parser. Words are in upper case. */
export interface DdlRules {
  parseType(cursor: Cursor): ParsedType;
  /** The table that a qualified name refers to; `parts` are in the order of the text. */
  tableReference(parts: readonly string[]): TableReference;
  /** Column clauses that only this dialect has, by their first word, which the caller has consumed. */
  readonly columnClauses: Readonly<Record<string, (reading: ColumnContext) => void>>;
  /** Items of a table body that only this dialect has, by their first word, which the caller has consumed. */
  readonly bodyItems: Readonly<Record<string, (cursor: Cursor, body: TableBody) => void>>;
  /** Parses options around a key's columns, such as methods and filegroups, and returns the key's comment. */
  parseKeyOptions(
    cursor: Cursor,
    place: 'column' | 'table',
    warn: (what: string) => void,
  ): Pick<Index, 'comment'>;
  /** Whether a comma may follow the last item of a table body. */
  readonly allowsTrailingComma: boolean;
  /** Parses the options after the body, up to the end of the statement. */
  parseTableOptions(cursor: Cursor, table: Table, warn: (what: string) => void): Table;
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
  warn(what: string): void;
}

/** A column that is being parsed. */
export interface ColumnContext {
  readonly cursor: Cursor;
  readonly body: TableBody;
  readonly column: Mutable<Column>;
  /** The name after CONSTRAINT, until a constraint uses it. */
  constraintName: string | undefined;
}
