/** Records what a dump runs within other statements, for the reader of its rows. */
import type { Statement } from '../../portable/lexer/split.ts';
import type { DdlOptions, ExecutedStatement } from './ddl-reader.ts';
import type { SchemaDraft } from './draft.ts';
import type { NestedStatement } from './script-statement.ts';

export type RecordExecuted = (statement: Statement | NestedStatement) => void;

/** Statements that have no effect besides those within them, and the ends of a batch. */
const containers: ReadonlySet<string> = new Set(['IF', 'BEGIN', 'RETURN', 'THROW']);

export function isContainer({ firstWord }: Statement): boolean {
  return containers.has(firstWord);
}

/** The text of a module would contain the statements after it. What creates objects is read with the structure. */
const structural = /^(?:CREATE|ALTER\s+(?:PROC|PROCEDURE|FUNCTION|TRIGGER|VIEW))\b/i;

/** Appends the statements within the outermost one to `executed`. */
export function executedRecorder(
  executed: ExecutedStatement[],
  { line: outerLine }: Statement,
  { hasRows = false }: DdlOptions,
): RecordExecuted {
  return (statement) => {
    const { text, line } = statement;
    if (hasRows && 'nesting' in statement && !structural.test(text))
      executed.push({ text, line, outerLine });
  };
}

/** The reader of rows loads those outside of other statements, also after the end of their batch. */
export function reportUnreachedRows(
  statement: Statement | NestedStatement,
  { draft, options }: { readonly draft: SchemaDraft; readonly options: DdlOptions },
): void {
  if (options.hasRows !== true || 'nesting' in statement) return;
  const { line, column, firstWord } = statement;
  const message = `The script ends its batch before this ${firstWord}, which therefore has no effect. Remove it.`;
  draft.problems.push({ code: 'statement_refused', message, line, column });
}
