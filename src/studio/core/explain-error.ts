import { StudioError } from '../../model/errors.ts';
import type { Dialect } from '../../model/database.ts';

/** Adds the database's message to the error of a client's own statement. */
export function withDatabaseMessage(dialect: Dialect, error: unknown): unknown {
  const isStudioError = error instanceof StudioError;
  const databaseMessage = dialect.messageOf(isStudioError ? error.cause : error);
  if (databaseMessage === undefined) return error;
  if (!isStudioError)
    return new StudioError('invalid_parameter', databaseMessage, { parameter: 'query' });
  const [firstLine = ''] = databaseMessage.split('\n');
  if (error.message.includes(withoutPeriod(firstLine.trim()))) return error;
  const [, sentence, outcome = ''] = /^([^]*?)(; [a-z ]*written)?\.?$/.exec(error.message)!;
  const message = `${sentence}: ${withoutPeriod(databaseMessage)}${outcome}.`;
  return new StudioError(error.code, message, error.details);
}

/** An error that the database reports is a `database_error`, and not a defect of the studio. */
export function asDatabaseError(dialect: Dialect, error: unknown): unknown {
  if (error instanceof StudioError) return error;
  const databaseMessage = dialect.messageOf(error);
  if (databaseMessage === undefined) return error;
  const message = `The database reported an error: ${withoutPeriod(databaseMessage)}.`;
  return Object.assign(new StudioError('database_error', message), { cause: error });
}

function withoutPeriod(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
