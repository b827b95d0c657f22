import type { Language } from '../sql/classify.ts';
import type { DataScriptRules } from '../sql/data-script.ts';
import type { DdlReader } from '../sql/ddl/ddl-reader.ts';
import type { ExpressionSyntax } from '../sql/translate-expression.ts';

/** How SQL of a database is parsed. */
export interface DatabaseSyntax {
  readonly language: Language;
  readonly expressions: ExpressionSyntax;
  readonly ddlReader: DdlReader;
  /** How to recognize scripts of INSERT statements for this database, and what their literals mean. */
  readonly dataScript: DataScriptRules;
}
