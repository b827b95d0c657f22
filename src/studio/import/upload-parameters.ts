/** Parameters of an upload, each from the query or from the form field of the same name. */
import { StudioError } from '../../model/errors.ts';
import { didYouMean } from '../../model/nearest.ts';
import type { Upload } from '../core/job.ts';

type ParameterValue = string | number | boolean | readonly string[] | undefined;

export interface UploadParameters<Name extends string> {
  /** The parameter's text; undefined when it is neither in the query nor in the form, or empty. */
  text(name: Name): string | undefined;
  /** One of a few words; the first of them when absent. */
  choice<T extends string>(name: Name, choices: readonly [T, ...T[]]): T;
  flag(name: Name): boolean;
}

/** Fails with `invalid_parameter` for a form field that is no parameter. */
export function uploadParameters<Name extends string>(
  input: { readonly upload: Upload } & { readonly [name in Name]?: ParameterValue },
  names: readonly Name[],
): UploadParameters<Name> {
  const { fields } = input.upload;
  rejectUnknownFields(Object.keys(fields), names);
  const text = (name: Name): string | undefined =>
    singleValue(name, asText(input[name]), fields[name]);
  const choice = <T extends string>(name: Name, choices: readonly [T, ...T[]]): T =>
    matchChoice(name, text(name), choices);
  return {
    text,
    choice,
    flag: (name) => {
      const read = (value: string | undefined): string | undefined =>
        value === undefined || value === ''
          ? undefined
          : String(['true', '1'].includes(matchChoice(name, value, ['false', 'true', '0', '1'])));
      return singleValue(name, read(asText(input[name])), read(fields[name])) === 'true';
    },
  };
}

function rejectUnknownFields(fields: readonly string[], parameters: readonly string[]): void {
  const unknown = fields.find((name) => !parameters.includes(name));
  if (unknown === undefined) return;
  throw invalidParameter(
    `The form field "${unknown}" is not a parameter of this import.${didYouMean(unknown, parameters)}`,
    unknown,
  );
}

function asText(value: ParameterValue): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'object' ? value.join(',') : String(value);
}

/** The value of the query or of the form. An empty text counts as absent. */
function singleValue(
  name: string,
  query: string | undefined,
  field: string | undefined,
): string | undefined {
  const [fromQuery, fromField] = [query, field].map((text) => (text === '' ? undefined : text));
  if (fromQuery !== undefined && fromField !== undefined && fromQuery !== fromField) {
    throw invalidParameter(
      `The query has ${name}=${fromQuery}, but the form has ${name}=${fromField}. Send only one of them.`,
      name,
    );
  }
  return fromQuery ?? fromField;
}

function matchChoice<T extends string>(
  name: string,
  text: string | undefined,
  choices: readonly [T, ...T[]],
): T {
  if (text === undefined) return choices[0];
  const matching = choices.find((candidate) => candidate === text);
  if (matching !== undefined) return matching;
  throw invalidParameter(`${name} must be one of ${choices.join(', ')}, not "${text}".`, name);
}

export function invalidParameter(message: string, parameter: string): StudioError {
  return new StudioError('invalid_parameter', message, { parameter });
}
