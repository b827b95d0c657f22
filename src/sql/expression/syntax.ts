import type { Column } from '../../model/schema.ts';
import type { LexicalRules } from '../../portable/lexer/lexical-rules.ts';
import type { FunctionName } from './tree.ts';

export type ComparedColumn = Pick<Column, 'nativeType' | 'collation'>;

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
  /** A text and a number can be compared. */
  readonly comparesAnything: boolean;
  /**
   * Whether `=` ignores case for texts of the column, according to the collation of the column, its
   * table or the database; undefined if unknown.
   */
  ignoresCase(
    column: ComparedColumn,
    options: Readonly<Record<string, string>>,
  ): boolean | undefined;
}
