import { StudioError } from '../model/errors.ts';
import { closestName } from '../model/nearest.ts';
import { parseQueryText } from './query-text.ts';
import type { QueryParameter, QueryParameters } from './parameter.ts';

/** The query parameters that a route accepts. */
export interface QueryShape {
  readonly parameters: QueryParameters;
  /** Whether `filter_<column>` parameters are accepted. */
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

export const filterPrefix = 'filter_';

/** Returns a function that parses the query strings of a route. Precomputes what does not depend on the query. */
export function queryReader(shape: QueryShape): (query: string) => QueryValues {
  const parameters = new Map(Object.entries(shape.parameters));
  const defaults = defaultsOf(shape.parameters);
  const none: QueryValues = { values: defaults, filters: [] };

  return (query) => {
    if (query === '') return none;
    const state: QueryState = { values: { ...defaults }, filters: [], seenNames: new Set() };
    for (const [name, text] of parseQueryText(query)) {
      const parameter = parameters.get(name);
      if (parameter !== undefined) addParameter(state, parameter, { name, text });
      else if (shape.takesFilters && name.startsWith(filterPrefix)) {
        state.filters.push({ name: name.slice(filterPrefix.length), value: text });
      } else throw unknownParameter(name, shape);
    }
    return state;
  };
}

/** Repeated parameters default to an empty list. Parameters without a default and form fields have no entry. */
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

/** The state of parsing one query string. */
interface QueryState {
  readonly values: Record<string, unknown>;
  readonly filters: Filter[];
  /** Names that have occurred so far. */
  readonly seenNames: Set<string>;
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

function addParameter(
  { values, seenNames }: QueryState,
  parameter: QueryParameter,
  { name, text }: NamedText,
): void {
  const value = readValue(parameter, { name, text });
  const isRepeated = seenNames.has(name);
  seenNames.add(name);
  if (parameter.separated === true && isRepeated) {
    values[name] = [...(values[name] as unknown[]), ...(value as unknown[])];
    return;
  }
  if (!parameter.repeated && isRepeated) {
    throw new StudioError('invalid_parameter', `${name} is given more than once.`, {
      parameter: name,
    });
  }
  if (isRepeated) (values[name] as unknown[]).push(value);
  else values[name] = parameter.repeated ? [value] : value;
}

function readValue(parameter: QueryParameter, { name, text }: NamedText): unknown {
  const { success, data } = parameter.schema.safeParse(text);
  if (success) return data;
  throw new StudioError(
    'invalid_parameter',
    `${name} must be ${parameter.expected}, not ${JSON.stringify(text)}.`,
    { parameter: name, value: text },
  );
}

function unknownParameter(name: string, { parameters, takesFilters }: QueryShape): StudioError {
  const acceptedNames = [
    ...Object.keys(parameters),
    ...(takesFilters ? [`${filterPrefix}<column>`] : []),
  ];
  const closest = closestName(name, acceptedNames);
  return new StudioError(
    'invalid_parameter',
    `There is no parameter "${name}". ${hint(closest, acceptedNames)}`,
    {
      parameter: name,
      ...(closest === undefined ? {} : { nearest: closest }),
    },
  );
}

function hint(closest: string | undefined, acceptedNames: readonly string[]): string {
  if (closest !== undefined) return `Did you mean "${closest}"?`;
  return acceptedNames.length === 0
    ? 'This route takes none.'
    : `This route takes ${acceptedNames.join(', ')}.`;
}
