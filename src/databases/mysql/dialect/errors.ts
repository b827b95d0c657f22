import { adaptToRead } from '../../errors-of-reads.ts';
import { StudioError } from '../../../model/errors.ts';
import type { ErrorCode, ErrorDetails, WriteOutcome } from '../../../model/errors.ts';

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

/** Errors that a trigger may have raised, each with a sentence that says so. */
const raisedByTriggers = new WeakMap<object, string>();

export function markRaisedByTrigger(error: object, sentence: string): void {
  raisedByTriggers.set(error, sentence);
}

/** Translates a server error; undefined for invalid SQL and for defects. */
export function translateError(error: unknown): StudioError | undefined {
  if (error instanceof StudioError) return error;
  const found = serverError(error);
  if (found === undefined) return undefined;
  const read =
    translations.get(found.errno) ?? translationsByClass.get(found.sqlState?.slice(0, 2) ?? '');
  const meaning = withoutInnerNames(read?.(found.sqlMessage), raisedByTriggers.get(found));
  return adaptToRead(error, meaning);
}

/** The names in an error of a trigger are of a table that the trigger writes, and not of the row. */
function withoutInnerNames(
  meaning: StudioError | undefined,
  sentence: string | undefined,
): StudioError | undefined {
  if (meaning === undefined || sentence === undefined) return meaning;
  const { column: _column, columns: _columns, ...details } = meaning.details;
  return new StudioError(meaning.code, `${meaning.message} ${sentence}`, details);
}

/** Undefined for defects. */
type Translate = (message: string) => StudioError | undefined;

const always =
  (code: ErrorCode, message: string): Translate =>
  () =>
    new StudioError(code, message);

/** `pattern` finds the column name in the server's message; without a match the message is `otherwise`. */
const inColumn =
  (
    code: ErrorCode,
    pattern: RegExp,
    texts: { readonly predicate: string; readonly otherwise: string },
  ): Translate =>
  (message) => {
    const column = pattern.exec(message)?.[1];
    if (column === undefined) return new StudioError(code, texts.otherwise);
    const table = qualifyingTable.exec(message)?.[1];
    return new StudioError(
      code,
      `Column "${column}" ${texts.predicate}.`,
      definedDetails({ column, table }),
    );
  };

/** MariaDB, sometimes: `` for column `database`.`table`.`column` at row 1 ``. */
const qualifyingTable = /column `(?:[^`]|``)*`\.`((?:[^`]|``)*)`\.`/;

/** MySQL writes `'c'`, MariaDB sometimes `` `database`.`table`.`c` ``. */
const forColumn = /(?:column|field) (?:.*\.)?['`]([^'`]+)['`]/i;
const anyQuoted = /'([^']+)'/;

const invalidInColumn = (predicate: string, otherwise: string): Translate =>
  inColumn('invalid_value', forColumn, { predicate, otherwise });
const mustHaveValue = inColumn('not_null_violation', anyQuoted, {
  predicate: 'must have a value',
  otherwise: 'A column must have a value.',
});

const outOfRange = invalidInColumn(
  'cannot store a number of this size',
  'A number is outside the range of its column.',
);
const wrongValue = invalidInColumn(
  'cannot store this value',
  "A value does not have its column's type.",
);
const tooLong = invalidInColumn(
  'cannot store a value of this length',
  'A value is too long for its column.',
);
const unsupportedCharacter = always(
  'invalid_value',
  'A text contains a character that the character set of its column does not have.',
);
const invalidGeometry = always(
  'invalid_value',
  "A value is not a valid geometry of its column's type.",
);
const invalidVector = always(
  'invalid_value',
  'A value is not a valid vector. Write as many numbers as the column has dimensions, in square brackets: [1, 2.5].',
);
const wrongSrid = always(
  'invalid_value',
  'The spatial reference system (SRID) of a geometry differs from that of its column.',
);
/** The server's message contains the SRID. */
const unknownSrid: Translate = (message) => new StudioError('invalid_value', message);
/** Latitude or longitude out of range; the server's message contains the value. */
const coordinatesOutOfRange: Translate = (message) => new StudioError('invalid_value', message);
const invalidJson = always('invalid_value', 'A value is not valid JSON.');
const denied = always(
  'permission_denied',
  'The user that the studio is connected as lacks the privilege.',
);
const readOnly = always('read_only', 'The database is read-only for this session.');
const ended = always('statement_timeout', 'The database ended the statement.');
/** Not by the studio, whose own limits have their own error. */
const canceledByOthers = always(
  'statement_timeout',
  'The statement was canceled in the database, as by KILL QUERY of another session.',
);
const exceedsLimit = always(
  'statement_timeout',
  'The statement exceeded the time limit of the database.',
);
const full = always('database_busy', 'The database has reached its maximum number of connections.');
const shuttingDown = always('database_unavailable', 'The connection to the database was lost.');
const conflict = always(
  'write_conflict',
  'The transaction conflicted with another one; nothing was written.',
);
/** The connection still works. The message names the table, or the remote server that it reads from. */
const relationUnreadable: Translate = (message) =>
  new StudioError('table_unreadable', `The database cannot read this: ${message}.`);
/**
 * A cluster that cannot write now. Galera reports a node without quorum as an unknown command:
 * https://galeracluster.com/library/documentation/node-states.html
 */
const nodeNotReady: Translate = (message) =>
  message.includes('WSREP')
    ? new StudioError(
        'database_unavailable',
        'The node of the cluster is not ready: it has lost the majority of the nodes, or it is synchronizing.',
      )
    : undefined;
/** The server knows that its COMMIT failed, but another node may have received the transaction. */
const commitFailed: Translate = (message) =>
  new StudioError(
    'database_unavailable',
    `The database could not confirm the commit, so it is not known whether the changes were written. Read them again. (${message})`,
    { outcome: 'unknown' satisfies WriteOutcome },
  );
/** Group Replication rolls back a transaction that its group does not accept. */
const rejectedByGroup: Translate = () =>
  new StudioError(
    'database_unavailable',
    'The group of servers did not accept the transaction; nothing was written.',
    { outcome: 'nothing_written' satisfies WriteOutcome },
  );
/** The message names the option of the server that forbids the statement. */
const optionForbids = 1290;
const namesReadOnly = /read[-_]only/i;

/** Whether the server takes no writes of anybody, such as a replica. */
export function isServerReadOnly(error: unknown): boolean {
  const found = serverError(error);
  return found?.errno === optionForbids && namesReadOnly.test(found.sqlMessage);
}

const forbiddenByOption: Translate = (message) =>
  namesReadOnly.test(message)
    ? new StudioError('read_only', 'The database server is read-only.')
    : new StudioError(
        'permission_denied',
        `An option of the database server forbids the statement: ${message}.`,
      );
const locked = always('database_busy', 'Another transaction held a lock for too long.');

/** https://dev.mysql.com/doc/mysql-errors/9.4/en/server-error-reference.html, https://mariadb.com/kb/en/mariadb-error-code-reference/ */
const translations: ReadonlyMap<number, Translate> = new Map<number, Translate>([
  [1062, uniqueViolation],
  [1586, uniqueViolation],
  [1859, uniqueViolation],
  [1451, foreignKeyViolation],
  [1452, foreignKeyViolation],
  [1216, foreignKeyViolation],
  [1217, foreignKeyViolation],
  [1761, foreignKeyViolation],
  [1048, mustHaveValue],
  [1364, mustHaveValue],
  [3819, checkViolation],
  [4025, checkViolation],
  [
    1369,
    always('check_violation', 'The row would not be visible in the view that it is written to.'),
  ],
  [1644, raisedBySignal],
  [1264, outOfRange],
  [1690, always('invalid_value', 'A number is outside the range of its type.')],
  [1265, wrongValue],
  [1292, wrongValue],
  [1366, wrongValue],
  [1367, wrongValue],
  [1411, wrongValue],
  [1525, wrongValue],
  [1406, tooLong],
  [1267, unsupportedCharacter],
  [1270, unsupportedCharacter],
  [1271, unsupportedCharacter],
  [1300, unsupportedCharacter],
  [3854, unsupportedCharacter],
  [3988, unsupportedCharacter],
  [1416, invalidGeometry],
  [3037, invalidGeometry],
  [3643, wrongSrid],
  [3548, unknownSrid],
  [6136, invalidVector],
  [3616, coordinatesOutOfRange],
  [3617, coordinatesOutOfRange],
  [3140, invalidJson],
  [3141, invalidJson],
  [4038, invalidJson],
  [
    1153,
    always('too_large', 'The value exceeds the maximum size of a statement (max_allowed_packet).'),
  ],
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
  [optionForbids, forbiddenByOption],
  [1792, readOnly],
  [1836, readOnly],
  [1317, canceledByOthers],
  [3024, exceedsLimit],
  [1969, exceedsLimit],
  [1028, ended],
  [1040, full],
  [1203, full],
  [1226, full],
  [1047, nodeNotReady],
  [1180, commitFailed],
  [3100, rejectedByGroup],
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
  [1049, always('database_unavailable', 'The server has no database of that name.')],
  [1021, always('database_unavailable', 'The disk of the database is full.')],
  [1041, always('database_unavailable', 'The database has run out of memory.')],
  [1114, always('database_unavailable', 'The table, or the disk that it is on, is full.')],
]);

/** By SQLSTATE class, for numbers that are not listed, such as those of SIGNAL. */
const translationsByClass: ReadonlyMap<string, Translate> = new Map<string, Translate>([
  ['22', (message) => new StudioError('invalid_value', `A value is invalid: ${message}`)],
  ['23', always('check_violation', 'The row violates a constraint.')],
  ['28', denied],
  ['40', conflict],
  ['45', raisedBySignal],
]);

/** The error that a procedure or trigger raises with SIGNAL. */
function raisedBySignal(message: string): StudioError {
  return new StudioError('check_violation', `The database rejected the statement: ${message}`);
}

/** `Duplicate entry '…' for key 't.name'`; without the table in MySQL before 8.0.19 and in MariaDB. */
function uniqueViolation(message: string): StudioError {
  const key = /for key '(.+)'$/s.exec(message)?.[1];
  if (key === undefined)
    return new StudioError('unique_violation', 'Another row has the same values in a unique key.');
  const dot = key.indexOf('.');
  const table = dot === -1 ? undefined : key.slice(0, dot);
  const constraint = key.slice(dot + 1);
  const name = constraint === 'PRIMARY' ? 'the primary key' : `unique key "${constraint}"`;
  const where = table === undefined ? '' : ` of table "${table}"`;
  return new StudioError(
    'unique_violation',
    `Another row has the same values in ${name}${where}.`,
    definedDetails({ constraint, table }),
  );
}

const foreignKeyPattern =
  /\(`(?:[^`]|``)*`\.`((?:[^`]|``)*)`, CONSTRAINT `((?:[^`]|``)*)` FOREIGN KEY \((.*?)\) REFERENCES (?:`(?:[^`]|``)*`\.)?`((?:[^`]|``)*)`/;

/** `… (`d`.`child`, CONSTRAINT `name` FOREIGN KEY (`a`) REFERENCES `parent` …)`; omitted if the login may not see the other table. */
function foreignKeyViolation(message: string): StudioError {
  const [all, table = '', constraint = '', columns = '', target = ''] =
    foreignKeyPattern.exec(message) ?? [];
  if (all === undefined)
    return new StudioError(
      'foreign_key_violation',
      'A foreign key would reference a row that does not exist.',
    );
  return new StudioError(
    'foreign_key_violation',
    `Foreign key "${unquoted(constraint)}" from table "${unquoted(table)}" to table "${unquoted(target)}" would reference a row that does not exist.`,
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
function checkViolation(message: string): StudioError {
  const constraint = /constraint ['`](.+?)['`] (?:is|failed)/i.exec(message)?.[1];
  const table = /failed for `.+?`\.`(.+?)`$/.exec(message)?.[1];
  if (constraint === undefined)
    return new StudioError('check_violation', 'The row violates a check constraint.');
  const where = table === undefined ? '' : ` of table "${table}"`;
  return new StudioError(
    'check_violation',
    `The row violates check constraint "${constraint}"${where}.`,
    definedDetails({ constraint, table }),
  );
}

function definedDetails(details: Readonly<Record<string, string | undefined>>): ErrorDetails {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
