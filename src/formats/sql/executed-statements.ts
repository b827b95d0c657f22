/** Reads the statements that a script runs within another one in place of that one. */
import { lineOf } from './script/script.ts';
import type { ExecutedStatement } from '../../sql/ddl/ddl-reader.ts';
import type { Script } from './script/script.ts';

interface ContainerContext {
  readonly script: Script;
  executed: readonly ExecutedStatement[] | undefined;
}

/** Puts the statements that the container runs in its place, each on its line, and continues at their beginning. */
export function insertExecuted(
  sql: ContainerContext,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  const { script } = sql;
  const { lexer } = script;
  const [firstLine, lastLine] = [lineOf(script, start), lineOf(script, end)];
  const { executed = [] } = sql;
  const next = executed.findIndex(({ outerLine }) => outerLine > lastLine);
  const count = next < 0 ? executed.length : next;
  const inside = executed.slice(0, count);
  sql.executed = executed.slice(count);
  let [text, line] = ['', firstLine];
  for (const statement of inside) {
    text += lineBreaksTo(statement.line, line);
    line = Math.max(line, statement.line);
    const raw = Buffer.from(statement.text).toString('latin1');
    text += `${raw};`;
    line += raw.split('\n').length - 1;
  }
  text += lineBreaksTo(lastLine, line);
  lexer.text = lexer.text.slice(0, start) + text + lexer.text.slice(end);
  lexer.at = start;
  // A text of EXEC can have more lines than the container.
  const moreLines = Math.max(0, line - lastLine);
  script.firstLine -= moreLines;
  script.counted = { at: 0, line: script.firstLine };
}

function lineBreaksTo(line: number, from: number): string {
  return '\n'.repeat(Math.max(0, line - from));
}
