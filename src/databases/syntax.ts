import type { Capability } from '../model/capabilities.ts';
import type { Language } from '../sql/classify.ts';
import type { DataScriptRules } from '../sql/data-script.ts';
import type { DdlReader } from '../sql/ddl/ddl-reader.ts';
import type { ExpressionSyntax } from '../sql/translate-expression.ts';

/** How SQL of a database is parsed, as far as its capabilities need it. Reading rows needs none of it. */
export type DatabaseSyntax<C extends Capability = never> = Partial<
  SqlSyntax & ScriptSyntax & DdlSyntax
> &
  ('sql' extends C ? SqlSyntax : unknown) &
  ('script' extends C ? ScriptSyntax : unknown) &
  ('ddl' extends C ? DdlSyntax : unknown);

/** Needed to run the statements of users. */
export interface SqlSyntax {
  readonly language: Language;
}

/** Needed to read scripts of INSERT statements for the database. */
export interface ScriptSyntax extends SqlSyntax {
  /** How to recognize such scripts, and what their literals mean. */
  readonly dataScript: DataScriptRules;
}

/** Needed to read and translate the structure. */
export interface DdlSyntax extends SqlSyntax {
  readonly expressions: ExpressionSyntax;
  readonly ddlReader: DdlReader;
}
