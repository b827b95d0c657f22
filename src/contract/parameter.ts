import { z } from 'zod';
import { decodeList } from './comma-list.ts';

/** One query parameter. */
export interface QueryParameter<T = unknown> {
  readonly description: string;
  /** Describes valid values, to end "… must be". */
  readonly expected: string;
  /** Parses the text of requests. The documents are generated from its output type. */
  readonly schema: z.ZodType<T, string | undefined>;
  /** The parameter can be repeated, and its value is an array. */
  readonly repeated: boolean;
  /** The value is an array, given as a comma-separated list. */
  readonly separated?: true;
  /** The value if the parameter is absent. */
  readonly default?: T;
  /** A form field may contain the value instead, so an absent query parameter has no default. */
  readonly isFormField?: true;
  /** Not available as a flag of the command line. */
  readonly isHttpOnly?: true;
}

/** A parameter with a default. */
export type WithDefault<T> = QueryParameter<T> & { readonly default: T };

/** The query parameters of a route, by their names in the API. */
export type QueryParameters = Readonly<Record<string, QueryParameter>>;

interface IntegerRange {
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}

const integerText = /^-?\d+$/;

/** An integer, clamped to its range. */
export function integer(description: string, range: IntegerRange): WithDefault<number> {
  const { minimum, maximum } = range;
  const clamp = (digits: string): number => Math.min(maximum, Math.max(minimum, Number(digits)));
  return {
    description: `${description} Values out of range are clamped.`,
    expected: 'an integer',
    repeated: false,
    default: range.default,
    schema: z
      .string()
      .regex(integerText)
      .transform(clamp)
      .pipe(z.int().min(minimum).max(maximum))
      .default(range.default),
  };
}

/** A boolean that defaults to false. */
export function flag(description: string): WithDefault<boolean> {
  return {
    description,
    expected: 'true, false, 1 or 0',
    repeated: false,
    default: false,
    schema: z
      .enum(['true', 'false', '1', '0'])
      .transform((value) => value === 'true' || value === '1')
      .pipe(z.boolean())
      .default(false),
  };
}

/**
 * A parameter that a form field may contain instead. The default is applied after both the query and
 * the form have been read; otherwise it would override the form's value.
 */
export function orFormField<T>(parameter: WithDefault<T>): QueryParameter<T> {
  return { ...parameter, isFormField: true };
}

/** A parameter that the command line has a flag of its own for. */
export function notForCommands<T>(parameter: QueryParameter<T>): QueryParameter<T> {
  return { ...parameter, isHttpOnly: true };
}

/** One of several values. The first one is the default. */
export function choice<const T extends string>(
  description: string,
  values: readonly [T, ...T[]],
): WithDefault<T> {
  return {
    ...optionalChoice(description, values),
    default: values[0],
    schema: z.enum(values).default(() => values[0]),
  };
}

/** One of several values, without a default. */
export function optionalChoice<const T extends string>(
  description: string,
  values: readonly [T, ...T[]],
): QueryParameter<T> {
  return {
    description,
    expected: oneOf(values),
    repeated: false,
    schema: z.enum(values),
  };
}

function oneOf(values: readonly string[]): string {
  return values.length === 1
    ? `${values[0]}`
    : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

export function text(description: string): QueryParameter<string> {
  return {
    description,
    expected: 'text',
    repeated: false,
    schema: z.string(),
  };
}

const tokenText = /^[\w-]{8,64}$/;

/** A unique name that the client generates and that others cannot guess. */
export function token(description: string): QueryParameter<string> {
  return {
    description,
    expected: '8 to 64 letters, digits, - or _',
    repeated: false,
    isHttpOnly: true,
    schema: z.string().regex(tokenText),
  };
}

/** A parameter that can be repeated. */
export function repeated<T>(
  one: QueryParameter<T>,
): QueryParameter<T> & { readonly repeated: true } {
  return { ...one, repeated: true };
}

/** A comma-separated list. A comma within an item is `%2C`. */
export function list(description: string): QueryParameter<readonly string[]> {
  return {
    description,
    expected: 'texts separated by commas, with % written as %25',
    repeated: false,
    separated: true,
    schema: z
      .string()
      .transform((joined, context) => {
        const items = decodeList(joined);
        if (items !== undefined) return items;
        context.addIssue('a % must start an escape such as %2C');
        return z.NEVER;
      })
      .pipe(z.array(z.string())),
  };
}
