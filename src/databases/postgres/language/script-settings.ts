import { settingParts, zoneNamed } from '../../../sql/script-settings.ts';
import type {
  Charset,
  ScriptSettings,
  SettingChange,
  SettingName,
  SettingToken,
} from '../../../sql/script-settings.ts';
import { words } from '../../../portable/lexer/words.ts';

/** Settings that do not change which rows a script inserts, if it runs without an error. */
const withoutEffect: ReadonlySet<string> = new Set(
  words(`
  CLIENT_MIN_MESSAGES CHECK_FUNCTION_BODIES XMLOPTION STATEMENT_TIMEOUT LOCK_TIMEOUT ROW_SECURITY
  TRANSACTION_TIMEOUT IDLE_IN_TRANSACTION_SESSION_TIMEOUT IDLE_SESSION_TIMEOUT
  DEFAULT_TABLESPACE DEFAULT_TABLE_ACCESS_METHOD DEFAULT_WITH_OIDS DEFAULT_TOAST_COMPRESSION
  ESCAPE_STRING_WARNING BACKSLASH_QUOTE BYTEA_OUTPUT EXTRA_FLOAT_DIGITS SYNCHRONOUS_COMMIT
  MAINTENANCE_WORK_MEM WORK_MEM TEMP_BUFFERS MAX_PARALLEL_WORKERS JIT APPLICATION_NAME
  MAX_PARALLEL_MAINTENANCE_WORKERS MAX_PARALLEL_WORKERS_PER_GATHER COMMIT_DELAY DEADLOCK_TIMEOUT
  LC_MESSAGES LC_NUMERIC LC_TIME QUOTE_ALL_IDENTIFIERS SYNCHRONIZE_SEQSCANS TRANSACTION
  CHARACTERISTICS CONSTRAINTS DEFAULT_TRANSACTION_ISOLATION DEFAULT_TRANSACTION_READ_ONLY
  DEFAULT_TRANSACTION_DEFERRABLE GIN_PENDING_LIST_LIMIT CONSTRAINT_EXCLUSION ALLOW_IN_PLACE_TABLESPACES
  CITUS LOG_STATEMENT LOG_MIN_MESSAGES LOG_MIN_DURATION_STATEMENT ENABLE_SEQSCAN TRACK_ACTIVITIES
`),
);

/** The settings that SET, RESET, DISCARD and set_config change. */
export function postgresSettings(
  tokens: readonly SettingToken[],
): readonly SettingChange[] | undefined {
  const [verb, ...rest] = tokens;
  if (verb?.text === 'DISCARD') return [{ kind: 'reset', names: undefined }];
  if (verb?.text === 'RESET') return reset(rest);
  if (verb?.text === 'SELECT') return readSetConfig(rest);
  return verb?.text === 'SET' ? set(rest) : undefined;
}

function reset(tokens: readonly SettingToken[]): readonly SettingChange[] {
  const name = nameOf(tokens);
  if (name === 'ALL') return [{ kind: 'reset', names: undefined }];
  const names = settingsOf[name === 'TIME' ? 'TIMEZONE' : name];
  return names === undefined ? [] : [{ kind: 'reset', names }];
}

function set(all: readonly SettingToken[]): readonly SettingChange[] {
  const first = all[0]?.text;
  const isOtherStatement = all[1]?.text === 'AUTHORIZATION' || all[1]?.text === 'CHARACTERISTICS';
  const isLocal = first === 'LOCAL';
  const tokens = isLocal || (first === 'SESSION' && !isOtherStatement) ? all.slice(1) : all;
  const [word, next] = tokens.map(({ text }) => text);
  if (word === 'SESSION' && next === 'CHARACTERISTICS') return [];
  if (word === 'TIME' && next === 'ZONE') return change('TIMEZONE', tokens.slice(2), isLocal);
  if (word === 'NAMES') return change('CLIENT_ENCODING', tokens.slice(1), isLocal);
  if (word === 'SCHEMA') return change('SEARCH_PATH', tokens.slice(1), isLocal);
  const name = nameOf(tokens);
  const at = tokens.findIndex(({ text }) => text === '=' || text === 'TO');
  return change(name, tokens.slice(at === -1 ? tokens.length : at + 1), isLocal);
}

/** Parses `set_config('search_path', '', false), …`. setval only changes a sequence, lo_close ends a large object. */
function readSetConfig(tokens: readonly SettingToken[]): readonly SettingChange[] {
  return settingParts(tokens).flatMap((part) => {
    const at = part.findIndex(({ text }) => text === '(');
    const call = part[at - 1]?.text;
    if (call === 'SETVAL' || call === 'LO_CLOSE') return [];
    const args = settingParts(
      part.slice(
        at + 1,
        part.findLastIndex(({ text }) => text === ')'),
      ),
    );
    const [name, value, local] = args.map((each) => (each.length === 1 ? each[0] : undefined));
    if (call !== 'SET_CONFIG' || name === undefined || value?.kind !== 'string')
      return [{ kind: 'left-out' }];
    const isLocal = !/^(?:false|f|no|off|0)$/i.test(local?.text ?? '');
    const isPath = name.text.toUpperCase() === 'SEARCH_PATH';
    return change(name.text.toUpperCase(), isPath ? namesIn(value.text) : [value], isLocal);
  });
}

/** Parses a list of names in a text as the server does. */
function namesIn(text: string): readonly SettingToken[] {
  const found = text.match(/"(?:[^"]|"")*"|[^\s,]+/g) ?? [];
  return found.flatMap((name, i): SettingToken[] => [
    ...(i === 0 ? [] : [{ kind: 'symbol', text: ',' } as const]),
    name.startsWith('"')
      ? { kind: 'name', text: name.slice(1, -1).replaceAll('""', '"') }
      : { kind: 'name', text: name.toLowerCase() },
  ]);
}

function nameOf(tokens: readonly SettingToken[]): string {
  const end = tokens.findIndex(({ text }) => text === '=' || text === 'TO');
  const name = tokens.slice(0, end === -1 ? tokens.length : end);
  return name.map(({ text }) => text.toUpperCase()).join(end === -1 ? ' ' : '');
}

const settingsOf: Readonly<Record<string, readonly SettingName[]>> = {
  TIMEZONE: ['zone'],
  'TIME ZONE': ['zone'],
  CLIENT_ENCODING: ['charset'],
  SEARCH_PATH: ['path'],
  STANDARD_CONFORMING_STRINGS: ['backslashEscapes'],
  DATESTYLE: ['ambiguousDates'],
  INTERVALSTYLE: ['ambiguousIntervals'],
};

function change(
  name: string,
  value: readonly SettingToken[],
  isLocal: boolean,
): readonly SettingChange[] {
  if (withoutEffect.has(name.split(/[ .]/)[0] ?? '')) return [];
  const names = settingsOf[name];
  if (names === undefined) return [{ kind: 'left-out' }];
  const settings = valueOf(name, value);
  if (settings === undefined)
    return [{ kind: 'rejected', reason: 'sets a value that is not supported' }];
  return [{ kind: 'set', settings, isLocal }];
}

/** Undefined if the value is not understood. */
function valueOf(name: string, value: readonly SettingToken[]): ScriptSettings | undefined {
  const [first] = value;
  if (name === 'SEARCH_PATH') return pathOf(value);
  if (first === undefined) return undefined;
  if (value.length === 1 && first.kind === 'word' && first.text === 'DEFAULT')
    return Object.fromEntries((settingsOf[name] ?? []).map((each) => [each, undefined]));
  const text = value.map((each) => each.text).join('');
  switch (name) {
    case 'CLIENT_ENCODING':
      return { charset: charsetOf(text) };
    case 'STANDARD_CONFORMING_STRINGS':
      return { backslashEscapes: /^(?:off?|f(?:alse)?|no?|0)$/i.test(text) };
    case 'DATESTYLE':
      return { ambiguousDates: ambiguousDatesOf(text) };
    case 'INTERVALSTYLE':
      return { ambiguousIntervals: /^sql_standard$/i.test(text) ? /^\s*-/ : undefined };
    default:
      return zoneOf(value);
  }
}

/** Undefined for the default path, so that unqualified names are in the connection's default schema. */
function pathOf(value: readonly SettingToken[]): ScriptSettings {
  const isDefault = value.length === 1 && value[0]?.kind === 'word' && value[0].text === 'DEFAULT';
  if (isDefault) return { path: undefined };
  const path = settingParts(value)
    .map(([token]) => (token?.kind === 'word' ? token.text.toLowerCase() : (token?.text ?? '')))
    .filter((name) => name !== '' && name !== 'pg_catalog' && name !== 'pg_temp');
  const isDefaultPath = path.length === 2 && path[0] === '$user' && path[1] === 'public';
  return { path: isDefaultPath ? undefined : path };
}

/** The encoding by its name; undefined for the default. */
export function charsetOf(text: string): Charset | undefined {
  const name = text.replaceAll(/[^A-Za-z\d]/g, '').toUpperCase();
  if (/^(?:UTF8|UNICODE)$/.test(name)) return 'utf8';
  if (name === 'SQLASCII') return undefined;
  if (/^(?:LATIN1|ISO88591)$/.test(name)) return 'latin1';
  if (/^(?:LATIN9|ISO885915)$/.test(name)) return 'iso-8859-15';
  return /^(?:WIN|WINDOWS)1252$/.test(name) ? 'windows-1252' : 'other';
}

/** Only the field order affects input. ISO dates mean the same in any order. */
function ambiguousDatesOf(text: string): RegExp | undefined {
  return /\b(?:DMY|MDY|European|US|NonEuropean|Euro|German|SQL|Postgres)/i.test(text)
    ? /^\s*\d{1,2}[-/. ]\d{1,2}[-/. ]\d/
    : undefined;
}

/** A number is hours east of UTC. POSIX time zone names have the opposite sign. */
function zoneOf(value: readonly SettingToken[]): ScriptSettings | undefined {
  const text = value.map((each) => each.text).join('');
  if (value.some(({ kind }) => kind === 'number'))
    return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? { zone: Number(text) * 60 || undefined } : undefined;
  if (value.length !== 1) return undefined;
  if (/^(?:LOCAL|DEFAULT)$/i.test(text)) return { zone: undefined };
  return { zone: zoneNamed(text) };
}
