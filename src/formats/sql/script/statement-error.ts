import { StudioError } from '../../../model/errors.ts';
import { positionCounter } from '../../../portable/lexer/position.ts';
import { lineOf } from './script.ts';
import type { Script } from './script.ts';

interface RejectedStatement {
  /** Text of the statement. */
  readonly text: string;
  readonly start: number;
  /** The reason, as the end of a sentence that begins with the statement. */
  readonly reason: string;
}

const maxExcerpt = 60;

/** Comments of any dialect: the script may not be in the one that it is read in. */
const leadingComments =
  /^(?:\s+|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*(?!!|M!)[^*]*\*+(?:[^/*][^*]*\*+)*\/)+/;

/** The error of a statement that a data import does not support, with its position. */
export function statementError(
  script: Script,
  { text, start, reason }: RejectedStatement,
): StudioError {
  const { column } = positionCounter(script.lexer.text)(start);
  const line = lineOf(script, start);
  const code = text.replace(leadingComments, '') || text;
  const excerpt = code.slice(0, maxExcerpt).replaceAll(/\s+/g, ' ').trim();
  const message = `"${excerpt}${code.length > maxExcerpt ? '…' : ''}" ${reason}.`;
  return new StudioError('import_failed', `${script.name}, line ${line}: ${message}`, {
    line,
    column,
    errors: [{ code: 'statement_refused', message: `Line ${line}: ${message}`, line }],
  });
}
