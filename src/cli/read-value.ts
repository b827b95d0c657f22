/** Parses and validates the value of one option. */
import { wrongUsage } from './exit-error.ts';
import { maskCredentials } from './mask-credentials.ts';
import type { Option, OptionKind } from './options.ts';
import { readDuration, readSize } from './quantities.ts';

type Scalar = boolean | number | string;
type ScalarKind = Exclude<OptionKind, 'list'>;

const readers: Readonly<Record<ScalarKind, (text: string) => Scalar | undefined>> = {
  boolean: readBoolean,
  string: (text) => text || undefined,
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined),
  duration: readDuration,
  size: readSize,
};

const nouns: Readonly<Record<ScalarKind, string>> = {
  boolean: 'true, false, 1 or 0',
  string: 'a value',
  integer: 'a whole number',
  duration: 'a duration',
  size: 'a size',
};

/** `source` is the option's flag or variable, for error messages. */
export function readValue(option: Option, text: string, source: string): Scalar {
  const value = readers[scalarKind(option)](text);
  if (value !== undefined && isAllowed(option, value)) return value;
  const valueText = option.secret ? '' : `, not "${maskCredentials(text)}"`;
  throw wrongUsage(`${source} takes ${expectation(option)}${valueText}.`);
}

/** Describes the valid values, to end an error message: `a duration from 1ms to 24h, such as 30s`. */
export function expectation(option: Option): string {
  if (option.choices) return `one of ${option.choices.join(', ')}`;
  if (option.expects) return option.expects;
  const kind = scalarKind(option);
  const range = option.range ? ` from ${option.range[0]} to ${option.range[1]}` : '';
  const hasUnit = kind === 'duration' || kind === 'size';
  return `${nouns[kind]}${range}${hasUnit ? `, such as ${option.default}` : ''}`;
}

function isAllowed(option: Option, value: Scalar): boolean {
  if (typeof value === 'number') return isInRange(option, value);
  if (typeof value === 'boolean') return true;
  return (option.choices?.includes(value) ?? true) && (option.pattern?.test(value) ?? true);
}

function isInRange(option: Option, value: number): boolean {
  const read = readers[scalarKind(option)];
  const [least, greatest] = (option.range ?? []).map((limit) => Number(read(limit)));
  return value >= (least ?? -Infinity) && value <= (greatest ?? Infinity);
}

/** Items of a list are strings. */
function scalarKind({ kind }: Option): ScalarKind {
  return kind === 'list' ? 'string' : kind;
}

function readBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : undefined;
}
