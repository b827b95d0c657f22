/** Reads SQLite's DDL by having SQLite run it: in a database in memory that nothing else is in. */
import { codeOf } from '../../sql/code.ts';
import {
  DdlError,
  RejectedStatement,
  accept,
  acceptOne,
  expectEnd,
  isNext,
  openCursor,
  parseQualifiedName,
  wordAt,
} from '../../sql/ddl/cursor.ts';
import { dropTable, readScript } from '../../sql/ddl/read-script.ts';
import { introspect } from './catalog/introspect.ts';
import { sqliteLanguage } from './language/language.ts';
import { sqliteSettings } from './language/script-settings.ts';
import { sqliteSigns } from './language/signs.ts';
import { columnType } from './dialect/types.ts';
import type { Cursor } from '../../sql/ddl/cursor.ts';
import type { SchemaDraft } from '../../sql/ddl/draft.ts';
import type { DdlSettings } from '../../sql/ddl/follow-settings.ts';
import type { DdlOptions, DdlReader, DdlReadResult } from '../../sql/ddl/ddl-reader.ts';
import type { ScriptStatement } from '../../sql/ddl/read-script.ts';
import type { Connection } from './driver/driver.ts';

export const sqliteDdlReader: DdlReader = {
  read,
  readType: (text) => columnType(text),
  // Any words are a type here, with numbers in brackets at most.
  knowsType: (text) => /^[\w ]+(?:\(\s*[+-]?\d+(?:\s*,\s*[+-]?\d+)?\s*\))?$/.test(text),
  dialectHints: sqliteSigns,
};

async function read(text: string, options: DdlOptions): Promise<DdlReadResult> {
  // The driver is loaded where it is needed: other databases' imports do without.
  const { connect } = await import('./driver/driver.ts');
  const connection = connect({ path: ':memory:', readOnly: false });
  try {
    connection.execute('BEGIN');
    const take = (statement: ScriptStatement, draft: SchemaDraft): boolean | 'data' =>
      takeStatement({ statement, draft, connection });
    const reading = readScript(
      text,
      { language: sqliteLanguage, addToDraft: take, settings, rollsBackDdl: true },
      options,
    );
    return { ...reading, schema: { ...introspect(connection, ''), serverVersion: '' } };
  } finally {
    connection.close();
  }
}

/** What is kept in the file, or makes an expression mean another thing. */
const settings: DdlSettings = {
  settingsOf: sqliteSettings,
  affectsTables:
    /^PRAGMA (?:\S+ \. )?(?:AUTO_VACUUM|PAGE_SIZE|JOURNAL_MODE|CASE_SENSITIVE_LIKE|LEGACY_ALTER_TABLE|LEGACY_FILE_FORMAT|ENCODING(?! . UTF-8)) [=(]/i,
};

interface Reading {
  readonly statement: ScriptStatement;
  readonly draft: SchemaDraft;
  readonly connection: Connection;
}

function takeStatement(reading: Reading): boolean | 'data' {
  const { statement } = reading;
  const cursor = openCursor(statement, sqliteLanguage.lexical);
  const verb = acceptOne(cursor, ['CREATE', 'ALTER', 'DROP', 'PRAGMA']);
  switch (verb) {
    case 'CREATE':
      return create(reading, cursor);
    case 'ALTER':
      run(reading);
      warnOfConflicts(reading);
      return true;
    case 'DROP':
      return drop(reading, cursor);
    case 'PRAGMA':
      return passPragma(statement);
    default:
      // Vacuum and the like tend the file, of which nothing is left out.
      return statement.kind === 'administration';
  }
}

function create(reading: Reading, cursor: Cursor): boolean | 'data' {
  const { statement, draft } = reading;
  const isTemporaryWord = acceptOne(cursor, ['TEMP', 'TEMPORARY']) !== undefined;
  const unique = accept(cursor, 'UNIQUE');
  const kind = acceptOne(cursor, ['TABLE', 'INDEX', 'VIEW', 'VIRTUAL']);
  const isTemporary = isTemporaryWord || isInTemp(cursor);
  if (kind === undefined) {
    // What SQLite itself takes, a trigger, is left out with a warning.
    run(reading);
    return false;
  }
  if (kind === 'VIRTUAL' || (isTemporary && !unique)) {
    draft.warnings.push(`Line ${statement.line}: ${describe(kind, cursor)} is left out.`);
    return true;
  }
  if (kind === 'TABLE' && isMadeOfRows(cursor)) return 'data';
  run(reading);
  if (kind === 'TABLE') {
    warnOfConflicts(reading);
    warnOfKeyOrder(reading);
  }
  return true;
}

/** Constraints say what becomes of a row that breaks them; the studio makes constraints that refuse it. */
function warnOfConflicts({ statement: { code, line }, draft }: Reading): void {
  code.forEach(({ word }, i) => {
    if (word !== 'ON' || code[i + 1]?.word !== 'CONFLICT') return;
    const action = code[i + 2]?.word ?? '';
    if (action !== 'ABORT')
      draft.warnings.push(`Line ${line}: ON CONFLICT ${action} of a constraint is left out.`);
  });
}

/** `PRIMARY KEY (a DESC)` of a table; that of a column is made. */
function warnOfKeyOrder({ statement: { code, line }, draft }: Reading): void {
  const key = code.findIndex(
    ({ word }, i) => word === 'PRIMARY' && code[i + 1]?.word === 'KEY' && code[i + 2]?.word === '(',
  );
  if (key === -1) return;
  const end = code.findIndex(({ word }, i) => i > key && word === ')');
  if (code.slice(key, end).some(({ word }) => word === 'DESC'))
    draft.warnings.push(`Line ${line}: DESC in the primary key is left out.`);
}

/** `CREATE TABLE temp.t` */
function isInTemp(cursor: Cursor): boolean {
  const ahead = isNext(cursor, 'IF', 'NOT', 'EXISTS') ? 3 : 0;
  return wordAt(cursor, ahead) === 'TEMP' && wordAt(cursor, ahead + 1) === '.';
}

function describe(kind: string, cursor: Cursor): string {
  accept(cursor, 'TABLE');
  accept(cursor, 'IF', 'NOT', 'EXISTS');
  const what = kind === 'VIRTUAL' ? 'virtual table' : `temporary ${kind.toLowerCase()}`;
  return `the ${what} ${parseQualifiedName(cursor).join('.')}`;
}

/** `CREATE TABLE t AS SELECT …` */
function isMadeOfRows(cursor: Cursor): boolean {
  accept(cursor, 'IF', 'NOT', 'EXISTS');
  parseQualifiedName(cursor, 'a table');
  return wordAt(cursor) === 'AS';
}

/** Of the file's own tables it is followed. */
function drop(reading: Reading, cursor: Cursor): boolean {
  const { statement, draft, connection } = reading;
  const kind = acceptOne(cursor, ['TABLE', 'VIEW', 'INDEX', 'TRIGGER']);
  if (kind === undefined) run(reading);
  accept(cursor, 'IF', 'EXISTS');
  const localName = parseQualifiedName(cursor).at(-1) ?? '';
  expectEnd(cursor);
  const known = connection.statement('SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE');
  if (known.all([localName], false).length > 0) run(reading);
  else if (kind === 'TABLE' || kind === 'VIEW') dropTable(draft, { localName }, statement);
  return true;
}

/** Settings of a connection are passed over; one that opens the schema's own table to writing says what comes. */
function passPragma({ text, start }: ScriptStatement): boolean {
  if (/^PRAGMA\s+(?:\w+\.)?writable_schema\b/i.test(text))
    throw new RejectedStatement('Statements that write into the schema itself are refused.', start);
  return true;
}

// SQLite's own word on a statement

function run({ statement, connection }: Reading): void {
  try {
    connection.execute(statement.text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new DdlError(sentence(message), placeOf(message, statement, connection));
  }
}

function sentence(message: string): string {
  const near = /^near "(.*)": syntax error$/s.exec(message)?.[1];
  if (near !== undefined) return `"${near}" is not expected here.`;
  if (message === 'incomplete input') return 'The statement ends before it is complete.';
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/** SQLite tells what it stumbled over, not where: the first such token that a text up to it does not get past. */
function placeOf(
  message: string,
  { text, start }: ScriptStatement,
  connection: Connection,
): number {
  const near = /^near "(.*)": syntax error$/s.exec(message)?.[1];
  if (near === undefined) return message === 'incomplete input' ? start + text.length : start;
  const candidates = codeOf(text, sqliteLanguage.lexical).filter((token) =>
    text.slice(token.start).startsWith(near),
  );
  const place = candidates.find((token) =>
    stumbles(text.slice(0, token.start + near.length), connection),
  );
  return start + (place ?? candidates[0])!.start;
}

function stumbles(text: string, connection: Connection): boolean {
  try {
    connection.prepare(text);
    return false;
  } catch (error) {
    return error instanceof Error && /syntax error/.test(error.message);
  }
}
