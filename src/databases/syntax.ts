import type { Language } from '../sql/classify.ts';
import type { DataScript } from '../sql/data-script.ts';
import type { DdlReader } from '../sql/ddl/reading.ts';
import type { ExpressionSyntax } from '../sql/translate-expression.ts';

/** How a database's own texts are read. */
export interface DatabaseSyntax {
  readonly language: Language;
  readonly expressions: ExpressionSyntax;
  readonly ddlReader: DdlReader;
  /** What tells scripts of rows from those of other databases, and how their literals are meant. */
  readonly dataScript: DataScript;
}
