import { StudioError } from '../../model/errors.ts';
import type { Dialect } from '../../model/database.ts';

/** What the database says against the client's own statement is the client's to read. */
export function explainError(dialect: Dialect, error: unknown): unknown {
  const isKnown = error instanceof StudioError;
  const said = dialect.messageOf(isKnown ? error.cause : error);
  if (said === undefined) return error;
  if (!isKnown) return new StudioError('invalid_parameter', said, { parameter: 'query' });
  if (error.message.includes(said)) return error;
  const message = `${withoutEnd(error.message)}: ${withoutEnd(said)}.`;
  return new StudioError(error.code, message, error.details);
}

/** What the database says against a table of the user's is no defect of the studio. */
export function withDatabaseErrors(dialect: Dialect, error: unknown): unknown {
  if (error instanceof StudioError) return error;
  const said = dialect.messageOf(error);
  if (said === undefined) return error;
  const known = new StudioError('database_error', `The database refuses it: ${withoutEnd(said)}.`);
  return Object.assign(known, { cause: error });
}

function withoutEnd(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
