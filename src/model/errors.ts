import { endOfText, startOfText } from './values/cut-text.ts';

/**
 * An error that is reported to clients. The code determines the HTTP status and the exit code
 * (`errorDefinitions`), the message is one clear sentence, and details are extra members of the error body.
 */
export class StudioError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(shortenMessage(message));
    this.name = 'StudioError';
    this.code = code;
    this.details = details;
  }
}

/** The same error with another message or other details. */
export function copyError(
  { code, message, details, cause }: StudioError,
  changes: { readonly message?: string; readonly details?: ErrorDetails },
): StudioError {
  const copy = new StudioError(code, changes.message ?? message, changes.details ?? details);
  return Object.assign(copy, { cause });
}

const maxMessageLength = 2000;

/** Errors quote names and values of files, which may be megabytes long. The middle is left out. */
export function shortenMessage(text: string): string {
  if (text.length <= maxMessageLength) return text;
  const half = maxMessageLength / 2;
  const [start, end] = [startOfText(text, half), endOfText(text, half)];
  const omittedCharacters = text.length - start.length - end.length;
  return `${start} … (${omittedCharacters} more characters) … ${end}`;
}

export type ErrorDetails = Readonly<Record<string, unknown>>;

export interface ErrorDefinition {
  /** HTTP status. */
  readonly status: number;
  /** When the code is used: for docs/errors.md. */
  readonly meaning: string;
}

/** All error codes. */
export const errorDefinitions = {
  invalid_parameter: { status: 400, meaning: 'A parameter is missing, malformed or unknown.' },
  invalid_body: { status: 400, meaning: 'The request body is not what the route expects.' },
  invalid_id: {
    status: 400,
    meaning: 'The id has the wrong number of parts, or a part that its column cannot store.',
  },
  unknown_column: {
    status: 400,
    meaning: 'The table has no such column; `nearest` is the closest name.',
  },
  unauthorized: { status: 401, meaning: 'The request has no credentials, or they are wrong.' },
  read_only: { status: 403, meaning: 'The studio or the database is read-only.' },
  sql_disabled: { status: 403, meaning: 'The raw SQL endpoint is disabled.' },
  ddl_disabled: {
    status: 403,
    meaning: 'The statement changes structure and the studio was not started with --allow-ddl.',
  },
  statement_refused: {
    status: 403,
    meaning: 'The statement is one that the studio never runs (files, network, administration).',
  },
  not_writable: { status: 403, meaning: 'Views and generated columns cannot be written.' },
  permission_denied: {
    status: 403,
    meaning: 'The role that the studio is connected as lacks a privilege.',
  },
  forbidden_host: {
    status: 403,
    meaning: 'The Host header names a host that the studio does not serve.',
  },
  forbidden_origin: { status: 403, meaning: 'The request comes from a page of another origin.' },
  unsupported: {
    status: 403,
    meaning:
      'The studio cannot do this with a database of this kind; `capability` is the member of `capabilities` in the schema response that says so.',
  },
  not_found: { status: 404, meaning: 'There is no such route, page or download.' },
  table_not_found: {
    status: 404,
    meaning: 'There is no such table or view; `nearest` is the closest name.',
  },
  row_not_found: { status: 404, meaning: 'There is no such row, or it is soft-deleted.' },
  relation_not_found: {
    status: 404,
    meaning: 'The table has no such relation; `nearest` is the closest name.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The route does not support this method; `Allow` lists the methods that it supports.',
  },
  unique_violation: { status: 409, meaning: 'Another row has the same value in a unique key.' },
  foreign_key_violation: {
    status: 409,
    meaning: 'A foreign key would reference a row that does not exist.',
  },
  table_exists: { status: 409, meaning: 'A table with this name already exists.' },
  no_row_identity: {
    status: 409,
    meaning: 'No id identifies a single row of this table.',
  },
  table_unreadable: {
    status: 409,
    meaning:
      'The database cannot read this table or view, for example because it is not populated or damaged, or because its remote server is not available. Other tables may be readable.',
  },
  write_suppressed: {
    status: 409,
    meaning: 'A trigger or rule of the database prevented the write.',
  },
  write_conflict: {
    status: 409,
    meaning:
      'The transaction conflicted with another one (deadlock, serialization failure); nothing was written.',
  },
  structure_changed: {
    status: 409,
    meaning:
      'Another client has changed the key or the soft-delete column of the table since a response last showed the table, so an id could identify another row; nothing was written. Load the rows again: the next request uses the new structure.',
  },
  cascades_changed: {
    status: 409,
    meaning:
      'Foreign keys would now delete or change other rows than `expected_cascades` lists; nothing was written. `cascades` lists them as they are now.',
  },
  outcome_unknown: {
    status: 409,
    meaning:
      'The request repeats an `Idempotency-Key` whose outcome the studio does not know: it, or the copy of it that received the first request, ended meanwhile, the first request is too old, or its response was dropped because the studio has no state folder and no memory for it. It may have been carried out.',
  },
  row_changed: { status: 412, meaning: 'The row has changed since the version in `If-Match`.' },
  too_large: { status: 413, meaning: 'The body, file or its expanded content exceeds the limit.' },
  unsupported_media_type: {
    status: 415,
    meaning: 'The route does not support the media type of the body.',
  },
  not_null_violation: { status: 422, meaning: 'A column that must have a value would be NULL.' },
  check_violation: { status: 422, meaning: 'The row violates a check constraint.' },
  invalid_value: { status: 422, meaning: 'The value is invalid for its column.' },
  database_error: {
    status: 422,
    meaning:
      "The database rejected the statement for another reason, such as a broken view or a failing trigger. The message is the database's.",
  },
  import_failed: {
    status: 422,
    meaning:
      'The file cannot be imported; `errors` lists the reasons, positions and rejected values, the first hundred. `error_count` is the number of all, `error_rows` that of their rows, `error_counts` by column. Nothing was written.',
  },
  parse_failed: {
    status: 422,
    meaning: 'The text cannot be parsed; `line` and `column` have the position.',
  },
  too_many_requests: {
    status: 429,
    meaning: 'Too many attempts; `Retry-After` says when to try again.',
  },
  internal: {
    status: 500,
    meaning: 'A defect of the studio; the log line with this `id` has the details.',
  },
  database_unavailable: {
    status: 503,
    meaning: 'The database cannot be reached or opened, or the studio is shutting down.',
  },
  database_busy: {
    status: 503,
    meaning:
      'A lock or a connection of the database was not available in time, or another import is creating the same table.',
  },
  state_unavailable: {
    status: 503,
    meaning:
      'The state folder of the studio cannot be read or written, so that something saved there, a session, or the outcome of a request with an `Idempotency-Key` is not available. Or there is no folder, and no memory for another outcome.',
  },
  statement_timeout: {
    status: 504,
    meaning:
      'The statement exceeded its time limit, or another session canceled it in the database.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorDefinitions;

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorDefinitions, code);
}

/** The outcome of a write, as messages state it. */
export const nothingWritten = 'nothing was written';

/**
 * What a request that failed has written, as far as its code does not say it. It is the detail `outcome` of its error,
 * so that it survives processes and copies of the error, and is not sent to clients.
 */
export type WriteOutcome = 'nothing_written' | 'written' | 'unknown';

export function writeOutcomeOf({ details }: StudioError): WriteOutcome | undefined {
  return details['outcome'] as WriteOutcome | undefined;
}

/** For the studio itself only: `withStatedOutcome` says it to clients too. */
export function withOutcomeDetail(error: StudioError, outcome: WriteOutcome): StudioError {
  return copyError(error, { details: { ...error.details, outcome } });
}

/** The database rolls back what it reports so. */
const conflicts: ReadonlySet<ErrorCode> = new Set(['database_busy', 'write_conflict']);
/** What these have written depends on when they happen. */
const interruptions: ReadonlySet<ErrorCode> = new Set([
  'database_unavailable',
  'statement_timeout',
]);

/** Whether the error alone does not say what was written: the connection or the statement ended. */
export function isInterruption(error: unknown): error is StudioError {
  return error instanceof StudioError && interruptions.has(error.code);
}

/** Whether the statement was ended because it took too long. */
export function isTimeout(error: unknown): error is StudioError {
  return error instanceof StudioError && error.code === 'statement_timeout';
}

/** Whether a write has certainly changed nothing, and may succeed when it is repeated. */
export function canBeRepeated(error: unknown): boolean {
  if (!(error instanceof StudioError)) return false;
  const { code } = error;
  const outcome = writeOutcomeOf(error);
  // The queue of imports was full.
  if (code === 'too_many_requests') return true;
  if (conflicts.has(code)) return outcome === undefined || outcome === 'nothing_written';
  return interruptions.has(code) && outcome === 'nothing_written';
}

/** Whether nobody knows what a write that failed has written. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof StudioError) || error.code === 'internal') return true;
  const outcome = writeOutcomeOf(error);
  return outcome === 'unknown' || (outcome === undefined && interruptions.has(error.code));
}
