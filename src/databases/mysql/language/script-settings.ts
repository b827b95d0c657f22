import { settingParts, zoneNamed } from '../../../sql/script-settings.ts';
import { words } from '../../../portable/lexer/words.ts';
import type {
  Charset,
  ScriptSettings,
  SettingChange,
  SettingName,
  SettingToken,
} from '../../../sql/script-settings.ts';

/** Settings that do not affect imported rows, unless the statement would fail anyway. */
const withoutEffect: ReadonlySet<string> = new Set(
  words(`
  FOREIGN_KEY_CHECKS UNIQUE_CHECKS CHECK_CONSTRAINT_CHECKS SQL_NOTES SQL_WARNINGS AUTOCOMMIT
  SQL_LOG_BIN SQL_QUOTE_SHOW_CREATE SQL_SAFE_UPDATES SQL_BIG_SELECTS SQL_LOG_OFF
  CHARACTER_SET_RESULTS COLLATION_CONNECTION COLLATION_DATABASE CHARACTER_SET_DATABASE
  DEFAULT_STORAGE_ENGINE STORAGE_ENGINE DEFAULT_TMP_STORAGE_ENGINE INNODB_STRICT_MODE
  NET_READ_TIMEOUT NET_WRITE_TIMEOUT WAIT_TIMEOUT INTERACTIVE_TIMEOUT LOCK_WAIT_TIMEOUT
  INNODB_LOCK_WAIT_TIMEOUT MAX_ALLOWED_PACKET BULK_INSERT_BUFFER_SIZE SORT_BUFFER_SIZE
  TRANSACTION TRANSACTION_ISOLATION TX_ISOLATION LONG_QUERY_TIME MAX_STATEMENT_TIME
  SHOW_CREATE_TABLE_SKIP_SECONDARY_ENGINE GENERATED_RANDOM_PASSWORD_LENGTH
`),
);

/** The script settings that each system variable affects, also for `SET NAMES x COLLATE y`. */
const settingsOf: Readonly<Record<string, readonly SettingName[]>> = {
  SQL_MODE: [
    'backslashEscapes',
    'doubleQuotes',
    'keepsZero',
    'oracleSyntax',
    'storesImplicitDefaults',
  ],
  TIME_ZONE: ['zone'],
  NAMES: ['charset'],
  CHARSET: ['charset'],
  CHARACTER_SET: ['charset'],
  CHARACTER_SET_CLIENT: ['charset'],
  CHARACTER_SET_CONNECTION: ['charset'],
};

/** The changes that a SET statement makes. */
export function mysqlSettings(
  tokens: readonly SettingToken[],
): readonly SettingChange[] | undefined {
  const [verb, ...rest] = tokens;
  if (verb?.text === 'DO') return [];
  if (isReplication(tokens)) return leftOut;
  if (verb?.text !== 'SET') return undefined;
  let isGlobal = false;
  return settingParts(rest).flatMap((part) => {
    isGlobal = isGlobalIn(part) ?? isGlobal;
    return changes(part, isGlobal);
  });
}

/** `CHANGE MASTER TO`, `STOP ALL SLAVES` and the like: dumps with --master-data or --dump-slave have them. */
function isReplication([verb, object]: readonly SettingToken[]): boolean {
  return (
    /^(?:CHANGE|START|STOP)$/.test(verb?.text ?? '') &&
    /^(?:MASTER|REPLICATION|SLAVE|REPLICA|ALL)$/.test(object?.text ?? '')
  );
}

/** A scope keyword applies to the following assignments too. */
function isGlobalIn([first]: readonly SettingToken[]): boolean | undefined {
  if (/^(?:GLOBAL|PERSIST|PERSIST_ONLY)$/.test(first?.text ?? '')) return true;
  return /^(?:SESSION|LOCAL)$/.test(first?.text ?? '') ? false : undefined;
}

function changes(part: readonly SettingToken[], isGlobal: boolean): readonly SettingChange[] {
  const at = part.findIndex(({ text }) => text === '=' || text === ':=');
  if (at === -1) return settingOfWords(part);
  const target = part.slice(0, at);
  const value = part.slice(at + 1);
  const [first] = target;
  if (first?.kind === 'variable' && !first.text.startsWith('@@'))
    return saveChange(first.text, value);
  const name = systemName(target);
  if (withoutEffect.has(name)) return [];
  if (name === 'SYSTEM_VERSIONING_INSERT_HISTORY') return historyChanges(value);
  if (isGlobal || /^@@(?:GLOBAL|PERSIST)/i.test(first?.text ?? '')) return [{ kind: 'left-out' }];
  return assignmentChanges(name, value);
}

/** `mariadb-dump --dump-history` switches it on before rows that are no longer current. */
function historyChanges([value]: readonly SettingToken[]): readonly SettingChange[] {
  if (value?.kind === 'variable' || /^(?:0|OFF|FALSE|DEFAULT)$/i.test(value?.text ?? '')) return [];
  const reason =
    'precedes the history of a system-versioned table, whose deleted rows would become current ones: dump without --dump-history';
  return [{ kind: 'rejected', reason, concernsRows: true }];
}

/** `NAMES utf8mb4`, `CHARACTER SET latin1`, `TRANSACTION READ ONLY`. */
function settingOfWords(part: readonly SettingToken[]): readonly SettingChange[] {
  const [first, ...rest] = part[0]?.text === 'SESSION' ? part.slice(1) : part;
  if (first?.text === 'CHARACTER') return assignmentChanges('CHARACTER_SET', rest.slice(1, 2));
  if (first?.text === 'NAMES' || first?.text === 'CHARSET')
    return assignmentChanges(first.text, rest.slice(0, 1));
  return withoutEffect.has(first?.text ?? '') ? [] : [{ kind: 'left-out' }];
}

/** `@@SESSION.time_zone`, `SESSION time_zone`, `time_zone` */
function systemName(target: readonly SettingToken[]): string {
  const text = target.map((token) => token.text).join(' ');
  return text
    .toUpperCase()
    .replace(/^@@/, '')
    .replace(/^(?:SESSION|LOCAL|GLOBAL|PERSIST|PERSIST_ONLY)[ .]+/, '')
    .replaceAll(' ', '');
}

/** `@old = @@sql_mode` saves a setting for a later `sql_mode = @old`. */
function saveChange(variable: string, value: readonly SettingToken[]): readonly SettingChange[] {
  if (!value[0]?.text.startsWith('@@')) return [{ kind: 'left-out' }];
  const name = systemName(value);
  const names = settingsOf[name];
  return names === undefined ? [] : [{ kind: 'save', variable: variable.toUpperCase(), names }];
}

function assignmentChanges(name: string, value: readonly SettingToken[]): readonly SettingChange[] {
  const names = settingsOf[name];
  if (names === undefined) return [{ kind: 'left-out' }];
  const [first] = value;
  const variable = savedVariable(value);
  if (variable !== undefined) return [{ kind: 'restore', variable: variable.toUpperCase(), names }];
  if (first?.kind === 'word' && first.text === 'DEFAULT') return [{ kind: 'reset', names }];
  if (name === 'SQL_MODE') return modeChanges(value);
  const settings = name === 'TIME_ZONE' ? zoneOf(value) : { charset: charsetOf(first?.text ?? '') };
  return settings === undefined
    ? [{ kind: 'rejected', reason: 'sets what cannot be followed' }]
    : [{ kind: 'set', settings }];
}

/** `@old`, or HeidiSQL's `IFNULL(@old, 'system')`, whose other value is the initial one. */
function savedVariable(value: readonly SettingToken[]): string | undefined {
  const [name, open, first, comma, initialValue, close] = value;
  const isCall = name?.text === 'IFNULL' && open?.text === '(' && comma?.text === ',';
  const isInitial = /^(?:|SYSTEM)$/i.test(initialValue?.text ?? '');
  const isWhole = value.length === 6 && close?.text === ')' && isInitial;
  const variable = isCall && isWhole ? first : value.length === 1 ? name : undefined;
  return variable?.kind === 'variable' && !variable.text.startsWith('@@')
    ? variable.text
    : undefined;
}

const quoting = /\b(?:ANSI_QUOTES|ANSI|DB2|MAXDB|MSSQL|ORACLE|POSTGRESQL)\b/i;
const unsupportedModes = /\bEMPTY_STRING_IS_NULL\b/i;
const strict = /\b(?:STRICT_ALL_TABLES|STRICT_TRANS_TABLES|TRADITIONAL|DEFAULT)\b/i;
const rounding = /\bTIME_(?:ROUND|TRUNCATE)_FRACTIONAL\b/i;

/** Tracks modes that change how values and names are read. Other modes only affect which values the server rejects. */
function modeChanges(value: readonly SettingToken[]): readonly SettingChange[] {
  const text = value.map((token) => token.text).join(' ');
  const isPlain = value.length === 1 && /^(?:string|number|word)$/.test(value[0]?.kind ?? '');
  if (unsupportedModes.test(text))
    return [{ kind: 'rejected', reason: 'sets a mode that cannot be followed' }];
  const settings: ScriptSettings = {
    backslashEscapes: /\bNO_BACKSLASH_ESCAPES\b/i.test(text) ? false : undefined,
    doubleQuotes: quoting.test(text) ? 'name' : undefined,
    oracleSyntax: /\bORACLE\b/i.test(text) || undefined,
    keepsZero: /\bNO_AUTO_VALUE_ON_ZERO\b/i.test(text) || undefined,
    storesImplicitDefaults: !strict.test(text) || undefined,
  };
  const changesQuotes = settings.backslashEscapes === false || settings.doubleQuotes === 'name';
  if (isPlain) return [{ kind: 'set', settings }, ...(rounding.test(text) ? leftOut : [])];
  const adds = value[0]?.text === 'CONCAT';
  if (changesQuotes && !adds)
    return [{ kind: 'rejected', reason: 'computes a mode that changes how strings are read' }];
  if (!adds || !(changesQuotes || settings.keepsZero === true)) return leftOut;
  return [{ kind: 'set', settings: addedModes(settings) }];
}

/** CONCAT adds to the modes that are on. */
function addedModes(settings: ScriptSettings): ScriptSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, mode]) => mode !== undefined));
}

const leftOut: readonly SettingChange[] = [{ kind: 'left-out' }];

function zoneOf(value: readonly SettingToken[]): ScriptSettings | undefined {
  const [first] = value;
  if (first === undefined || value.length > 1 || first.kind === 'variable') return undefined;
  if (/^SYSTEM$/i.test(first.text)) return { zone: undefined };
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):(\d\d)$/.exec(first.text) ?? [];
  if (hours === undefined) return { zone: zoneNamed(first.text) };
  const offset = Number(hours) * 60 + Number(minutes);
  return { zone: (sign === '-' ? -offset : offset) || undefined };
}

/** The encoding by its name; undefined for the default. */
export function charsetOf(text: string): Charset | undefined {
  if (/^(?:utf8(?:mb[34])?|ascii)$/i.test(text)) return 'utf8';
  if (/^(?:DEFAULT|binary)$/i.test(text)) return undefined;
  return /^latin1$/i.test(text) ? 'windows-1252' : 'other';
}
