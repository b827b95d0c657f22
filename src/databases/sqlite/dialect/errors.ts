import { StudioError } from '../../../model/errors.ts';
import type { ErrorCode, ErrorDetails, WriteOutcome } from '../../../model/errors.ts';

/** SQLite's extended result code: `SQLITE_CONSTRAINT_UNIQUE`. */
function sqliteCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}

/** Whether an error message that a table or column does not exist. */
export function isStructureError(error: unknown): boolean {
  const code = sqliteCode(error);
  if (code === 'SQLITE_SCHEMA') return true;
  return (
    code === 'SQLITE_ERROR' &&
    /^no such (?:table|column|view)|has no column named/.test(textOf(error))
  );
}

export function isForeignKeyError(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY';
}

/** SQLite's error message; undefined if the error is not SQLite's. */
export function messageOf(error: unknown): string | undefined {
  return sqliteCode(error) === undefined ? undefined : textOf(error);
}

/** Translates an error of the driver; undefined for invalid SQL and for defects. */
export function translateError(error: unknown): StudioError | undefined {
  if (error instanceof StudioError) return error;
  return (
    readFileError(error, 'the database file') ??
    readConstraintError(error) ??
    readSizeError(error) ??
    readBindingError(error)
  );
}

interface FileErrorMeaning {
  readonly code: ErrorCode;
  readonly message: (file: string) => string;
  readonly outcome?: WriteOutcome;
}

const unavailable = (message: (file: string) => string): FileErrorMeaning => ({
  code: 'database_unavailable',
  message,
});
const busy: FileErrorMeaning = {
  code: 'database_busy',
  message: (file) => `Another process holds a lock on ${file}.`,
};
const readOnly: FileErrorMeaning = {
  code: 'read_only',
  message: (file) => `${capitalize(file)} is open read-only.`,
};

/** By result code. An extended code without an entry uses that of its primary code. */
const fileErrors: ReadonlyMap<string, FileErrorMeaning> = new Map<string, FileErrorMeaning>([
  ['SQLITE_BUSY', busy],
  ['SQLITE_LOCKED', busy],
  [
    'SQLITE_BUSY_SNAPSHOT',
    {
      code: 'write_conflict',
      message: (file) => `Another process wrote to ${file} in between; nothing was written.`,
    },
  ],
  ['SQLITE_READONLY', readOnly],
  [
    'SQLITE_READONLY_ROLLBACK',
    unavailable(
      (file) =>
        `A crash left an unfinished transaction in ${file}; open it once for writing to roll it back.`,
    ),
  ],
  [
    'SQLITE_READONLY_RECOVERY',
    unavailable(
      (file) => `The write-ahead log of ${file} needs recovery; open it once for writing.`,
    ),
  ],
  [
    'SQLITE_READONLY_CANTINIT',
    unavailable(
      (file) =>
        `The write-ahead log of ${file} cannot be read without permission to write in its folder.`,
    ),
  ],
  [
    'SQLITE_READONLY_CANTLOCK',
    unavailable(
      (file) => `${capitalize(file)} cannot be locked without permission to write in its folder.`,
    ),
  ],
  [
    'SQLITE_READONLY_DIRECTORY',
    unavailable(
      (file) =>
        `${capitalize(file)} is in WAL mode, which needs permission to write in its folder, even to read.`,
    ),
  ],
  [
    'SQLITE_READONLY_DBMOVED',
    unavailable((file) => `${capitalize(file)} was moved or removed while it was open.`),
  ],
  [
    'SQLITE_NOTADB',
    unavailable((file) => `${capitalize(file)} is not a SQLite database, or it is encrypted.`),
  ],
  [
    'SQLITE_CORRUPT',
    {
      code: 'table_unreadable',
      message: (file) => `${capitalize(file)} is damaged; SQLite cannot read this part of it.`,
    },
  ],
  [
    'SQLITE_CANTOPEN',
    unavailable((file) => `${capitalize(file)} or its journal cannot be opened.`),
  ],
  [
    'SQLITE_FULL',
    {
      code: 'database_unavailable',
      message: (file) => `The disk that ${file} is on is full; nothing was written.`,
      outcome: 'nothing_written',
    },
  ],
  ['SQLITE_IOERR', unavailable((file) => `Reading or writing ${file} failed on the disk.`)],
  [
    'SQLITE_PROTOCOL',
    unavailable((file) => `File locks do not work on the file system of ${file}.`),
  ],
]);

/** Translates an error about the file itself (locks, permissions, corruption); `file` is its label. */
export function readFileError(error: unknown, file: string): StudioError | undefined {
  const code = sqliteCode(error);
  if (code === undefined) return undefined;
  const meaning = unreadableStructure(error) ?? meaningOf(code);
  if (meaning === undefined) return undefined;
  const { outcome } = meaning;
  return new StudioError(
    meaning.code,
    meaning.message(file),
    outcome === undefined ? {} : { outcome },
  );
}

/** A statement in the structure that this version does not know: a newer one, or libSQL, has written it. */
function unreadableStructure(error: unknown): FileErrorMeaning | undefined {
  const [, object, reason] =
    /^malformed database schema \((.*)\) - (.+)/s.exec(textOf(error)) ?? [];
  if (reason === undefined) return undefined;
  return unavailable(
    (file) =>
      `SQLite cannot read the structure of ${file}: the statement of "${object}" has an error, ${reason}.`,
  );
}

/** Corruption found while opening the file or reading its structure affects the database, not one table. */
export function readWholeFile<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'table_unreadable') throw error;
    throw new StudioError('database_unavailable', error.message);
  }
}

function meaningOf(code: string): FileErrorMeaning | undefined {
  for (let prefix = code; prefix.includes('_'); prefix = prefix.slice(0, prefix.lastIndexOf('_'))) {
    const meaning = fileErrors.get(prefix);
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

type ReadMessage = (message: string) => StudioError;

const constraints: ReadonlyMap<string, ReadMessage> = new Map<string, ReadMessage>([
  ['SQLITE_CONSTRAINT_UNIQUE', unique],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', unique],
  ['SQLITE_CONSTRAINT_ROWID', unique],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', foreignKey],
  ['SQLITE_CONSTRAINT_NOTNULL', notNull],
  ['SQLITE_CONSTRAINT_CHECK', check],
  ['SQLITE_CONSTRAINT_DATATYPE', wrongStorageClass],
  ['SQLITE_CONSTRAINT_TRIGGER', trigger],
  [
    'SQLITE_MISMATCH',
    () =>
      new StudioError('invalid_value', 'An INTEGER PRIMARY KEY stores only 64-bit integers.', {
        of: 'primary_key',
      }),
  ],
  [
    'SQLITE_TOOBIG',
    () =>
      new StudioError('invalid_value', 'The text or BLOB exceeds the maximum length of SQLite.'),
  ],
  [
    'SQLITE_AUTH',
    (message) =>
      new StudioError(
        'statement_refused',
        `SQLite does not allow this statement here: ${message}.`,
      ),
  ],
]);

function readConstraintError(error: unknown): StudioError | undefined {
  const code = sqliteCode(error) ?? '';
  const read = constraints.get(code);
  if (read !== undefined) return read(textOf(error));
  if (!code.startsWith('SQLITE_CONSTRAINT')) return undefined;
  return new StudioError('check_violation', `A constraint rejected the row: ${textOf(error)}.`);
}

/** `UNIQUE constraint failed: t.a, t.b` or, for expressions, `… failed: index 'i'`. */
function unique(message: string): StudioError {
  const index = /index '(.*)'$/s.exec(message)?.[1];
  if (index !== undefined) {
    return new StudioError(
      'unique_violation',
      `Unique index "${index}" already contains these values.`,
      { constraint: index },
    );
  }
  const names = namesAfter(message, 'UNIQUE constraint failed: ');
  return new StudioError(
    'unique_violation',
    `Another row ${inTable(names)}has the same ${quotedList(names.columns)}.`,
    detailsOf(names),
  );
}

function foreignKey(): StudioError {
  return new StudioError(
    'foreign_key_violation',
    'A foreign key would reference a row that does not exist.',
  );
}

/** RAISE in a trigger. SQLite implements ON DELETE RESTRICT as an internal trigger. */
function trigger(message: string): StudioError {
  if (message === 'FOREIGN KEY constraint failed') return foreignKey();
  return new StudioError('check_violation', `A trigger rejected the row: ${asSentence(message)}`);
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function notNull(message: string): StudioError {
  const names = namesAfter(message, 'NOT NULL constraint failed: ');
  const [column] = names.columns;
  return new StudioError('not_null_violation', `Column "${column ?? '?'}" must have a value.`, {
    ...detailsOf(names),
    ...(column === undefined ? {} : { column }),
  });
}

/** The message has the name of the constraint, or its expression if it has no name. */
function check(message: string): StudioError {
  const constraint = message.replace(/^CHECK constraint failed: /, '');
  return new StudioError('check_violation', `The row violates the check "${constraint}".`, {
    constraint,
  });
}

/** STRICT tables: `cannot store TEXT value in INTEGER column t.c`. */
function wrongStorageClass(message: string): StudioError {
  const [, stored = '', declared = '', qualifiedName = ''] =
    /^cannot store (\w+) value in (\w+) column (.*)$/s.exec(message) ?? [];
  const names = readNames(qualifiedName);
  const column = names.columns[0] ?? '?';
  return new StudioError(
    'invalid_value',
    `Column "${column}" stores ${declared || 'another type'}, not ${stored || 'this value'}.`,
    {
      ...detailsOf(names),
      column,
    },
  );
}

interface Names {
  readonly table: string;
  readonly columns: readonly string[];
}

function namesAfter(message: string, prefix: string): Names {
  return readNames(message.startsWith(prefix) ? message.slice(prefix.length) : '');
}

/** Splits `t.a, t.b`. A dot in the name of the table is ambiguous. */
function readNames(text: string): Names {
  const table = text.slice(0, Math.max(0, text.indexOf('.')));
  const columns = text
    .split(`, ${table}.`)
    .map((name, i) => (i === 0 ? name.slice(table.length + 1) : name));
  return { table, columns: columns.filter((name) => name !== '') };
}

function detailsOf({ table, columns }: Names): ErrorDetails {
  return { ...(table === '' ? {} : { table }), ...(columns.length === 0 ? {} : { columns }) };
}

function inTable({ table }: Names): string {
  return table === '' ? '' : `of "${table}" `;
}

function quotedList(columns: readonly string[]): string {
  return columns.length === 0 ? 'key' : columns.map((name) => `"${name}"`).join(', ');
}

/** Statements grow with the request. Errors about SQLite's limits on them have no code of their own. */
function readSizeError(error: unknown): StudioError | undefined {
  const isTooBig = /^(?:Expression tree is too large|too many (?:terms|SQL variables))/.test(
    textOf(error),
  );
  if (sqliteCode(error) !== 'SQLITE_ERROR' || !isTooBig) return undefined;
  return new StudioError(
    'invalid_parameter',
    `The statement exceeds a limit of SQLite: ${textOf(error)}.`,
  );
}

/** Errors of the driver itself, which have no code. */
function readBindingError(error: unknown): StudioError | undefined {
  if (!(error instanceof RangeError) && !(error instanceof TypeError)) return undefined;
  const { message } = error;
  if (/^The bound .* is too big$/.test(message)) {
    return new StudioError(
      'invalid_value',
      'The value is too large: integers have 64 bits, texts and BLOBs at most 512 MiB.',
    );
  }
  if (/parameter values? were provided$|[Nn]amed parameter/.test(message)) {
    return new StudioError(
      'invalid_parameter',
      'The number of parameters in the statement and of given values differ.',
    );
  }
  if (message.startsWith('The supplied SQL string contains'))
    return new StudioError('invalid_parameter', 'The text must be exactly one statement.');
  if (/connection is busy executing a query/.test(message)) {
    return new StudioError(
      'database_busy',
      'A stream of rows is still being read on this connection.',
    );
  }
  return undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

function capitalize(text: string): string {
  return text.startsWith('the ') ? `T${text.slice(1)}` : text;
}
