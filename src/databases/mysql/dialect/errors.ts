import { StudioError } from '../../../model/errors.ts';
import type { ErrorCode, ErrorDetails } from '../../../model/errors.ts';

/** The server's error. Its text may be in any language, so the number decides. */
export interface ServerError {
  readonly errno: number;
  readonly sqlState?: string | undefined;
  readonly sqlMessage: string;
}

export function serverError(error: unknown): ServerError | undefined {
  if (!(error instanceof Error) || !('errno' in error) || !('sqlMessage' in error))
    return undefined;
  return typeof error.errno === 'number' && typeof error.sqlMessage === 'string'
    ? (error as Error & ServerError)
    : undefined;
}

export function messageOf(error: unknown): string | undefined {
  return serverError(error)?.sqlMessage;
}

const structureNumbers: ReadonlySet<number> = new Set([
  4079, // ER_ILLEGAL_PARAMETER_DATA_TYPE_FOR_OPERATION (MariaDB): a type has changed
  1051, // ER_BAD_TABLE_ERROR
  1054, // ER_BAD_FIELD_ERROR
  1072, // ER_KEY_COLUMN_DOES_NOT_EXITS
  1109, // ER_UNKNOWN_TABLE
  1136, // ER_WRONG_VALUE_COUNT_ON_ROW
  1146, // ER_NO_SUCH_TABLE
  1347, // ER_WRONG_OBJECT
  1356, // ER_VIEW_INVALID
  1412, // ER_TABLE_DEF_CHANGED
  1615, // ER_NEED_REPREPARE
]);

/** Whether an error shows that the structure differs from what the statement assumes. */
export function isStructureError(error: unknown): boolean {
  return structureNumbers.has(serverError(error)?.errno ?? 0);
}

/** Errors of SELECT statements, where an invalid value can only come from a parameter. */
const raisedByReads = new WeakSet<object>();

export function markRead(error: unknown): void {
  if (typeof error === 'object' && error !== null) raisedByReads.add(error);
}

/** Translates a server error; undefined for invalid SQL and for defects. */
export function translateError(error: unknown): StudioError | undefined {
  if (error instanceof StudioError) return error;
  const found = serverError(error);
  if (found === undefined) return undefined;
  const read =
    meanings.get(found.errno) ?? meaningsOfClasses.get(found.sqlState?.slice(0, 2) ?? '');
  const meaning = read?.(found.sqlMessage);
  if (meaning?.code !== 'invalid_value' || !raisedByReads.has(found)) return meaning;
  return new StudioError('invalid_parameter', meaning.message);
}

type Read = (message: string) => StudioError;

const means =
  (code: ErrorCode, message: string): Read =>
  () =>
    new StudioError(code, message);

/** `pattern` finds the column name in the server's message; without a match the message is `otherwise`. */
const inColumn =
  (
    code: ErrorCode,
    pattern: RegExp,
    says: { readonly what: string; readonly otherwise: string },
  ): Read =>
  (message) => {
    const column = pattern.exec(message)?.[1];
    if (column === undefined) return new StudioError(code, says.otherwise);
    return new StudioError(code, `Column "${column}" ${says.what}.`, { column });
  };

/** MySQL writes `'c'`, MariaDB sometimes `` `database`.`table`.`c` ``. */
const forColumn = /(?:column|field) (?:.*\.)?['`]([^'`]+)['`]/i;
const anyQuoted = /'([^']+)'/;

const refuses = (what: string, otherwise: string): Read =>
  inColumn('invalid_value', forColumn, { what, otherwise });
const mustHaveValue = inColumn('not_null_violation', anyQuoted, {
  what: 'must have a value',
  otherwise: 'A column must have a value.',
});

const outOfRange = refuses('does not hold a number of that size', 'A number is outside its range.');
const wrongValue = refuses(
  'does not hold such a value',
  'A value is not of the type of its column.',
);
const tooLong = refuses(
  'does not hold a value of that length',
  'A value is too long for its column.',
);
const noSuchCharacter = means(
  'invalid_value',
  'A text holds a character that the character set of its column does not have.',
);
const noGeometry = means('invalid_value', 'A value is no geometry, or none of its column.');
const noVector = means(
  'invalid_value',
  'A value is no vector: numbers in square brackets, like [1, 2.5], as many as its column has.',
);
const otherSystem = means(
  'invalid_value',
  'The spatial reference system (SRID) of a geometry is not the one of its column.',
);
/** The server's message contains the SRID. */
const unknownSystem: Read = (message) => new StudioError('invalid_value', message);
/** Latitude or longitude out of range; the server's message contains the value. */
const outsideEarth: Read = (message) => new StudioError('invalid_value', message);
const noJson = means('invalid_value', 'A value is no JSON.');
const denied = means(
  'permission_denied',
  'The database does not allow this to the user that the studio is connected as.',
);
const readOnly = means('read_only', 'The database takes no writes here.');
const ended = means('statement_timeout', 'The database ended the statement.');
const full = means('database_busy', 'The database takes no more connections.');
const shuttingDown = means('database_unavailable', 'The connection to the database broke.');
const conflict = means(
  'write_conflict',
  'Another transaction was in the way; nothing was written.',
);
/** The connection still works. The message names the table, or the remote server that it reads from. */
const relationUnreadable: Read = (message) =>
  new StudioError('table_unreadable', `The database cannot read this: ${message}.`);
const locked = means('database_busy', 'Another transaction held a lock for too long.');

/** https://dev.mysql.com/doc/mysql-errors/9.4/en/server-error-reference.html, https://mariadb.com/kb/en/mariadb-error-code-reference/ */
const meanings: ReadonlyMap<number, Read> = new Map<number, Read>([
  [1062, keyTaken],
  [1586, keyTaken],
  [1859, keyTaken],
  [1451, foreignKeyBroken],
  [1452, foreignKeyBroken],
  [1216, foreignKeyBroken],
  [1217, foreignKeyBroken],
  [1761, foreignKeyBroken],
  [1048, mustHaveValue],
  [1364, mustHaveValue],
  [3819, checkBroken],
  [4025, checkBroken],
  [1369, means('check_violation', 'The row would not be in the view that it is written to.')],
  [1644, refusedByCode],
  [1264, outOfRange],
  [1690, means('invalid_value', 'A number is outside its range.')],
  [1265, wrongValue],
  [1292, wrongValue],
  [1366, wrongValue],
  [1367, wrongValue],
  [1411, wrongValue],
  [1525, wrongValue],
  [1406, tooLong],
  [1267, noSuchCharacter],
  [1270, noSuchCharacter],
  [1271, noSuchCharacter],
  [1300, noSuchCharacter],
  [3854, noSuchCharacter],
  [3988, noSuchCharacter],
  [1416, noGeometry],
  [3037, noGeometry],
  [3643, otherSystem],
  [3548, unknownSystem],
  [6136, noVector],
  [3616, outsideEarth],
  [3617, outsideEarth],
  [3140, noJson],
  [3141, noJson],
  [4038, noJson],
  [1153, means('too_large', 'The value is larger than the database takes in one statement.')],
  [1213, conflict],
  [1614, conflict],
  [1020, conflict],
  [1205, locked],
  [3572, locked],
  [1044, denied],
  [1045, denied],
  [1142, denied],
  [1143, denied],
  [1227, denied],
  [1370, denied],
  [1419, denied],
  [1290, readOnly],
  [1792, readOnly],
  [1836, readOnly],
  [1317, ended],
  [3024, ended],
  [1969, ended],
  [1028, ended],
  [1040, full],
  [1203, full],
  [1226, full],
  [1053, shuttingDown],
  [1077, shuttingDown],
  [1079, shuttingDown],
  [1927, shuttingDown],
  [3169, shuttingDown],
  [4031, shuttingDown],
  // Damaged or missing files, tables of other servers, views whose tables or definers are gone.
  ...[
    1016, 1017, 1030, 1033, 1034, 1035, 1105, 1168, 1194, 1195, 1286, 1296, 1356, 1429, 1430, 1431,
    1432, 1449, 1459, 1707, 1712, 1812, 1814, 1932,
  ].map((errno) => [errno, relationUnreadable] as const),
  [1049, means('database_unavailable', 'The server has no database of that name.')],
  [1021, means('database_unavailable', 'The disk of the database is full.')],
  [1041, means('database_unavailable', 'The database has run out of memory.')],
  [1114, means('database_unavailable', 'The table, or the disk that it is on, is full.')],
]);

/** By SQLSTATE class, for numbers that are not listed, such as those of SIGNAL. */
const meaningsOfClasses: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['22', (message) => new StudioError('invalid_value', `A value does not fit: ${message}`)],
  ['23', means('check_violation', 'A constraint refuses the row.')],
  ['28', denied],
  ['40', conflict],
  ['45', refusedByCode],
]);

/** The error that a procedure or trigger raises with SIGNAL. */
function refusedByCode(message: string): StudioError {
  return new StudioError('check_violation', `The database refuses it: ${message}`);
}

/** `Duplicate entry '…' for key 't.name'`; without the table in MySQL before 8.0.19 and in MariaDB. */
function keyTaken(message: string): StudioError {
  const key = /for key '(.+)'$/s.exec(message)?.[1];
  if (key === undefined)
    return new StudioError('unique_violation', 'A unique key holds these values already.');
  const dot = key.indexOf('.');
  const table = dot === -1 ? undefined : key.slice(0, dot);
  const constraint = key.slice(dot + 1);
  const name = constraint === 'PRIMARY' ? 'The primary key' : `Unique key "${constraint}"`;
  const where = table === undefined ? '' : ` of table "${table}"`;
  return new StudioError(
    'unique_violation',
    `${name}${where} holds these values already.`,
    named({ constraint, table }),
  );
}

const foreignKeyPattern =
  /\(`(?:[^`]|``)*`\.`((?:[^`]|``)*)`, CONSTRAINT `((?:[^`]|``)*)` FOREIGN KEY \((.*?)\) REFERENCES (?:`(?:[^`]|``)*`\.)?`((?:[^`]|``)*)`/;

/** `… (`d`.`child`, CONSTRAINT `name` FOREIGN KEY (`a`) REFERENCES `parent` …)`; omitted if the login may not see the other table. */
function foreignKeyBroken(message: string): StudioError {
  const [all, table = '', constraint = '', columns = '', target = ''] =
    foreignKeyPattern.exec(message) ?? [];
  if (all === undefined)
    return new StudioError('foreign_key_violation', 'A foreign key would point nowhere.');
  return new StudioError(
    'foreign_key_violation',
    `Foreign key "${unquoted(constraint)}" from table "${unquoted(table)}" to table "${unquoted(target)}" would point nowhere.`,
    { constraint: unquoted(constraint), table: unquoted(table), columns: quotedNames(columns) },
  );
}

function quotedNames(list: string): readonly string[] {
  return [...list.matchAll(/`((?:[^`]|``)*)`/g)].map(([, name = '']) => unquoted(name));
}

function unquoted(name: string): string {
  return name.replaceAll('``', '`');
}

/** MySQL: `Check constraint 'c' is violated.` MariaDB: `` CONSTRAINT `c` failed for `d`.`t` ``; column checks as `t.c`. */
function checkBroken(message: string): StudioError {
  const constraint = /constraint ['`](.+?)['`] (?:is|failed)/i.exec(message)?.[1];
  const table = /failed for `.+?`\.`(.+?)`$/.exec(message)?.[1];
  if (constraint === undefined)
    return new StudioError('check_violation', 'A check refuses the row.');
  const where = table === undefined ? '' : ` of table "${table}"`;
  return new StudioError(
    'check_violation',
    `Check "${constraint}"${where} refuses the row.`,
    named({ constraint, table }),
  );
}

function named(details: Readonly<Record<string, string | undefined>>): ErrorDetails {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
