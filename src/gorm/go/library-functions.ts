/** Functions of the standard library and of GORM's naming strategy that compute names and values. */
import { joinTableName, columnName, tableName } from './names.ts';
import { basic } from './types.ts';
import type { GoType } from './types.ts';
import type { Value } from './value.ts';

type Text = (...stringFunctions: readonly string[]) => string;

const texts: Readonly<Record<string, Text>> = {
  'strings.ToUpper': (text = '') => text.toUpperCase(),
  'strings.ToLower': (text = '') => text.toLowerCase(),
  'strings.Title': (text = '') =>
    text.replaceAll(/(?<![\p{L}\p{N}_'])\p{L}/gu, (letter) => letter.toUpperCase()),
  'strings.TrimSpace': (text = '') => text.trim(),
  'strings.TrimPrefix': (text = '', prefix = '') =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  'strings.TrimSuffix': (text = '', suffix = '') =>
    suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  'strings.ReplaceAll': (text = '', from = '', to = '') => text.replaceAll(from, () => to),
  'fmt.Sprint': (...parts) => parts.join(''),
  'namer.TableName': (name = '') => tableName(name),
  'namer.ColumnName': (_table, name = '') => columnName(name),
  'namer.JoinTableName': (name = '') => joinTableName(name),
};

const bytes: GoType = { form: 'slice', of: basic('uint8') };
const someError: Value = { kind: 'typed', type: { form: 'interface' } };

/** Functions of which only the result type matters. */
const typedResults: Readonly<Record<string, readonly Value[]>> = {
  'encoding/json.Marshal': [{ kind: 'typed', type: bytes }, { kind: 'nil' }],
  'encoding/json.MarshalIndent': [{ kind: 'typed', type: bytes }, { kind: 'nil' }],
  'strings.Join': [{ kind: 'typed', type: basic('string') }],
  'strings.Repeat': [{ kind: 'typed', type: basic('string') }],
  'fmt.Sprintf': [{ kind: 'typed', type: basic('string') }],
  'strconv.Itoa': [{ kind: 'typed', type: basic('string') }],
  'strconv.Quote': [{ kind: 'typed', type: basic('string') }],
  'strconv.FormatInt': [{ kind: 'typed', type: basic('string') }],
  'strconv.FormatUint': [{ kind: 'typed', type: basic('string') }],
  'strconv.FormatFloat': [{ kind: 'typed', type: basic('string') }],
  'strconv.FormatBool': [{ kind: 'typed', type: basic('string') }],
  'encoding/hex.EncodeToString': [{ kind: 'typed', type: basic('string') }],
  'encoding/base64.StdEncoding.EncodeToString': [{ kind: 'typed', type: basic('string') }],
  'errors.New': [someError],
  'fmt.Errorf': [someError],
};

/** Calls a library function by the path of its package and its name. Undefined for an unknown function. */
export function callLibrary(name: string, args: readonly Value[]): readonly Value[] | undefined {
  const written = args.map((arg) => (arg.kind === 'constant' ? String(arg.value) : undefined));
  const isKnown = written.every((text) => text !== undefined);
  if (isKnown && name === 'fmt.Sprintf') return formatText(written);
  const make = texts[name];
  if (isKnown && make !== undefined) return [{ kind: 'constant', value: make(...written) }];
  if (make !== undefined) return [{ kind: 'typed', type: basic('string') }];
  return typedResults[name];
}

/** Implements the verbs %s, %d and %v. With any other verb the text is unknown. */
function formatText([format = '', ...args]: readonly string[]): readonly Value[] {
  if (/%(?![sdv%])/.test(format)) return typedResults['fmt.Sprintf'] ?? [];
  let next = 0;
  const value = format.replaceAll(/%[sdv%]/g, (verb) =>
    verb === '%%' ? '%' : (args[next++] ?? '%!(NOVERB)'),
  );
  return [{ kind: 'constant', value }];
}
