import { StudioError } from '../model/errors.ts';

/** Errors of SELECT statements, where an invalid value can only come from a parameter of the request. */
const errorsOfReads = new WeakSet<object>();

/** Returns the error of a statement. If it is a read, errors of the driver are marked, and translated later. */
export function markIfRead(statement: string, error: unknown): unknown {
  if (!/^\s*SELECT\b/i.test(statement)) return error;
  if (error instanceof StudioError) return withParameterCode(error);
  if (error instanceof Error) errorsOfReads.add(error);
  return error;
}

export function isErrorOfRead(error: unknown): boolean {
  return error instanceof Error && errorsOfReads.has(error);
}

/** Adapts the translation of `error` if a read has failed with it. */
export function translationInRead(
  error: unknown,
  translation: StudioError | undefined,
): StudioError | undefined {
  return isErrorOfRead(error) && translation !== undefined
    ? withParameterCode(translation)
    : translation;
}

function withParameterCode(error: StudioError): StudioError {
  return error.code === 'invalid_value'
    ? new StudioError('invalid_parameter', error.message)
    : error;
}
