import { StudioError } from '../../../model/errors.ts';
import type { ErrorCode, ErrorDetails } from '../../../model/errors.ts';

/** What the server tells of an error; its texts are in the server's language, so only codes and names decide. */
export interface ServerError {
  /** SQLSTATE. */
  readonly code: string;
  readonly message: string;
  readonly detail?: string | undefined;
  readonly schema?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly constraint?: string | undefined;
  /** What the server was at, innermost first. */
  readonly where?: string | undefined;
  /** The function of the server's source that raised it. */
  readonly routine?: string | undefined;
}

export function serverError(error: unknown): ServerError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? (error as Error & ServerError)
    : undefined;
}

export function messageOf(error: unknown): string | undefined {
  return serverError(error)?.message;
}

const structureCodes: ReadonlySet<string> = new Set([
  '42P01', // undefined_table
  '42703', // undefined_column
  '3F000', // invalid_schema_name
  '42704', // undefined_object: a type
  '42883', // undefined_function: an operator, since a type has changed
  '42804', // datatype_mismatch
  '42809', // wrong_object_type
]);

/** active_sql_transaction: of CREATE INDEX CONCURRENTLY, say. */
export function refusesTransaction(error: unknown): boolean {
  return serverError(error)?.code === '25001';
}

/** Whether an error says that the structure is not (or no longer) what the statement takes it for. */
export function isStructureError(error: unknown): boolean {
  const found = serverError(error);
  return found !== undefined && (structureCodes.has(found.code) || isStalePlan(found));
}

/**
 * A prepared statement from before a change of its table ("cached plan must not change result
 * type"), or one that the session has lost.
 */
export function isStalePlan(error: unknown): boolean {
  const found = serverError(error);
  if (hasLostStatement(error)) return true;
  return found?.code === '0A000' && found.routine === 'RevalidateCachedQuery';
}

/** A function of the session has removed a prepared statement, or made one of the same name. */
export function hasLostStatement(error: unknown): boolean {
  const code = serverError(error)?.code;
  // 08P01: it takes other parameters.
  return code === '26000' || code === '42P05' || code === '08P01';
}

/** Errors after which the session goes on. */
const raisedBySessions = new WeakSet<object>();

/** The server ends a session with the same codes that a statement can raise in it. */
export function markAlive(error: object): void {
  raisedBySessions.add(error);
}

/** Classes and codes that mean the end of a session. */
const endings = /^(?:08|28|3D|57P|25P03)/;

const raisedByReads = new WeakSet<object>();

/** Errors of raw SQL. */
const raisedByRawSql = new WeakSet<object>();

export function markRaw(error: object): void {
  raisedByRawSql.add(error);
}

/** Where a statement only reads, what is wrong with a value is wrong with a parameter. */
export function raisedByRead(error: unknown): unknown {
  if (error instanceof StudioError) return ofParameter(error);
  if (error instanceof Error) raisedByReads.add(error);
  return error;
}

function ofParameter(error: StudioError): StudioError {
  return error.code === 'invalid_value'
    ? new StudioError('invalid_parameter', error.message)
    : error;
}

/** What an error means; undefined for SQL that is wrong and for defects. */
export function readError(error: unknown): StudioError | undefined {
  if (error instanceof StudioError) return error;
  const found = serverError(error);
  if (found === undefined) return undefined;
  if (raisedBySessions.has(found) && endings.test(found.code) && !isForeignRead(found))
    return undefined;
  const read = meanings[found.code] ?? meanings[found.code.slice(0, 2)];
  const meaning = read?.(found);
  return meaning !== undefined && raisedByReads.has(found) ? ofParameter(meaning) : meaning;
}

/** The connection that broke is that of a foreign table. */
function isForeignRead(error: ServerError): boolean {
  return error.code.startsWith('08') && raisedByReads.has(error);
}

/** Whether raw SQL itself is wrong (`currval` before `nextval`), not a relation (an unpopulated materialized view). */
function isOfStatement(error: ServerError): boolean {
  return raisedByRawSql.has(error) && error.routine !== 'ExecOpenScanRelation';
}

type Read = (error: ServerError) => StudioError | undefined;

const means =
  (code: ErrorCode, message: string): Read =>
  () =>
    new StudioError(code, message);

const unavailable = means('database_unavailable', 'The database is shutting down or starting up.');

/** The session is well: the message names the relation, or the server that it reads from. */
const relationUnreadable: Read = ({ message }) =>
  new StudioError('table_unreadable', `The database cannot read this: ${message}.`);

const notOfType = 'A value is not of the type of its column.';

/** By SQLSTATE, else by its class. */
const meanings: Readonly<Record<string, Read>> = {
  // As an error of a statement that reads, it is the connection of a foreign table that broke.
  '08': (error) =>
    isForeignRead(error)
      ? relationUnreadable(error)
      : new StudioError('database_unavailable', 'The connection to the database broke.'),
  // Too few or too many parameters, say: wrong SQL, not a broken connection.
  '08P01': () => undefined,
  '0A000': ({ message }) =>
    new StudioError('not_writable', `The database does not do this: ${message}.`),
  '22': means('invalid_value', 'A value does not fit its column or what is done with it.'),
  '22001': means('invalid_value', 'A text is too long for its column.'),
  '22003': means('invalid_value', 'A number is outside the range of its column.'),
  '22007': means('invalid_value', 'A value is no date or time.'),
  '22008': means('invalid_value', 'A date or time is outside the range of its column.'),
  '22012': means('invalid_value', 'A number is divided by zero.'),
  '22021': means(
    'invalid_value',
    "A text holds a character that the database's encoding does not have.",
  ),
  '22P02': means('invalid_value', notOfType),
  '22P05': means(
    'invalid_value',
    "A text holds a character that the database's encoding does not have.",
  ),
  '23': (error) => broken('check_violation', 'Constraint', error),
  '23001': foreignKeyBroken,
  '23502': columnMissing,
  '23503': foreignKeyBroken,
  '23505': keyTaken,
  '23514': (error) => broken('check_violation', 'Check', error),
  '23P01': (error) => broken('unique_violation', 'Exclusion constraint', error),
  '25006': means('read_only', 'The database takes no writes here.'),
  '28': means(
    'database_unavailable',
    'The database rejected the login: check the user, the password and the authentication method.',
  ),
  '3D000': means('database_unavailable', 'The server has no database of that name.'),
  '40001': means(
    'write_conflict',
    'Another transaction wrote at the same time; nothing was written.',
  ),
  '40P01': means(
    'write_conflict',
    'Another transaction and this one waited for each other; nothing was written.',
  ),
  '428C9': (error) => inColumn('invalid_value', error, 'is generated and takes no value'),
  // Some extensions' types say it so; else it is SQL that is wrong.
  '42601': ({ routine }) =>
    routine === 'scanner_yyerror' ? undefined : new StudioError('invalid_value', notOfType),
  '42501': means(
    'permission_denied',
    'The database does not allow this to the role that the studio is connected as.',
  ),
  '44000': means('check_violation', 'The row would not be in the view that it is written to.'),
  '53': means(
    'database_unavailable',
    'The database has run out of disk, memory or another resource.',
  ),
  '53300': means('database_busy', 'The database takes no more connections.'),
  '54': means('invalid_value', 'A value or the statement is larger than PostgreSQL takes.'),
  '55000': (error) =>
    raisedByReads.has(error) && !isOfStatement(error) ? relationUnreadable(error) : undefined,
  '55P03': means('database_busy', 'Another transaction held a lock for too long.'),
  '57014': means('statement_timeout', 'The database ended the statement.'),
  '57P01': unavailable,
  '57P02': unavailable,
  '57P03': unavailable,
  '57P04': means('database_unavailable', 'The database was dropped.'),
  '57P05': means('database_unavailable', 'The database ended a session that was idle.'),
  '25P03': means('database_unavailable', 'The database ended a transaction that was idle.'),
  '58': relationUnreadable,
  HV: relationUnreadable,
  XX001: relationUnreadable,
  XX002: relationUnreadable,
  P0001: (error) => new StudioError('check_violation', `The database refuses it: ${error.message}`),
};

function keyTaken(error: ServerError): StudioError {
  const columns = keyColumns(error.detail);
  if (error.table === undefined || (columns.length === 0 && error.constraint === undefined))
    return unnamed('unique_violation', error);
  const what = columns.length === 0 ? `values for key "${error.constraint}"` : columns.join(', ');
  return new StudioError(
    'unique_violation',
    `Table "${error.table}" has a row with the same ${what} already.`,
    {
      ...constraintDetails(error),
      ...(columns.length === 0 ? {} : { columns }),
    },
  );
}

/** The names in `Key (a, b)=(1, 2) …`, whatever the language around them; none for expressions. */
function keyColumns(detail: string | undefined): readonly string[] {
  const names = detail?.match(/\(((?:[^()"]|"(?:[^"]|"")*")*)\)=\(/)?.[1];
  const parts = names?.match(/"(?:[^"]|"")*"|[^,\s][^,]*/g) ?? [];
  return parts.map((part) =>
    part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part,
  );
}

function foreignKeyBroken(error: ServerError): StudioError {
  if (error.constraint === undefined || error.table === undefined)
    return unnamed('foreign_key_violation', error);
  const message = `Foreign key "${error.constraint}" of table "${error.table}" would point nowhere.`;
  return new StudioError('foreign_key_violation', message, constraintDetails(error));
}

function columnMissing(error: ServerError): StudioError {
  return inColumn('not_null_violation', error, 'must have a value');
}

function inColumn(code: ErrorCode, { table, column }: ServerError, what: string): StudioError {
  const where = table === undefined ? '' : ` of table "${table}"`;
  const which = column === undefined ? 'A column' : `Column "${column}"`;
  return new StudioError(code, `${which}${where} ${what}.`, named({ table, column }));
}

function broken(code: ErrorCode, what: string, error: ServerError): StudioError {
  if (error.constraint === undefined) return unnamed(code, error);
  const where = error.table === undefined ? '' : ` of table "${error.table}"`;
  return new StudioError(
    code,
    `${what} "${error.constraint}"${where} refuses the row.`,
    constraintDetails(error),
  );
}

/** Partitions have no named constraint, and what a function raises names what it likes: the server's words say it. */
function unnamed(code: ErrorCode, error: ServerError): StudioError {
  return new StudioError(
    code,
    `The database refuses the row: ${error.message}.`,
    constraintDetails(error),
  );
}

function constraintDetails({ constraint, table }: ServerError): ErrorDetails {
  return named({ constraint, table });
}

function named(details: Readonly<Record<string, string | undefined>>): ErrorDetails {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
