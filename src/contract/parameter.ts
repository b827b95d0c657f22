import { z } from 'zod';

/**
 * One query parameter: `read` is what requests go through, `schema` says the same in zod, from
 * which the documents are made.
 */
export interface QueryParameter<T = unknown> {
  readonly description: string;
  /** What is taken, to end "… must be". */
  readonly expected: string;
  /** From the parameter's text to its value; its output side is the value's JSON schema. */
  readonly schema: z.ZodType<T, string | undefined>;
  /** May be given more than once; its value is then an array. */
  readonly repeated: boolean;
  /** Its value is an array, whose items one text holds, parted by commas. */
  readonly separated?: true;
  /** The value of a text, or undefined when it is not taken. */
  read(text: string): T | undefined;
  /** The value when the parameter is not given. */
  readonly default?: T;
  /** A field of the form may hold it instead, so that its absence from the query must show. */
  readonly isFormField?: true;
  /** Nothing that a command could do with it. */
  readonly isForBrowsers?: true;
}

/** A parameter that has a value also when it is not given. */
export type WithDefault<T> = QueryParameter<T> & { readonly default: T };

/** The query parameters of a route, by their names on the wire. */
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
    description: `${description} Out of range is clamped.`,
    expected: 'an integer',
    repeated: false,
    default: range.default,
    schema: z
      .string()
      .regex(integerText)
      .transform(clamp)
      .pipe(z.int().min(minimum).max(maximum))
      .default(range.default),
    read: (given) => (integerText.test(given) ? clamp(given) : undefined),
  };
}

const flagValues: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** A boolean, false unless given. */
export function flag(description: string): WithDefault<boolean> {
  return {
    description,
    expected: 'true, false, 1 or 0',
    repeated: false,
    default: false,
    schema: z
      .enum(['true', 'false', '1', '0'])
      .transform((word) => word === 'true' || word === '1')
      .pipe(z.boolean())
      .default(false),
    read: (given) => flagValues.get(given),
  };
}

/**
 * A parameter that a field of the form may hold instead. The query gives it no default, which would
 * win over the form's value; the default is applied when both have been read.
 */
export function orFormField<T>(parameter: WithDefault<T>): QueryParameter<T> {
  return { ...parameter, isFormField: true };
}

/** One of a few words; the first of them when not given. */
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

/** One of a few words, or nothing. */
export function optionalChoice<const T extends string>(
  description: string,
  values: readonly [T, ...T[]],
): QueryParameter<T> {
  return {
    description,
    expected: oneOf(values),
    repeated: false,
    schema: z.enum(values),
    read: (given) => values.find((value) => value === given),
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
    read: (value) => value,
  };
}

const tokenText = /^[\w-]{8,64}$/;

/** A name that a client makes up, which nobody else guesses. */
export function token(description: string): QueryParameter<string> {
  return {
    description,
    expected: '8 to 64 letters, digits, - or _',
    repeated: false,
    isForBrowsers: true,
    schema: z.string().regex(tokenText),
    read: (given) => (tokenText.test(given) ? given : undefined),
  };
}

/** A parameter that may be given several times, in order. */
export function repeated<T>(
  one: QueryParameter<T>,
): QueryParameter<T> & { readonly repeated: true } {
  return { ...one, repeated: true };
}

/** Texts parted by commas; one within a text is `%2C`. */
export function list(description: string): QueryParameter<readonly string[]> {
  return {
    description,
    expected: 'texts parted by commas, a % in one written %25',
    repeated: false,
    separated: true,
    schema: z
      .string()
      .refine((given) => readList(given) !== undefined, 'a % must begin an escape such as %2C')
      .transform((given) => readList(given) ?? [])
      .pipe(z.array(z.string())),
    read: readList,
  };
}

function readList(given: string): readonly string[] | undefined {
  try {
    return given === '' ? [] : given.split(',').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
