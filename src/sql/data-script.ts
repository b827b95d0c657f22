import type { Column } from '../model/schema.ts';
import type { DialectSign } from './ddl/reading.ts';
import type { SettingChange, SettingToken } from './script-settings.ts';

/** What an import can compute of a function's literal arguments, exactly as the databases that have it do. */
export type ValueFunctionName =
  | 'timestamp'
  | 'date'
  | 'time'
  /** SQLite's datetime(), date(), time(): of 'now', or of a text that they give back. */
  | 'datetime-text'
  | 'date-text'
  | 'time-text'
  | 'concat'
  /** NULL counts as an empty text. */
  | 'concat-without-nulls'
  | 'replace'
  | 'characters'
  | 'ascii-characters'
  | 'utf16-characters'
  | 'unistr'
  | 'unhex'
  | 'hex'
  | 'decode'
  | 'base64'
  | 'zeroblob'
  | 'json'
  | 'geometry'
  /** A vector's text stays as it is. */
  | 'vector';

/** What scripts of rows in one dialect are like: data only. */
export interface DataScript {
  /** By what a script shows that it is of this dialect. */
  readonly signs: readonly DialectSign[];
  /** What no other dialect's tools write. */
  readonly proofs: DialectProofs;
  /** What a statement that sets something changes for the rows behind it; undefined: it is not of this dialect. */
  settingsOf(this: void, tokens: readonly SettingToken[]): readonly SettingChange[] | undefined;
  /** Every number with a point is a double, whatever column it is for. */
  readonly pointsAreDoubles: boolean;
  /** How many parts of a table's name tell it within one database; those before them name the database. */
  readonly nameParts: 1 | 2;
  /** A string for a column of bits is their bytes; else it is made of 0 and 1. */
  readonly bitStringsAreBytes: boolean;
  /** The text of bytes for a column of a type that only this database has; undefined where they are none of it. */
  ownTypeText(bytes: Buffer, column: Column): string | undefined;
  /** The default axis order of ST_GeomFromText; undefined where it has no option for the order. */
  readonly ownAxisOrder: 'srid-defined' | undefined;
  /** `0x1F` is a number; else it is bytes, unless its column is numeric. */
  readonly hexIsNumber: boolean;
  /** Digits may be grouped: `1_000`. */
  readonly digitGroups: boolean;
  /** What `X'1F'` is: bytes, bits, or like `0x1F` bytes that a numeric column takes for a number. */
  readonly hexStrings: 'bytes' | 'bits' | 'number';
  /** A string for a column of bytes is those bytes; else it is in the form of PostgreSQL's bytea. */
  readonly stringsAreBytes: boolean;
  /** How casts are written. */
  readonly castForms: readonly ('CAST' | 'TRY_CAST' | 'CONVERT' | '::')[];
  /** Words that say the type or character set of the string behind them. */
  readonly typedStrings: RegExp | undefined;
  /** What puts two texts together. */
  readonly textConcatenation: '||' | '+' | undefined;
  /** Whether `'a' 'b'` is one text: only over a line break, anywhere, nowhere. */
  readonly adjacentStrings: 'over-lines' | 'anywhere' | 'nowhere';
  /** What CAST makes of a type's name: SQLite looks for a class in it. */
  readonly casts: 'by-class' | 'by-type';
  /** How bytes become a text under CAST; undefined: not as their characters. */
  readonly bytesAsText: 'utf8' | 'utf16' | undefined;
  /** By name in capitals. */
  readonly functions: Readonly<Record<string, ValueFunctionName>>;
  /** Functions that take no brackets, by name in capitals. */
  readonly bareFunctions: Readonly<Record<string, 'timestamp' | 'date' | 'time'>>;
}

/** Constructs that are in no other dialect's scripts. */
export interface DialectProofs {
  /** Beginnings of comments, as tools write them at a file's head. */
  readonly comments: readonly RegExp[];
  /** In code, whose strings are empty. */
  readonly code: readonly RegExp[];
}
