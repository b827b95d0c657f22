import type { Cursor } from './cursor.ts';
import type { DdlRules } from './ddl-rules.ts';
import type { SchemaDraft, TableReference } from './draft.ts';

/** An ALTER TABLE that is being parsed. */
export interface Alteration {
  readonly cursor: Cursor;
  readonly rules: DdlRules;
  readonly draft: SchemaDraft;
  /** Changes when the statement renames the table. */
  reference: TableReference;
  warn(message: string): void;
}
