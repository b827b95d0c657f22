import type { DialectSign } from './ddl/reading.ts';

/** What scripts of rows in one dialect are like: data only. */
export interface DataScript {
  /** By what a script shows that it is of this dialect. */
  readonly signs: readonly DialectSign[];
  /** Every number with a point is a double, whatever column it is for. */
  readonly pointsAreDoubles: boolean;
  /** How many parts of a table's name tell it within one database; those before them name the database. */
  readonly nameParts: 1 | 2;
  /** A string for a column of bits is their bytes; else it is made of 0 and 1. */
  readonly bitStringsAreBytes: boolean;
}
