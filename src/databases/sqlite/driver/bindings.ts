import { StudioError } from '../../../model/errors.ts';
import { tokenize } from '../../../portable/lexer/lexer.ts';
import { sqliteLexicalRules } from '../language/lexical-rules.ts';
import type { Value } from '../../../model/values.ts';
import type { Bindings } from './driver.ts';

/**
 * Parameters in the form that the driver binds: a number becomes REAL, a bigint INTEGER. Numbered and
 * named parameters (`?2`, `:name`) get their values by the numbers that SQLite assigns to them.
 */
export function bindingsOf(text: string, params: readonly Value[]): Bindings {
  const values = params.map(bindable);
  if (!/\?\d|[:@$]\w/.test(text)) return values;
  const numbered = numberParameters(text);
  if (Object.keys(numbered.namedIndexes).length === 0) return values;
  const valueAt = (index: number): Value => {
    if (index <= values.length) return values[index - 1] ?? null;
    throw new StudioError(
      'invalid_parameter',
      `The statement has ${numbered.count} parameters, but ${values.length} values were given.`,
    );
  };
  const namedValues = Object.entries(numbered.namedIndexes).map(
    ([name, index]): [string, Value] => [name, valueAt(index)],
  );
  return [...numbered.plain.map(valueAt), Object.fromEntries(namedValues)];
}

interface ParameterNumbers {
  readonly count: number;
  /** The numbers of the parameters that are a plain `?`. */
  readonly plain: readonly number[];
  readonly namedIndexes: Readonly<Record<string, number>>;
}

/** https://www.sqlite.org/lang_expr.html#parameters */
function numberParameters(text: string): ParameterNumbers {
  const plain: number[] = [];
  const namedIndexes: Record<string, number> = {};
  let count = 0;
  for (const { kind, start, end } of tokenize(text, sqliteLexicalRules)) {
    if (kind !== 'parameter') continue;
    const name = text.slice(start + 1, end);
    const number = /^\d+$/.test(name) ? Number(name) : (namedIndexes[name] ?? count + 1);
    if (name === '') plain.push(number);
    else namedIndexes[name] = number;
    count = Math.max(count, number);
  }
  return { count, plain, namedIndexes };
}

/** Converts a value to a type that the driver accepts. */
export function bindable(value: Value): Value {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new StudioError(
      'invalid_value',
      'The text contains half of a surrogate pair, which UTF-8 cannot encode.',
    );
  }
  return value;
}
