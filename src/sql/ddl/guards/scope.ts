/** Names of columns in the conditions of a script, and the rows that they refer to. */
import { undetermined } from './value.ts';
import type { LexicalRules } from '../../../portable/lexer/lexical-rules.ts';
import type { Column } from '../../../model/schema.ts';
import type { TextRules, Value } from './value.ts';

/** By the names of columns in lower case. */
export type Row = Readonly<Record<string, Value>>;

/** The rows that a table or a view of the catalog has when the script reads it. */
export interface Relation {
  /** In lower case. Undefined if any name may be a column. */
  readonly columns: ReadonlySet<string> | undefined;
  readonly rows: readonly Row[];
}

/** What a dialect knows of the database while its script runs. */
export interface GuardRules extends TextRules {
  readonly lexical: LexicalRules;
  /** LIKE has sets of characters: `[a-z]`. */
  readonly hasSets: boolean;
  /** Whether values of the column are compared as their texts. Absent: those of each column are. */
  isComparable?(column: Column): boolean;
  /** The relation with this name, or the one that a function returns; undefined if it is not known. */
  relation(name: readonly string[], args: readonly Value[] | undefined): Relation | undefined;
  /** The name is in upper case. */
  call(name: string, args: readonly Value[]): Value;
  variable(name: string): Value;
  /** A word that is no column. */
  word?(name: string): Value;
}

export interface Source {
  /** The alias or the name, in lower case. */
  readonly name: string;
  readonly columns: ReadonlySet<string> | undefined;
}

/** The rows of the sources of a query so far, and the query around it. */
export interface Scope {
  readonly sources: readonly Source[];
  /** Shorter than `sources` while the query is joined; null is the missing row of an outer join. */
  readonly rows: readonly (Row | null)[];
  readonly outer: Scope | undefined;
  /** The rows that an aggregate counts. Undefined outside a query with aggregates. */
  readonly group?: readonly Scope[] | typeof undetermined;
}

export type Evaluate = (scope: Scope | undefined) => Value;

/** Finds the value of `source.column` or `column`; undefined if no source has such a column. */
export function findColumn(
  scope: Scope | undefined,
  column: string,
  source: string | undefined,
): Value | undefined {
  for (let each = scope; each !== undefined; each = each.outer) {
    const at = each.sources.findIndex(({ name, columns }) =>
      source === undefined ? columns?.has(column) !== false : name === source,
    );
    if (at >= 0) return valueIn(each.rows[at], column);
  }
  return undefined;
}

function valueIn(row: Row | null | undefined, column: string): Value {
  if (row === null) return null;
  return row !== undefined && Object.hasOwn(row, column) ? (row[column] ?? null) : undetermined;
}
