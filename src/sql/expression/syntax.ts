import type { Column } from '../../model/schema.ts';
import type { LexicalRules } from '../../portable/lexer/lexical-rules.ts';
import type { FunctionName } from './tree.ts';

export type ComparedColumn = Pick<Column, 'nativeType' | 'collation'>;

/** How the texts of dates and times are read and written. */
export interface TimeSyntax {
  /** The text in ISO 8601 if it is in a form of this dialect that is independent of settings; others may be returned unchanged. */
  toIso(text: string, kind: 'date' | 'time' | 'timestamp'): string | undefined;
  /** The last year that two digits stand for, in dates whose order is known. Undefined where years have four. */
  readonly lastTwoDigitYear?: number;
  /** A number is read as the text of its digits. */
  readonly takesNumbers: boolean;
  /** Between date and time in the texts that the database writes. */
  readonly separator: 'T' | ' ';
  /** Fractional digits of a type without a precision. */
  readonly digits: number;
  /** The database writes all fractional digits of a type, also zeros. */
  readonly padsFractions: boolean;
  /** The offset of a literal without one; that of the session if absent. */
  readonly offset?: '+00:00';
  /** Literals may have an offset from UTC. */
  readonly takesOffsets: boolean;
  /** A time may be negative or have more than 23 hours. */
  readonly takesDurations: boolean;
  /** The year, month or day of a date may be zero. */
  readonly takesZeroDates: boolean;
  /** Dates and times are stored as texts and compare as such. */
  readonly storesTexts: boolean;
}

/** How expressions of one dialect are parsed and rendered. Every dialect implements every member. */
export interface ExpressionSyntax {
  readonly lexical: LexicalRules;
  quoteName(name: string): string;
  quoteText(text: string): string;
  /** Functions without parentheses, by name in upper case: `CURRENT_TIMESTAMP`. */
  readonly constants: Readonly<Record<string, FunctionName>>;
  /** Functions by their name in this dialect, in lower case. */
  readonly functions: Readonly<Record<string, FunctionName>>;
  /** Renders a call with rendered arguments; undefined if the dialect has no equivalent. */
  call(name: FunctionName, args: readonly string[]): string | undefined;
  concat(left: string, right: string): string;
  bytes(hex: string): string;
  bits(digits: string): string;
  /** Meaning of `||`. */
  readonly pipes: 'concat' | 'or' | 'nothing';
  /** `+` concatenates texts. */
  readonly plusConcatenates: boolean;
  /** `typed`: a separate type; `number`: 0 and 1; `bit`: 0 and 1, which cannot be used as conditions. */
  readonly booleans: 'typed' | 'number' | 'bit';
  /** Known functions may have a schema. Elsewhere a function with a schema is one of the users. */
  readonly qualifiesFunctions: boolean;
  /** `/` of two integers drops the fraction. */
  readonly integerDivision: boolean;
  /** LIKE is case-sensitive. */
  readonly likeIsCaseSensitive: boolean;
  /** CHECK may use the current time. */
  readonly checksMayUseTime: boolean;
  /** Numbers keep all digits of their types. Elsewhere they are 64-bit integers or doubles, whatever the type. */
  readonly exactNumbers: boolean;
  /** How a text compares with a number: the text is converted, texts are greater than numbers, or not at all. */
  readonly mixedComparison: 'converts' | 'by-class' | 'fails';
  readonly times: TimeSyntax;
  /** Which texts compare without their trailing blanks. */
  readonly trailingBlanks: 'ignored' | 'ignored in char columns' | 'compared';
  /**
   * Whether `=` ignores case for texts of the column, according to the collation of the column, its
   * table or the database; undefined if unknown.
   */
  ignoresCase(
    column: ComparedColumn,
    options: Readonly<Record<string, string>>,
  ): boolean | undefined;
}
