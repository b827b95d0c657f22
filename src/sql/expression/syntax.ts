import type { Column } from '../../model/schema.ts';
import type { LexicalRules } from '../lexical-rules.ts';
import type { FunctionName } from './tree.ts';

export type ComparedColumn = Pick<Column, 'nativeType' | 'collation'>;

/** How one dialect reads and spells expressions: data and small functions. Every member is required of every dialect. */
export interface ExpressionSyntax {
  readonly lexical: LexicalRules;
  quoteName(name: string): string;
  quoteText(text: string): string;
  /** Bare words that are functions without brackets, in capitals: `CURRENT_TIMESTAMP`. */
  readonly constants: Readonly<Record<string, FunctionName>>;
  /** What functions are called, in small letters. */
  readonly functions: Readonly<Record<string, FunctionName>>;
  /** How a function is spelled of arguments that are spelled already; undefined where there is none like it. */
  call(name: FunctionName, args: readonly string[]): string | undefined;
  concat(left: string, right: string): string;
  bytes(hex: string): string;
  bits(digits: string): string;
  /** What `||` is. */
  readonly pipes: 'concat' | 'or' | 'nothing';
  /** `+` joins texts. */
  readonly plusJoins: boolean;
  /** `typed`: a type of its own; `number`: 0 and 1; `bit`: 0 and 1, which are no conditions. */
  readonly booleans: 'typed' | 'number' | 'bit';
  /** `/` of two integers drops what is behind the point. */
  readonly integerDivision: boolean;
  /** LIKE tells letters by case. */
  readonly likeTellsCase: boolean;
  /** CHECK may ask for the time. */
  readonly checksMayAskTime: boolean;
  /** A text and a number can be compared. */
  readonly comparesAnything: boolean;
  /**
   * Whether `=` takes texts of the column that differ in case for equal, by its collation, that of
   * its table or the usual one; undefined where nobody knows.
   */
  ignoresCase(
    column: ComparedColumn,
    options: Readonly<Record<string, string>>,
  ): boolean | undefined;
}
