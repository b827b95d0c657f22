import { StudioError } from '../../model/errors.ts';
import { positionCounter } from '../../sql/position.ts';
import { lineOf } from './script.ts';
import type { Script } from './script.ts';

interface RejectedStatement {
  /** Of the statement. */
  readonly text: string;
  readonly start: number;
  /** What follows the statement in a sentence. */
  readonly why: string;
}

const longestShown = 60;

/** A statement that an import of rows does not follow, with its place. */
export function statementError(
  script: Script,
  { text, start, why }: RejectedStatement,
): StudioError {
  const { column } = positionCounter(script.lexer.text)(start);
  const line = lineOf(script, start);
  const what = text.slice(0, longestShown).replaceAll(/\s+/g, ' ').trim();
  const message = `"${what}${text.length > longestShown ? '…' : ''}" ${why}.`;
  return new StudioError('import_failed', `${script.name}, line ${line}: ${message}`, {
    line,
    column,
    errors: [{ code: 'statement_refused', message: `Line ${line}: ${message}`, line }],
  });
}
