import { StudioError } from '../model/errors.ts';

/** Errors of SELECT statements, where an invalid value can only come from a parameter of the request. */
const errorsOfReads = new WeakSet<object>();

/** Returns the error of a statement. If it is a read, errors of the driver are marked, and translated later. */
export function markIfRead(statement: string, error: unknown): unknown {
  if (!/^\s*SELECT\b/i.test(statement)) return error;
  if (error instanceof StudioError) return asInvalidParameter(error);
  if (error instanceof Error) errorsOfReads.add(error);
  return error;
}

export function isErrorOfRead(error: unknown): boolean {
  return error instanceof Error && errorsOfReads.has(error);
}

/**
 * The code of the translation becomes `invalid_parameter` if it is `invalid_value` and a read has failed with
 * `error`. Otherwise the translation is returned as it is.
 */
export function adaptToRead(
  error: unknown,
  translation: StudioError | undefined,
): StudioError | undefined {
  return isErrorOfRead(error) && translation !== undefined
    ? asInvalidParameter(translation)
    : translation;
}

function asInvalidParameter(error: StudioError): StudioError {
  return error.code === 'invalid_value'
    ? new StudioError('invalid_parameter', error.message)
    : error;
}
