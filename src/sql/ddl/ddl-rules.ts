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

export interface TypeReading {
  /** As the dialect's own catalogue spells it. */
  readonly nativeType: string;
  readonly type: ColumnType;
  /** What the type says of its column beyond values: SERIAL, BIT NOT NULL of an alias. */
  readonly column?: Partial<Column>;
}

/** What the reader of tables asks its dialect. Words are in capitals. */
export interface DdlRules {
  takeType(cursor: Cursor): TypeReading;
  /** A table by the parts of its name, the last being its own. */
  reference(parts: readonly string[]): TableReference;
  /** Clauses of a column that only this dialect has, by their first word, which is passed. */
  readonly columnClauses: Readonly<Record<string, (reading: ColumnReading) => void>>;
  /** Members of a table's body that only this dialect has, by their first word, which is passed. */
  readonly bodyItems: Readonly<Record<string, (cursor: Cursor, body: TableBody) => void>>;
  /** What stands around a key's columns: methods, file groups; a comment, unless it is its column's. */
  takeKeyOptions(
    cursor: Cursor,
    place: 'column' | 'table',
    warn: (what: string) => void,
  ): Pick<Index, 'comment'>;
  /** Whether a comma may stand behind the last member of a table's body. */
  readonly takesLastComma: boolean;
  /** What stands behind the body, up to the end of the statement. */
  takeTableOptions(cursor: Cursor, table: Table, warn: (what: string) => void): Table;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What the brackets of CREATE TABLE, or the clauses of ALTER TABLE, tell of a table. */
export interface TableBody {
  readonly reference: TableReference;
  readonly rules: DdlRules;
  readonly columns: Column[];
  primaryKey: PrimaryKey | undefined;
  readonly indexes: Index[];
  readonly foreignKeys: ForeignKey[];
  readonly checks: Check[];
  /** Constraints that only the dialect has, as it spells them. */
  readonly constraints: string[];
  warn(what: string): void;
}

/** One column, or one constraint, on its way through the text. */
export interface ColumnReading {
  readonly cursor: Cursor;
  readonly body: TableBody;
  readonly column: Mutable<Column>;
  /** What CONSTRAINT has named and nothing has used yet. */
  constraintName: string | undefined;
}
