/**
 * An error that is reported to clients. The code determines the HTTP status and the exit code
 * (`errorFacts`), the message is one clear sentence, and details are extra members of the error body.
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

const longestMessage = 2000;

/** Errors quote names and values of files, which may be megabytes long. The middle is left out. */
export function shortenMessage(text: string): string {
  if (text.length <= longestMessage) return text;
  const half = longestMessage / 2;
  const left = text.length - longestMessage;
  return `${text.slice(0, half)} … (${left} more characters) … ${text.slice(-half)}`;
}

export type ErrorDetails = Readonly<Record<string, unknown>>;

export interface ErrorFacts {
  /** HTTP status. */
  readonly status: number;
  /** When it is given: for docs/errors.md. */
  readonly meaning: string;
}

/** The one table of codes. */
export const errorFacts = {
  invalid_parameter: { status: 400, meaning: 'A parameter is missing, malformed or unknown.' },
  invalid_body: { status: 400, meaning: 'The request body is not what the route takes.' },
  invalid_id: {
    status: 400,
    meaning: 'The id has the wrong number of parts, or a part that its column cannot hold.',
  },
  unknown_column: {
    status: 400,
    meaning: 'The table has no such column; `nearest` is the closest name.',
  },
  unauthorized: { status: 401, meaning: 'Credentials are needed, or those given are wrong.' },
  read_only: { status: 403, meaning: 'The studio or the database takes no writes.' },
  sql_disabled: { status: 403, meaning: 'The raw SQL endpoint is switched off.' },
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
    meaning: 'The database refused it to the role that the studio is connected as.',
  },
  forbidden_host: {
    status: 403,
    meaning: 'The Host header is not one that the studio answers to.',
  },
  forbidden_origin: { status: 403, meaning: 'The request comes from a page of another origin.' },
  not_found: { status: 404, meaning: 'There is no such route.' },
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
    meaning: 'The route does not take this method; `Allow` names those it takes.',
  },
  unique_violation: { status: 409, meaning: 'A unique key holds this value already.' },
  foreign_key_violation: { status: 409, meaning: 'A foreign key would point nowhere.' },
  table_exists: { status: 409, meaning: 'A table of this name exists already.' },
  no_row_identity: {
    status: 409,
    meaning: 'No id identifies a single row of this table.',
  },
  table_unreadable: {
    status: 409,
    meaning:
      'The database cannot read this table or view (not populated, damaged, its server away); others may be readable.',
  },
  write_suppressed: {
    status: 409,
    meaning: 'A trigger or rule of the database kept the write from happening.',
  },
  write_conflict: {
    status: 409,
    meaning:
      'Another transaction was in the way (deadlock, serialization failure); nothing was written.',
  },
  structure_changed: {
    status: 409,
    meaning:
      'Another client has changed the key or the soft-delete column of the table since a response last showed the table, so that an id could mean another row; nothing was written. Load the rows again: the next request uses the new structure.',
  },
  row_changed: { status: 412, meaning: 'The row is not as `If-Match` says it was.' },
  too_large: { status: 413, meaning: 'The body, file or its expanded content is over the limit.' },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is of a kind that the route does not take.',
  },
  not_null_violation: { status: 422, meaning: 'A column that must have a value would get none.' },
  check_violation: { status: 422, meaning: 'A check constraint refuses the row.' },
  invalid_value: { status: 422, meaning: 'The value does not fit its column.' },
  database_error: {
    status: 422,
    meaning:
      'The database refused it for a reason of its own: a broken view, a failing trigger. The message is its.',
  },
  import_failed: {
    status: 422,
    meaning: 'The file cannot be taken; `errors` says why and where. Nothing was kept.',
  },
  parse_failed: { status: 422, meaning: 'The text cannot be read; line and column say where.' },
  too_many_requests: {
    status: 429,
    meaning: 'Too many attempts; `Retry-After` says when to try again.',
  },
  internal: {
    status: 500,
    meaning: 'A defect of the studio; the log line with this `id` says more.',
  },
  database_unavailable: { status: 503, meaning: 'The database cannot be reached or opened.' },
  database_busy: {
    status: 503,
    meaning: 'A lock of the database, or a connection to it, was not available in time.',
  },
  statement_timeout: {
    status: 504,
    meaning: 'The statement outlasted its time limit and was ended.',
  },
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof errorFacts;

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorFacts, code);
}
