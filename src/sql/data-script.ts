import type { TimeSyntax } from './expression/syntax.ts';
import type { Column, ColumnType } from '../model/schema.ts';
import type { SkippedComments } from '../model/skipped-comments.ts';
import type { ReadCounter } from './counter-statement.ts';
import type { DialectHint } from './ddl/ddl-reader.ts';
import type { Charset, SettingChange, SettingToken } from './script-settings.ts';

/** Functions that an import can evaluate on literal arguments with the same result as the database. */
export type ValueFunctionName =
  | 'timestamp'
  | 'date'
  | 'time'
  /** PostgreSQL's date_trunc. */
  | 'truncated-time'
  /** SQLite's datetime(), date() and time() of 'now' or of a text that they return unchanged. */
  | 'datetime-text'
  | 'date-text'
  | 'time-text'
  | 'concat'
  /** NULL counts as an empty string. */
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
  /** Returns the text of the vector unchanged. */
  | 'vector';

/** Functions that an import evaluates at its own time, or by a format. */
export type TimeFunctionName =
  /** EXTRACT, date_part and DATEPART. */
  | 'field-of-time'
  /** With EPOCH, days of the week and fractions of seconds. */
  | 'field-or-epoch'
  | 'year'
  | 'month'
  | 'day-of-month'
  /** The text of a time in a format of TO_CHAR, DATE_FORMAT or strftime. */
  | 'text-by-fields'
  | 'text-by-percent'
  | 'text-by-strftime'
  /** The time of a text in a format of TO_DATE or STR_TO_DATE. */
  | 'time-by-fields'
  | 'time-by-percent'
  | 'random-uuid';

/** How INSERT scripts of one dialect are read: data only. */
export interface DataScriptRules {
  /** Patterns that suggest that a script is of this dialect. */
  readonly dialectHints: readonly DialectHint[];
  /** Constructs that prove the dialect: no other dialect's tools write them. */
  readonly proofs: DialectProofs;
  /** The settings that a SET statement changes for the following rows; undefined for a statement of another dialect. */
  settingsOf(this: void, tokens: readonly SettingToken[]): readonly SettingChange[] | undefined;
  /** Reads a statement that sets the next generated value of a column or sequence. */
  readonly counterOf: ReadCounter;
  /** How the dialect writes dates and times; undefined where that is not known. */
  readonly times?: TimeSyntax | undefined;
  /** The versioned comments that no server runs. The connected server may skip more. */
  readonly skippedComments: SkippedComments;
  /**
   * Procedures that change neither rows nor tables, in lower case, in a dialect whose scripts have IF, blocks
   * and EXEC between statements. Undefined in other dialects.
   */
  readonly proceduresWithoutRows?: ReadonlySet<string> | undefined;
  /** The function that returns a property of the server, in upper case. */
  readonly serverFunction?: string;
  /** How scripts import rows of files. Undefined in a dialect that has no such statement. */
  readonly dataFiles?: DataFileRules;
  /** Whether a table name denotes a temporary table, which imports cannot write. */
  isTemporary(parts: readonly string[]): boolean;
  /** Every literal with a decimal point is a double, regardless of its column. */
  readonly decimalLiteralsAreDoubles: boolean;
  /** The dialect writes amounts of money with a currency symbol, in the format of a locale. */
  readonly hasMoney: boolean;
  /** `$1.50` is a value of the type MONEY. */
  readonly hasMoneyLiterals: boolean;
  /** The texts that a boolean column accepts, in lower case; undefined where it accepts any. */
  readonly booleanWords: Readonly<Record<string, boolean>> | undefined;
  /** A boolean column stores any number except 0 as 1. */
  readonly anyNumberIsTrue?: boolean;
  /** 0 in a numbered column stands for the next number, unless a setting says otherwise. */
  readonly zeroIsNextNumber: boolean;
  /** NULL in a numbered column stands for the next number. */
  readonly nullIsNextNumber: boolean;
  /** INSERT gives the numbered column no value, unless it names that column. */
  readonly omitsNumberedColumn?: boolean;
  /** INSERT without a column list may have values for the first columns only. */
  readonly allowsFewerValues?: boolean;
  /** Columns may hold zero dates, dates without a day, and times of more than a day. */
  readonly hasZeroDates?: boolean;
  /** INSERT … SET a = 1 inserts a row. */
  readonly insertsBySet: boolean;
  /** Number of name parts that identify a table within one database; earlier parts name the database. */
  readonly nameParts: 1 | 2;
  /** A string for a bit column holds bytes; otherwise it consists of the digits 0 and 1. */
  readonly bitStringsAreBytes: boolean;
  /** The text of a binary value for a type that only this database has; undefined if the bytes are not valid. */
  nativeTypeText(bytes: Buffer, column: Column): string | undefined;
  /** The JSON text of an array of the type; undefined for other texts, or if the dialect has no arrays. */
  readonly arrayJson?:
    | ((this: void, text: string, of: ColumnType) => string | undefined)
    | undefined;
  /** Default axis order of ST_GeomFromText; undefined where the function has no axis-order option. */
  readonly defaultAxisOrder: 'srid-defined' | undefined;
  /** `0x1F` is a number; otherwise it is a byte string, unless its column is numeric. */
  readonly hexIsNumber: boolean;
  /** Numbers may contain underscores: `1_000`. */
  readonly digitGroups: boolean;
  /** Meaning of `X'1F'`: bytes, bits, or, as for `0x1F`, bytes that a numeric column reads as a number. */
  readonly hexStrings: 'bytes' | 'bits' | 'number';
  /** What the length of a text type counts: characters or units of UTF-16. */
  readonly textLengths: 'characters' | 'utf16';
  /** A string for a binary column holds the bytes themselves; otherwise it is in PostgreSQL's bytea format. */
  readonly stringsAreBytes: boolean;
  /** Supported cast syntaxes. */
  readonly castForms: readonly ('CAST' | 'TRY_CAST' | 'CONVERT' | '::')[];
  /** Matches words that give the type or character set of the string after them: DATE '…', _utf8mb4'…'. */
  readonly stringPrefixes: RegExp | undefined;
  /** The string concatenation operator. */
  readonly textConcatenation: '||' | '+' | undefined;
  /** How intervals are written after the current time: INTERVAL '1 day', INTERVAL 1 DAY. */
  readonly intervals?: 'text' | 'unit';
  /** Whether `'a' 'b'` is one string: only across a line break, always, never. */
  readonly adjacentStrings: 'over-lines' | 'anywhere' | 'nowhere';
  /** How CAST reads a type name; SQLite derives an affinity from it (`by-class`). */
  readonly casts: 'by-class' | 'by-type';
  /** The encoding in which CAST converts bytes to text; undefined where it does not decode them. */
  readonly bytesAsText: 'utf8' | 'utf16' | undefined;
  /** Casts of literals that are evaluated if the type holds the literal exactly, by type name in upper case. */
  readonly exactCasts: Readonly<Record<string, ExactCast>>;
  /** By function name in upper case. */
  readonly functions: Readonly<Record<string, ValueFunctionName>>;
  /** By function name in upper case. */
  readonly timeFunctions: Readonly<Record<string, TimeFunctionName>>;
  /** Functions called without parentheses, by name in upper case. */
  readonly bareFunctions: Readonly<Record<string, 'timestamp' | 'date' | 'time'>>;
}

export interface DataFileRules {
  readonly statement: 'COPY' | 'LOAD DATA' | 'BULK INSERT';
  /** The encoding of a name in the statement; `other` if it is not supported, undefined for UTF-8 or ASCII. */
  charsetOf(this: void, name: string): Charset | 'utf-16' | undefined;
}

/** The values that a type of a cast can hold. */
export type ExactCast =
  | {
      readonly kind: 'date' | 'time' | 'timestamp';
      /** Fractional digits of the type without a size; none if absent. */
      readonly digits?: number;
      /** The largest size; the type takes none if absent. */
      readonly maxDigits?: number;
      /** The type has an offset from UTC. `utc`: a literal without one is in UTC. */
      readonly zone?: 'utc' | 'required';
      /** Matches the literals that the type holds exactly. */
      readonly pattern?: RegExp;
      /** A setting of the script, such as DATEFORMAT, can change what a date with dashes means. */
      readonly dependsOnOrder?: boolean;
      /** The type reads `20200131 10:11:12`. Every dialect reads `20200131`. */
      readonly takesCompactDates?: boolean;
    }
  | {
      readonly kind: 'decimal';
      /** Undefined: the type without sizes keeps all digits. */
      readonly precision?: number;
      readonly scale?: number;
      readonly takesSizes: boolean;
    }
  | { readonly kind: 'float'; readonly bits: 32 | 64 }
  | { readonly kind: 'bit' }
  | { readonly kind: 'uuid'; readonly letters: 'upper' | 'lower' };

/** Constructs that occur in no other dialect's scripts. */
export interface DialectProofs {
  /** Match the header comments that tools write. */
  readonly comments: readonly RegExp[];
  /** Match code whose string literals have been emptied. */
  readonly code: readonly RegExp[];
}
