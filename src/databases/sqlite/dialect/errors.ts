import { StudioError } from '../../../model/errors.ts';
import type { ErrorCode, ErrorDetails } from '../../../model/errors.ts';

/** SQLite's extended result code: `SQLITE_CONSTRAINT_UNIQUE`. */
function sqliteCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}

/** Whether an error says that a table or column is not (or no longer) there. */
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

/** SQLite's own words; undefined when the error is not SQLite's. */
export function messageOf(error: unknown): string | undefined {
  return sqliteCode(error) === undefined ? undefined : textOf(error);
}

/** What the driver's error means; undefined for SQL that is wrong and for defects. */
export function readError(error: unknown): StudioError | undefined {
  if (error instanceof StudioError) return error;
  return (
    readFileError(error, 'the database file') ??
    readConstraint(error) ??
    readSize(error) ??
    readBinding(error)
  );
}

interface Meaning {
  readonly code: ErrorCode;
  readonly says: (file: string) => string;
}

const unavailable = (says: (file: string) => string): Meaning => ({
  code: 'database_unavailable',
  says,
});
const busy: Meaning = {
  code: 'database_busy',
  says: (file) => `Another process holds a lock on ${file}.`,
};
const refused: Meaning = {
  code: 'read_only',
  says: (file) => `${capital(file)} is open for reading only.`,
};

/** The longest code that the error's begins with decides. */
const fileMeanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['SQLITE_BUSY', busy],
  ['SQLITE_LOCKED', busy],
  [
    'SQLITE_BUSY_SNAPSHOT',
    {
      code: 'write_conflict',
      says: (file) => `Another process wrote to ${file} in between; nothing was written.`,
    },
  ],
  ['SQLITE_READONLY', refused],
  [
    'SQLITE_READONLY_ROLLBACK',
    unavailable(
      (file) =>
        `A crash left an unfinished transaction in ${file}; open it once for writing to undo that.`,
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
      (file) => `The write-ahead log of ${file} cannot be read without leave to write beside it.`,
    ),
  ],
  [
    'SQLITE_READONLY_CANTLOCK',
    unavailable((file) => `${capital(file)} cannot be locked without leave to write beside it.`),
  ],
  [
    'SQLITE_READONLY_DIRECTORY',
    unavailable(
      (file) =>
        `${capital(file)} is in WAL mode, which takes leave to write in its folder, even to read.`,
    ),
  ],
  [
    'SQLITE_READONLY_DBMOVED',
    unavailable((file) => `${capital(file)} was moved or removed while it was open.`),
  ],
  [
    'SQLITE_NOTADB',
    unavailable((file) => `${capital(file)} is not a SQLite database, or it is encrypted.`),
  ],
  [
    'SQLITE_CORRUPT',
    {
      code: 'table_unreadable',
      says: (file) => `${capital(file)} is damaged; SQLite cannot read this part of it.`,
    },
  ],
  [
    'SQLITE_CANTOPEN',
    unavailable((file) => `${capital(file)}, or the journal beside it, cannot be opened.`),
  ],
  [
    'SQLITE_FULL',
    unavailable((file) => `The disk that ${file} is on is full; nothing was written.`),
  ],
  ['SQLITE_IOERR', unavailable((file) => `Reading or writing ${file} failed on the disk.`)],
  [
    'SQLITE_PROTOCOL',
    unavailable((file) => `The locks of ${file} do not work where it is stored.`),
  ],
]);

/** What an error says of the file itself, named as `file`: locks, rights, damage. */
export function readFileError(error: unknown, file: string): StudioError | undefined {
  const code = sqliteCode(error);
  const meaning = code === undefined ? undefined : meaningOf(code);
  return meaning && new StudioError(meaning.code, meaning.says(file));
}

/** Damage that keeps the file from being opened, or its structure from being read, is not about one table. */
export function readWholeFile<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'table_unreadable') throw error;
    throw new StudioError('database_unavailable', error.message);
  }
}

function meaningOf(code: string): Meaning | undefined {
  for (let known = code; known.includes('_'); known = known.slice(0, known.lastIndexOf('_'))) {
    const meaning = fileMeanings.get(known);
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
  ['SQLITE_CONSTRAINT_DATATYPE', wrongClass],
  ['SQLITE_CONSTRAINT_TRIGGER', trigger],
  [
    'SQLITE_MISMATCH',
    () =>
      new StudioError(
        'invalid_value',
        'An INTEGER PRIMARY KEY takes only whole numbers of 64 bits.',
        { of: 'primary_key' },
      ),
  ],
  [
    'SQLITE_TOOBIG',
    () => new StudioError('invalid_value', 'The text or blob is longer than SQLite takes.'),
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

function readConstraint(error: unknown): StudioError | undefined {
  const code = sqliteCode(error) ?? '';
  const read = constraints.get(code);
  if (read !== undefined) return read(textOf(error));
  if (!code.startsWith('SQLITE_CONSTRAINT')) return undefined;
  return new StudioError('check_violation', `A constraint refused it: ${textOf(error)}.`);
}

/** `UNIQUE constraint failed: t.a, t.b` or, for expressions, `… failed: index 'i'`. */
function unique(message: string): StudioError {
  const index = /index '(.*)'$/s.exec(message)?.[1];
  if (index !== undefined) {
    return new StudioError(
      'unique_violation',
      `Unique index "${index}" holds these values already.`,
      { constraint: index },
    );
  }
  const names = namesAfter(message, 'UNIQUE constraint failed: ');
  return new StudioError(
    'unique_violation',
    `Another row ${inTable(names)}has the same ${listed(names.columns)}.`,
    detailsOf(names),
  );
}

function foreignKey(): StudioError {
  return new StudioError(
    'foreign_key_violation',
    'A foreign key would point at a row that is not there.',
  );
}

/** RAISE in a trigger; ON DELETE RESTRICT is a trigger of SQLite's own. */
function trigger(message: string): StudioError {
  if (message === 'FOREIGN KEY constraint failed') return foreignKey();
  return new StudioError('check_violation', `A trigger refused it: ${asSentence(message)}`);
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

/** SQLite names the constraint, or tells its expression where it has no name. */
function check(message: string): StudioError {
  const constraint = message.replace(/^CHECK constraint failed: /, '');
  return new StudioError('check_violation', `The check "${constraint}" refuses the row.`, {
    constraint,
  });
}

/** STRICT tables: `cannot store TEXT value in INTEGER column t.c`. */
function wrongClass(message: string): StudioError {
  const [, stored = '', declared = '', place = ''] =
    /^cannot store (\w+) value in (\w+) column (.*)$/s.exec(message) ?? [];
  const names = readNames(place);
  const column = names.columns[0] ?? '?';
  return new StudioError(
    'invalid_value',
    `Column "${column}" takes ${declared || 'its own type'}, not ${stored || 'this value'}.`,
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

/** `t.a, t.b`; a table whose name holds a dot cannot be told apart. */
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

function listed(columns: readonly string[]): string {
  return columns.length === 0 ? 'key' : columns.map((name) => `"${name}"`).join(', ');
}

/** Statements made for a request grow with it; SQLite's limits on them have no code of their own. */
function readSize(error: unknown): StudioError | undefined {
  const isTooBig = /^(?:Expression tree is too large|too many (?:terms|SQL variables))/.test(
    textOf(error),
  );
  if (sqliteCode(error) !== 'SQLITE_ERROR' || !isTooBig) return undefined;
  return new StudioError(
    'invalid_parameter',
    `The statement is larger than SQLite takes: ${textOf(error)}.`,
  );
}

/** The driver's own refusals have no code. */
function readBinding(error: unknown): StudioError | undefined {
  if (!(error instanceof RangeError) && !(error instanceof TypeError)) return undefined;
  const { message } = error;
  if (/^The bound .* is too big$/.test(message)) {
    return new StudioError(
      'invalid_value',
      'The value is too large: integers have 64 bits, texts and blobs a limit of 512 MiB.',
    );
  }
  if (/parameter values? were provided$|[Nn]amed parameter/.test(message)) {
    return new StudioError(
      'invalid_parameter',
      'The statement takes another number of parameters than it was given.',
    );
  }
  if (message.startsWith('The supplied SQL string contains'))
    return new StudioError('invalid_parameter', 'Exactly one statement is taken.');
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

function capital(text: string): string {
  return text.startsWith('the ') ? `T${text.slice(1)}` : text;
}
