import { StudioError } from '../model/errors.ts';
import { nearest } from '../model/nearest.ts';
import { parseQueryText } from './query-text.ts';
import type { QueryParameter, QueryParameters } from './parameter.ts';

/** What a route takes after the `?`. */
export interface QueryShape {
  readonly parameters: QueryParameters;
  /** Takes `filter_<column>` too. */
  readonly takesFilters: boolean;
}

/** `filter_price__gt=5` is `{ name: 'price__gt', value: '5' }`. */
export interface Filter {
  readonly name: string;
  readonly value: string;
}

export interface QueryValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly filters: readonly Filter[];
}

const filterPrefix = 'filter_';

/** Makes the reader of a route's query strings: everything that can be known beforehand is. */
export function queryReader(shape: QueryShape): (query: string) => QueryValues {
  const parameters = new Map(Object.entries(shape.parameters));
  const defaults = defaultsOf(shape.parameters);
  const none: QueryValues = { values: defaults, filters: [] };

  return (query) => {
    if (query === '') return none;
    const reading: Reading = { values: { ...defaults }, filters: [], given: new Set() };
    for (const [name, text] of parseQueryText(query)) {
      const parameter = parameters.get(name);
      if (parameter !== undefined) takeParameter(reading, parameter, { name, text });
      else if (shape.takesFilters && name.startsWith(filterPrefix)) {
        reading.filters.push({ name: name.slice(filterPrefix.length), value: text });
      } else throw unknownParameter(name, shape);
    }
    return reading;
  };
}

/** Repeated parameters are lists, empty ones too; others have no member without a default, nor do those that the form may hold. */
function defaultsOf(parameters: QueryParameters): Readonly<Record<string, unknown>> {
  const defaults = Object.entries(parameters).map(([name, parameter]) => [
    name,
    parameter.repeated ? [] : parameter.isFormField === true ? undefined : parameter.default,
  ]);
  return Object.fromEntries(defaults.filter(([, value]) => value !== undefined)) as Record<
    string,
    unknown
  >;
}

/** A query string being read. */
interface Reading {
  readonly values: Record<string, unknown>;
  readonly filters: Filter[];
  /** The names that have been met. */
  readonly given: Set<string>;
}

interface Given {
  readonly name: string;
  readonly text: string;
}

function takeParameter(
  { values, given }: Reading,
  parameter: QueryParameter,
  { name, text }: Given,
): void {
  const value = readValue(parameter, { name, text });
  const isAgain = given.has(name);
  given.add(name);
  if (parameter.separated === true && isAgain) {
    values[name] = [...(values[name] as unknown[]), ...(value as unknown[])];
    return;
  }
  if (!parameter.repeated && isAgain) {
    throw new StudioError('invalid_parameter', `${name} is given more than once.`, {
      parameter: name,
    });
  }
  if (isAgain) (values[name] as unknown[]).push(value);
  else values[name] = parameter.repeated ? [value] : value;
}

function readValue(parameter: QueryParameter, { name, text }: Given): unknown {
  const value = parameter.read(text);
  if (value !== undefined) return value;
  throw new StudioError(
    'invalid_parameter',
    `${name} must be ${parameter.expected}, not ${JSON.stringify(text)}.`,
    { parameter: name, value: text },
  );
}

function unknownParameter(name: string, { parameters, takesFilters }: QueryShape): StudioError {
  const known = [...Object.keys(parameters), ...(takesFilters ? [`${filterPrefix}<column>`] : [])];
  const near = nearest(name, known);
  return new StudioError(
    'invalid_parameter',
    `There is no parameter "${name}". ${hint(near, known)}`,
    {
      parameter: name,
      ...(near === undefined ? {} : { nearest: near }),
    },
  );
}

function hint(near: string | undefined, known: readonly string[]): string {
  if (near !== undefined) return `Did you mean "${near}"?`;
  return known.length === 0 ? 'This route takes none.' : `This route takes ${known.join(', ')}.`;
}
