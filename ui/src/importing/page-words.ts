/** Messages of the API in the words of the import page, where parameters are controls. */
import { copyError, StudioError } from '../../../src/model/errors.ts';
import { replaceParameters } from '../../../src/model/parameter-words.ts';
import { controlTexts } from '../texts/controls.ts';
import type { RowError } from './row-errors.ts';

/** Replaces the names of parameters by the labels of their controls, and their values by those of the choices. */
export function inPageWords(text: string): string {
  const phrased = controlTexts.phrases.reduce(
    (words, [phrase, replacement]) => words.replaceAll(phrase, replacement),
    text,
  );
  return replaceParameters(phrased, Object.keys(controlTexts.labels), (name, value) => {
    const label = controlTexts.labels[name] ?? name;
    return controlTexts.choices[`${name}=${value}`] ?? label;
  });
}

interface MessagesInBody {
  readonly warnings: readonly string[];
  readonly errors?: readonly RowError[] | undefined;
}

export function bodyInPageWords<Body extends MessagesInBody>(body: Body): Body {
  const { warnings, errors } = body;
  return {
    ...body,
    warnings: warnings.map(inPageWords),
    ...(errors === undefined ? {} : { errors: errors.map(rowErrorInPageWords) }),
  };
}

export function errorInPageWords(error: unknown): unknown {
  if (!(error instanceof StudioError)) return error;
  const { errors } = error.details;
  const worded = Array.isArray(errors)
    ? { errors: (errors as readonly RowError[]).map(rowErrorInPageWords) }
    : {};
  return copyError(error, {
    message: inPageWords(error.message),
    details: { ...error.details, ...worded },
  });
}

function rowErrorInPageWords<Error extends Pick<RowError, 'message'>>(error: Error): Error {
  return { ...error, message: inPageWords(error.message) };
}
