import { isErrorOfRead, adaptToRead } from '../../errors-of-reads.ts';
import { nodeFailure } from './node-errors.ts';
import { StudioError } from '../../../model/errors.ts';
import type { ErrorCode, ErrorDetails } from '../../../model/errors.ts';

/** The fields of a server error. Messages are localized, so only codes and names are evaluated. */
export interface ServerError {
  /** SQLSTATE. */
  readonly code: string;
  readonly message: string;
  readonly detail?: string | undefined;
  readonly schema?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly constraint?: string | undefined;
  /** The domain whose constraint is violated. */
  readonly dataType?: string | undefined;
  /** Where in the text of the statement the error is, in characters from 1. */
  readonly position?: string | undefined;
  /** The context of the error, innermost first. */
  readonly where?: string | undefined;
  /** The function in the server's source code that raised the error. */
  readonly routine?: string | undefined;
}

export function serverError(error: unknown): ServerError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? (error as Error & ServerError)
    : undefined;
}

/**
 * Whether a server has rejected a login. One that starts, shuts down or is not yet consistent says so
 * by an error of class 57.
 */
export function hasRejectedLogin(error: unknown): boolean {
  const found = serverError(error);
  return found !== undefined && !found.code.startsWith('57');
}

/** The message for clients. Undefined for an error about another node, since it may have the node's address. */
export function messageOf(error: unknown): string | undefined {
  const found = serverError(error);
  return found === undefined || nodeFailure(found) !== undefined ? undefined : found.message;
}

const structureCodes: ReadonlySet<string> = new Set([
  '42P01', // undefined_table
  '42703', // undefined_column
  '3F000', // invalid_schema_name
  '42704', // undefined_object: a type
  '42883', // undefined_function: an operator, since a type has changed
  '42804', // datatype_mismatch
  '42846', // cannot_coerce: a cast, since a type has changed
  '42809', // wrong_object_type
]);

/** active_sql_transaction: for example of CREATE INDEX CONCURRENTLY. */
export function isTransactionForbidden(error: unknown): boolean {
  return serverError(error)?.code === '25001';
}

/** Whether an error says that the structure differs from what the statement expects. */
export function isStructureError(error: unknown): boolean {
  const found = serverError(error);
  return found !== undefined && (structureCodes.has(found.code) || isStalePlan(found));
}

/**
 * A prepared statement is outdated after a change of its table ("cached plan must not change result
 * type"), or no longer exists in the session.
 */
export function isStalePlan(error: unknown): boolean {
  const found = serverError(error);
  if (hasLostStatement(error)) return true;
  return found?.code === '0A000' && found.routine === 'RevalidateCachedQuery';
}

/** A function has deallocated a prepared statement of the session, or replaced it by another. */
export function hasLostStatement(error: unknown): boolean {
  const code = serverError(error)?.code;
  // 08P01: the replacement has other parameters.
  return code === '26000' || code === '42P05' || code === '08P01';
}

/** A function has closed a portal that was bound before it ran. */
export function isPortalClosed(error: unknown): boolean {
  const found = serverError(error);
  return found?.code === '34000' && found.routine === 'exec_execute_message';
}

/** Errors that did not end the session. */
const sessionAlive = new WeakSet<object>();

/** A statement can raise the same codes with which the server ends a session. */
export function markSessionAlive(error: object): void {
  sessionAlive.add(error);
}

/** Classes and codes with which the server ends a session. */
const sessionEndCodes = /^(?:08|28|3D|57P|25P03)/;

/** Errors of raw SQL. */
const raisedByRawSql = new WeakSet<object>();

export function markRawSql(error: object): void {
  raisedByRawSql.add(error);
}

/** Translates an error; undefined for invalid SQL and for defects. */
export function translateError(error: unknown): StudioError | undefined {
  if (error instanceof StudioError) return error;
  const found = serverError(error);
  if (found === undefined) return undefined;
  const failure = nodeFailure(found);
  if (failure !== undefined) return failure;
  if (sessionAlive.has(found) && sessionEndCodes.test(found.code) && !isForeignRead(found))
    return undefined;
  const read = translations[found.code] ?? translations[found.code.slice(0, 2)];
  return adaptToRead(found, withParameter(found, read?.(found)));
}

/** The context of an error about a parameter, in any language: `unnamed portal parameter $2 = '…'`. */
const parameterContext = /^[^\n$'"]*\$(\d+)(?: = |$)/m;

/** Adds the number of the parameter whose value the type of its column does not accept. */
function withParameter(
  { where = '' }: ServerError,
  error: StudioError | undefined,
): StudioError | undefined {
  const number = parameterContext.exec(where)?.[1];
  if (number === undefined || error?.code !== 'invalid_value') return error;
  const details = { ...error.details, parameter_number: Number(number) };
  return new StudioError(error.code, error.message, details);
}

/** Whether the lost connection is that of a foreign table. */
function isForeignRead(error: ServerError): boolean {
  return error.code.startsWith('08') && isErrorOfRead(error);
}

/** Whether the error is about raw SQL itself (`currval` before `nextval`), not a relation (an unpopulated materialized view). */
function isOfStatement(error: ServerError): boolean {
  return raisedByRawSql.has(error) && error.routine !== 'ExecOpenScanRelation';
}

type Translate = (error: ServerError) => StudioError | undefined;

const always =
  (code: ErrorCode, message: string): Translate =>
  () =>
    new StudioError(code, message);

const unavailable = always('database_unavailable', 'The database is shutting down or starting up.');
const ended = always(
  'database_unavailable',
  'The database has ended the connection, as it does for an administrator or when it shuts down.',
);

/** https://www.postgresql.org/docs/current/hot-standby.html#HOT-STANDBY-CONFLICT */
const canceledRead = (): StudioError =>
  new StudioError(
    'database_busy',
    'The database canceled the read because of another transaction or, on a standby, because of changes from the primary; repeat it.',
  );

/** The message names the relation, or the foreign server that it reads from. */
const relationUnreadable: Translate = ({ message }) =>
  new StudioError('table_unreadable', `The database cannot read this: ${message}.`);

/**
 * Not by the studio, whose own limits have their own error. The server says by whom in its own language:
 * https://github.com/postgres/postgres/blob/REL_17_STABLE/src/backend/tcop/postgres.c, ProcessInterrupts
 */
const canceledStatement: Translate = ({ message }) => {
  if (message.endsWith('user request'))
    return new StudioError(
      'statement_timeout',
      'Another session has canceled the statement in the database (pg_cancel_backend).',
    );
  if (message.endsWith('statement timeout'))
    return new StudioError(
      'statement_timeout',
      'The statement exceeded the time limit of the database (statement_timeout).',
    );
  return new StudioError('statement_timeout', `The database canceled the statement: ${message}.`);
};

const notOfType = "A value does not have its column's type.";

/** By SQLSTATE, or by its class. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const translations: Readonly<Record<string, Translate>> = {
  // In a read, the lost connection is that of a foreign table.
  '08': (error) =>
    isForeignRead(error)
      ? relationUnreadable(error)
      : new StudioError('database_unavailable', 'The connection to the database was lost.'),
  // protocol_violation, such as a wrong number of parameters: invalid SQL, not a lost connection.
  '08P01': () => undefined,
  '0A000': ({ message }) =>
    new StudioError(
      'not_writable',
      // https://docs.citusdata.com/en/stable/admin_guide/table_management.html#limitations
      message.includes('ColumnarScan')
        ? 'Rows of columnar tables cannot be changed or deleted.'
        : `The database does not support this: ${message}.`,
    ),
  '22': always('invalid_value', 'A value is invalid for its column or for the operation.'),
  '22001': always('invalid_value', 'A text is too long for its column.'),
  '22003': always('invalid_value', 'A number is outside the range of its column.'),
  '22004': ({ message }) =>
    new StudioError('invalid_value', `The database requires a value: ${message}.`),
  '22007': always('invalid_value', 'A value is not a valid date or time.'),
  '22008': always('invalid_value', 'A date or time is outside the range of its column.'),
  '2200H': ({ message }) =>
    new StudioError('invalid_value', `A sequence has no further number: ${message}.`),
  '22012': always('invalid_value', 'Division by zero.'),
  '22021': always(
    'invalid_value',
    "A text contains a character that the database's encoding does not have.",
  ),
  '22P02': always('invalid_value', notOfType),
  '22P05': always(
    'invalid_value',
    "A text contains a character that the database's encoding does not have.",
  ),
  '23': (error) => constraintViolation('check_violation', 'Constraint', error),
  '23001': foreignKeyViolation,
  '23502': notNullViolation,
  '23503': foreignKeyViolation,
  '23505': uniqueViolation,
  '23514': (error) => constraintViolation('check_violation', 'Check', error),
  '23P01': (error) => constraintViolation('unique_violation', 'Exclusion constraint', error),
  '25006': always('read_only', 'The database is read-only for this session.'),
  '28': always(
    'database_unavailable',
    'The database rejected the login: check the user, the password and the authentication method.',
  ),
  '3D000': always('database_unavailable', 'The server has no database of that name.'),
  '40001': (error) =>
    isErrorOfRead(error)
      ? canceledRead()
      : new StudioError(
          'write_conflict',
          'Another transaction wrote at the same time; nothing was written.',
        ),
  '40P01': always(
    'write_conflict',
    'Another transaction and this one were in a deadlock; nothing was written.',
  ),
  '428C9': (error) => inColumn('invalid_value', error, 'is generated and cannot be assigned'),
  // Types of some extensions raise this for invalid values; from the parser it means invalid SQL.
  '42601': ({ routine }) =>
    routine === 'scanner_yyerror' ? undefined : new StudioError('invalid_value', notOfType),
  '42501': always(
    'permission_denied',
    'The role that the studio is connected as lacks the privilege.',
  ),
  '44000': always(
    'check_violation',
    'The row would not be visible in the view that it is written to.',
  ),
  '53': always(
    'database_unavailable',
    'The database has run out of disk, memory or another resource.',
  ),
  '53300': always('database_busy', 'The database has reached its maximum number of connections.'),
  '54': always('invalid_value', 'A value or the statement exceeds a limit of PostgreSQL.'),
  '55000': (error) =>
    isErrorOfRead(error) && !isOfStatement(error) ? relationUnreadable(error) : undefined,
  '55P03': always('database_busy', 'Another transaction held a lock for too long.'),
  '57014': canceledStatement,
  '57P01': ended,
  '57P02': unavailable,
  '57P03': unavailable,
  '57P04': always('database_unavailable', 'The database was dropped.'),
  '57P05': always('database_unavailable', 'The database ended a session that was idle.'),
  '25P03': always('database_unavailable', 'The database ended a transaction that was idle.'),
  '58': relationUnreadable,
  HV: relationUnreadable,
  // The server does not translate these messages.
  XX000: ({ message }) =>
    /^tuple concurrently (?:updated|deleted)$/.test(message) ? structureConflict() : undefined,
  XX001: relationUnreadable,
  XX002: relationUnreadable,
  P0001: (error) =>
    new StudioError('check_violation', `The database rejected the row: ${error.message}`),
};

/** Two transactions have created or changed the same object of the catalog. */
function structureConflict(): StudioError {
  return new StudioError(
    'write_conflict',
    'Another transaction changed the structure at the same time; nothing was written.',
  );
}

function uniqueViolation(error: ServerError): StudioError {
  if (error.schema === 'pg_catalog') return structureConflict();
  const columns = keyColumns(error.detail);
  if (error.table === undefined || (columns.length === 0 && error.constraint === undefined))
    return unnamedViolation('unique_violation', error, columns);
  const subject =
    columns.length === 0 ? `values for key "${error.constraint}"` : columns.join(', ');
  return new StudioError(
    'unique_violation',
    `Table "${error.table}" already has a row with the same ${subject}.`,
    {
      ...constraintDetails(error),
      ...(columns.length === 0 ? {} : { columns }),
    },
  );
}

/** The column names in `Key (a, b)=(1, 2) …`, independent of the language; none for expressions. */
function keyColumns(detail: string | undefined): readonly string[] {
  const names = detail?.match(/\(((?:[^()"]|"(?:[^"]|"")*")*)\)=\(/)?.[1];
  const parts = names?.match(/"(?:[^"]|"")*"|[^,\s][^,]*/g) ?? [];
  return parts.map((part) =>
    part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part,
  );
}

function foreignKeyViolation(error: ServerError): StudioError {
  if (error.constraint === undefined || error.table === undefined)
    return unnamedViolation('foreign_key_violation', error);
  const message = `Foreign key "${error.constraint}" of table "${error.table}" would reference a row that does not exist.`;
  return new StudioError('foreign_key_violation', message, constraintDetails(error));
}

function notNullViolation(error: ServerError): StudioError {
  return inColumn('not_null_violation', error, 'must have a value');
}

function inColumn(code: ErrorCode, { table, column }: ServerError, subject: string): StudioError {
  const where = table === undefined ? '' : ` of table "${table}"`;
  const columnText = column === undefined ? 'A column' : `Column "${column}"`;
  return new StudioError(
    code,
    `${columnText}${where} ${subject}.`,
    definedDetails({ table, column }),
  );
}

function constraintViolation(code: ErrorCode, subject: string, error: ServerError): StudioError {
  if (error.constraint === undefined) return unnamedViolation(code, error);
  const where = error.table === undefined ? '' : ` of table "${error.table}"`;
  return new StudioError(
    code,
    `The row violates ${subject} "${error.constraint}"${where}.`,
    constraintDetails(error),
  );
}

/** For errors without a constraint name, such as those of partitions and functions. */
function unnamedViolation(
  code: ErrorCode,
  error: ServerError,
  columns: readonly string[] = [],
): StudioError {
  return new StudioError(code, `The database rejected the row: ${error.message}.`, {
    ...constraintDetails(error),
    ...(columns.length === 0 ? {} : { columns }),
  });
}

function constraintDetails({ constraint, table, dataType }: ServerError): ErrorDetails {
  return definedDetails({ constraint, table, data_type: dataType });
}

function definedDetails(details: Readonly<Record<string, string | undefined>>): ErrorDetails {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
