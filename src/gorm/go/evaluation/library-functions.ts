/** Functions of the standard library and of GORM's naming strategy that compute names and values. */
import { formatText, plainText } from './format-text.ts';
import { basic } from '../program/types.ts';
import { constant, nil, typeOfValue } from './value.ts';
import type { GoType } from '../program/types.ts';
import type { Naming } from '../program/naming.ts';
import type { ConstantValue, Value } from './value.ts';

type KnownArgument = ConstantValue | readonly ConstantValue[];
type Compute = (...args: readonly KnownArgument[]) => ConstantValue | readonly string[] | undefined;

function text(value: KnownArgument | undefined): string {
  return String(value ?? '');
}

function trim(characters: KnownArgument | undefined, side: 'start' | 'end' | 'both') {
  return (value: KnownArgument | undefined): string => {
    const set = new Set(text(characters));
    const letters = [...text(value)];
    const start = side === 'end' ? 0 : letters.findIndex((letter) => !set.has(letter));
    const end =
      side === 'start' ? letters.length : letters.findLastIndex((one) => !set.has(one)) + 1;
    return start === -1 ? '' : letters.slice(start, end).join('');
  };
}

/** Go replaces a letter by one letter, or leaves it. */
function perLetter(value: KnownArgument | undefined, change: (letter: string) => string): string {
  return Array.from(text(value), (letter) => {
    const changedLetter = change(letter);
    return Array.from(changedLetter).length === 1 ? changedLetter : letter;
  }).join('');
}

const maxRepeated = 65_536;

/** A negative count replaces all. */
function replace(
  value: KnownArgument | undefined,
  ...[from, to, count]: readonly KnownArgument[]
): string {
  if (Number(count) < 0) return text(value).replaceAll(text(from), () => text(to));
  const parts = text(value).split(text(from));
  const replacedText = parts.slice(0, Number(count) + 1).join(text(to));
  return [replacedText, ...parts.slice(Number(count) + 1)].join(text(from));
}

function integerText(
  value: KnownArgument | undefined,
  base: KnownArgument | undefined,
): string | undefined {
  const isValid = typeof value === 'bigint' && Number(base) >= 2 && Number(base) <= 36;
  return isValid ? value.toString(Number(base)) : undefined;
}

const textFunctions: Readonly<Record<string, Compute>> = {
  'strings.ToUpper': (value) => perLetter(value, (letter) => letter.toUpperCase()),
  'strings.ToLower': (value) => perLetter(value, (letter) => letter.toLowerCase()),
  'strings.Title': (value) =>
    text(value).replaceAll(/(?<![\p{L}\p{N}_'])\p{L}/gu, (letter) =>
      perLetter(letter, (one) => one.toUpperCase()),
    ),
  'strings.TrimSpace': (value) => text(value).trim(),
  'strings.Trim': (value, set) => trim(set, 'both')(value),
  'strings.TrimLeft': (value, set) => trim(set, 'start')(value),
  'strings.TrimRight': (value, set) => trim(set, 'end')(value),
  'strings.TrimPrefix': (value, prefix) =>
    text(value).startsWith(text(prefix)) ? text(value).slice(text(prefix).length) : text(value),
  'strings.TrimSuffix': (value, suffix) =>
    text(suffix) !== '' && text(value).endsWith(text(suffix))
      ? text(value).slice(0, -text(suffix).length)
      : text(value),
  'strings.ReplaceAll': (value, ...pair) => replace(value, ...pair, -1n),
  'strings.Replace': replace,
  'strings.Repeat': (value, count) =>
    text(value).length * Number(count) <= maxRepeated && Number(count) >= 0
      ? text(value).repeat(Number(count))
      : undefined,
  'strings.Join': (list, separator) =>
    typeof list === 'object' ? list.join(text(separator)) : undefined,
  'strconv.Itoa': text,
  'strconv.FormatInt': integerText,
  'strconv.FormatUint': integerText,
  'strconv.FormatBool': text,
};

const otherFunctions: Readonly<Record<string, Compute>> = {
  'strings.HasPrefix': (value, prefix) => text(value).startsWith(text(prefix)),
  'strings.HasSuffix': (value, suffix) => text(value).endsWith(text(suffix)),
  'strings.Contains': (value, part) => text(value).includes(text(part)),
  'strings.EqualFold': (a, b) => text(a).toLowerCase() === text(b).toLowerCase(),
  'strings.Index': (value, part) => BigInt(Buffer.from(text(value)).indexOf(text(part))),
  'strings.Count': (value, part) =>
    BigInt(
      text(part) === '' ? [...text(value)].length + 1 : text(value).split(text(part)).length - 1,
    ),
  'strings.Split': (value, separator) => text(value).split(text(separator)),
  'strings.Fields': (value) => text(value).split(/\s+/).filter(Boolean),
  'slices.Contains': (list, item) => typeof list === 'object' && list.includes(item as string),
};

const string = basic('string');
const bytes: GoType = { form: 'slice', of: basic('uint8') };
const someText: Value = { kind: 'typed', type: string };
const someBytes: Value = { kind: 'typed', type: bytes };
const someInteger: Value = { kind: 'typed', type: basic('int') };
const someError: Value = { kind: 'typed', type: { form: 'interface' } };

/** Functions of which only the result type matters. */
const typedResults: Readonly<Record<string, readonly Value[]>> = {
  'encoding/json.Marshal': [someBytes, nil],
  'encoding/json.MarshalIndent': [someBytes, nil],
  'strconv.Quote': [someText],
  'strconv.FormatFloat': [someText],
  'encoding/hex.EncodeToString': [someText],
  'encoding/base64.StdEncoding.EncodeToString': [someText],
  'errors.New': [someError],
  'fmt.Errorf': [someError],
};

/** Calls a library function by the path of its package and its name. Undefined for an unknown function. */
export function callLibrary(name: string, args: readonly Value[]): readonly Value[] | undefined {
  const knownArgs = knownArguments(args);
  if (name === 'fmt.Sprintf' || name === 'fmt.Sprint') return [print(name, args)];
  if (name === 'strconv.Atoi' || name === 'strconv.ParseInt') return parseInteger(knownArgs);
  const compute = textFunctions[name] ?? otherFunctions[name];
  if (compute === undefined) return typedResults[name];
  const result = knownArgs === undefined ? undefined : compute(...knownArgs);
  if (result !== undefined) return [valueOf(result)];
  return [textFunctions[name] === undefined ? { kind: 'unknown' } : someText];
}

function valueOf(result: ConstantValue | readonly string[]): Value {
  if (typeof result !== 'object') return constant(result);
  const items = result.map((item) => constant(item));
  return { kind: 'list', items, type: { form: 'slice', of: string } };
}

/** Undefined if the source does not determine one of them. */
function knownArguments(args: readonly Value[]): readonly KnownArgument[] | undefined {
  const knownArgs = args.map(knownArgument);
  return knownArgs.every((one) => one !== undefined) ? knownArgs : undefined;
}

function knownArgument(arg: Value): KnownArgument | undefined {
  if (arg.kind === 'constant') return arg.value;
  if (arg.kind === 'nil') return [];
  if (arg.kind !== 'list') return undefined;
  const items = arg.items.map((item) => (item.kind === 'constant' ? item.value : undefined));
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** Calls a method of the schema.Namer that GORM passes to TableName. */
export function callNamer(naming: Naming, name: string, args: readonly Value[]): Value {
  const methods = new Map<string, (...args: readonly string[]) => string>([
    ['TableName', (struct = '') => naming.table(struct)],
    ['ColumnName', (_table, field = '') => naming.column(field)],
    ['JoinTableName', (tag = '') => naming.joinTable(tag)],
  ]);
  const knownArgs = knownArguments(args);
  const method = methods.get(name);
  if (method === undefined || knownArgs === undefined) return someText;
  return constant(method(...knownArgs.map(text)));
}

/** The result is unknown if a type has a String method, which is not called here. */
function print(name: string, args: readonly Value[]): Value {
  const isPlain = args.every((arg) => {
    const type = typeOfValue(arg);
    return arg.kind === 'constant' && (type?.form !== 'named' || !type.methods.has('String'));
  });
  const values = args.map((arg) => (arg.kind === 'constant' ? arg.value : ''));
  const result = isPlain
    ? name === 'fmt.Sprint'
      ? sprint(values)
      : formatText(String(values[0] ?? ''), values.slice(1))
    : undefined;
  return result === undefined ? someText : constant(result);
}

/** Puts spaces between operands of which neither is a text. */
function sprint(values: readonly ConstantValue[]): string {
  return values
    .map((value, i) => {
      const isBesideText = [value, values[i - 1]].some((one) => typeof one === 'string');
      return i === 0 || isBesideText ? plainText(value) : ` ${plainText(value)}`;
    })
    .join('');
}

function parseInteger(knownArgs: readonly KnownArgument[] | undefined): readonly Value[] {
  if (knownArgs === undefined) return [someInteger];
  const [digitsText, base = 10n, bits = 64n] = knownArgs;
  const digits = text(digitsText);
  // Other bases, prefixes of the base 0, and numbers that may be out of range are not read.
  if (base !== 10n || (bits !== 64n && bits !== 0n)) return [someInteger];
  if (!/^[+-]?\d+$/.test(digits)) return [constant(0n, basic('int')), someError];
  return digits.length > 18 ? [someInteger] : [constant(BigInt(digits), basic('int')), nil];
}
