/** What the statements of a script between its rows do. */
import type { LexicalRules } from '../../../portable/lexer/lexer.ts';
import type { ScriptLanguage } from '../../../portable/lexer/split.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';

export type StatementKind =
  /** Dump tools write it before and after rows. It is skipped. */
  | 'skippable'
  /** It changes the schema; it is rejected, or skipped on request. */
  | 'ddl'
  /** It returns rows and changes nothing. Rejected, unless the structure of the file is imported too. */
  | 'read'
  /** It contains other statements, which may write rows: IF, a block, or EXEC of a text. */
  | 'container'
  | 'other';

export interface KindContext {
  readonly lexical: LexicalRules;
  readonly language: ScriptLanguage;
  readonly dataScript: Pick<DataScriptRules, 'proceduresWithoutRows'>;
  /** The text of a variable, if it is known. */
  readonly textOf: (variable: string) => string | undefined;
  /** Number of texts of EXEC around the statement. */
  readonly depth: number;
}
