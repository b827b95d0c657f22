/** Reads SQLite's DDL by running it in an empty in-memory database, and inspecting the result. */
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
import { programHead } from '../../sql/ddl/read-program.ts';
import { listTriggers } from './catalog/catalog.ts';
import { introspect } from './catalog/introspect.ts';
import { syntaxErrorOffset } from './driver/error-offset.ts';
import { sqliteLanguage } from './language/language.ts';
import { sqliteSettings } from './language/script-settings.ts';
import { sqliteDialectHints } from './language/dialect-hints.ts';
import { sqliteDdl } from './dialect/ddl.ts';
import { columnType } from './dialect/types.ts';
import type { Cursor } from '../../sql/ddl/cursor.ts';
import type { SchemaDraft } from '../../sql/ddl/draft.ts';
import type { DdlSettings } from '../../sql/ddl/track-settings.ts';
import type { DdlOptions, DdlReader, DdlReadResult } from '../../sql/ddl/ddl-reader.ts';
import type { ScriptProgram } from '../../model/stored-program.ts';
import type { ScriptStatement } from '../../sql/ddl/script-statement.ts';
import type { Connection } from './driver/driver.ts';

export const sqliteDdlReader: DdlReader = {
  read,
  readType: (text) => columnType(text),
  // Any words are a type in SQLite, optionally with numbers in parentheses.
  knowsType: (text) => /^[\w ]+(?:\(\s*[+-]?\d+(?:\s*,\s*[+-]?\d+)?\s*\))?$/.test(text),
  dialectHints: sqliteDialectHints,
};

async function read(text: string, options: DdlOptions): Promise<DdlReadResult> {
  // The driver is loaded here so that imports into other databases do not load it.
  const { connect } = await import('./driver/driver.ts');
  const connection = connect({ path: ':memory:', readOnly: false });
  const lines = new Map<string, number>();
  try {
    connection.execute('BEGIN');
    const addToDraft = (statement: ScriptStatement, draft: SchemaDraft): boolean | 'data' =>
      runInMemory({ statement, draft, connection });
    const reading = readScript(
      text,
      {
        language: sqliteLanguage,
        addToDraft,
        settings,
        readProgram: (statement) => {
          const head = programHead(statement, ['TRIGGER'], sqliteLanguage.lexical);
          const isTemporary = statement.code.some(
            ({ word }, i) => i < 2 && word.startsWith('TEMP'),
          );
          if (head === undefined || isTemporary) return false;
          lines.set(head.nameParts.at(-1)?.toLowerCase() ?? '', statement.line);
          return true;
        },
        rollsBackDdl: true,
      },
      options,
    );
    return {
      ...reading,
      programs:
        options.data === 'loaded' ? [...reading.programs, ...triggersOf(connection, lines)] : [],
      schema: { ...introspect(connection, ''), serverVersion: '' },
    };
  } finally {
    connection.close();
  }
}

/** As the script leaves them: ALTER TABLE renames tables and columns in triggers, and DROP TABLE drops triggers. */
function triggersOf(
  connection: Connection,
  lines: ReadonlyMap<string, number>,
): readonly ScriptProgram[] {
  return listTriggers(connection).map(({ kind, name, stage, script }) => ({
    kind,
    name,
    key: name,
    needs: [],
    line: lines.get(name.toLowerCase()) ?? 1,
    stage,
    text: script.join(''),
  }));
}

/** Settings that are stored in the file, or that change the meaning of expressions. */
const settings: DdlSettings = {
  settingsOf: sqliteSettings,
  affectsTables:
    /^PRAGMA (?:\S+ \. )?(?:AUTO_VACUUM|PAGE_SIZE|JOURNAL_MODE|CASE_SENSITIVE_LIKE|LEGACY_ALTER_TABLE|LEGACY_FILE_FORMAT|ENCODING(?! . UTF-8)) [=(]/i,
};

interface StatementContext {
  readonly statement: ScriptStatement;
  readonly draft: SchemaDraft;
  readonly connection: Connection;
}

/** Runs a statement of the structure. `data` if it changes rows instead, false if it is of another kind. */
function runInMemory(context: StatementContext): boolean | 'data' {
  const { statement } = context;
  const cursor = openCursor(statement, sqliteLanguage.lexical);
  const verb = acceptOne(cursor, ['CREATE', 'ALTER', 'DROP', 'PRAGMA']);
  switch (verb) {
    case 'CREATE':
      return create(context, cursor);
    case 'ALTER':
      run(context);
      warnOfConflicts(context);
      return true;
    case 'DROP':
      return drop(context, cursor);
    case 'PRAGMA':
      return acceptPragma(statement);
    default:
      // VACUUM and the like do not change the structure.
      return statement.kind === 'administration';
  }
}

function create(context: StatementContext, cursor: Cursor): boolean | 'data' {
  const { statement, draft } = context;
  const isTemporaryWord = acceptOne(cursor, ['TEMP', 'TEMPORARY']) !== undefined;
  const unique = accept(cursor, 'UNIQUE');
  const kind = acceptOne(cursor, ['TABLE', 'INDEX', 'VIEW', 'VIRTUAL']);
  const isTemporary = isTemporaryWord || isInTemp(cursor);
  if (kind === undefined) {
    if (isTriggerOnMissingTable(context)) return true;
    // A statement that SQLite accepts, such as CREATE TRIGGER, is left out with a warning.
    run(context);
    return false;
  }
  const isOtherModule = kind === 'VIRTUAL' && !hasKnownModule(statement);
  if (isOtherModule || (isTemporary && !unique)) {
    draft.warnings.push(`Line ${statement.line}: ${describe(kind, cursor)} is left out.`);
    return true;
  }
  const rebuild = kind === 'VIRTUAL' ? rebuildOf(statement, cursor) : undefined;
  if (rebuild !== undefined) draft.programs.push(rebuild);
  if (kind === 'TABLE' && isInternal(cursor)) return true;
  if (kind === 'TABLE' && isCreateTableAs(cursor)) return 'data';
  run(context);
  if (kind === 'TABLE') {
    warnOfConflicts(context);
    warnOfKeyOrder(context);
  }
  return true;
}

/** Modules of SQLite whose tables keep their own rows. */
const knownModules: ReadonlySet<string> = new Set([
  'FTS3',
  'FTS4',
  'FTS5',
  'RTREE',
  'RTREE_I32',
  'GEOPOLY',
]);

/** Whether the virtual table can be created and filled. One with an empty `content=` does not have its rows. */
function hasKnownModule(statement: ScriptStatement): boolean {
  const { code } = statement;
  const at = code.findIndex(({ word }) => word === 'USING');
  return knownModules.has(code[at + 1]?.word ?? '') && contentOf(statement) !== '';
}

/** The table whose rows the virtual table is an index of, as written. */
function contentOf({ text, code }: ScriptStatement): string | undefined {
  const at = code.findIndex(({ word }, i) => word === 'CONTENT' && code[i + 1]?.word === '=');
  const token = at === -1 ? undefined : code[at + 2];
  return token && text.slice(token.start, token.end).replaceAll(/["'`[\]]/g, '');
}

/** Fills the index of another table's rows. */
function rebuildOf(statement: ScriptStatement, cursor: Cursor): ScriptProgram | undefined {
  if (contentOf(statement) === undefined) return undefined;
  accept(cursor, 'TABLE');
  accept(cursor, 'IF', 'NOT', 'EXISTS');
  const name = parseQualifiedName(cursor).at(-1) ?? '';
  const quoted = sqliteDdl.quoteName(name);
  return {
    kind: 'content of the full-text index',
    name,
    key: `content ${name}`,
    needs: [],
    line: statement.line,
    stage: 'after rows',
    text: `INSERT INTO ${quoted} (${quoted}) VALUES ('rebuild')`,
  };
}

/** A trigger on a table that the script does not create, or that is left out, such as a virtual one. Other errors are those of `run`. */
function isTriggerOnMissingTable({ statement, draft, connection }: StatementContext): boolean {
  const head = programHead(statement, ['TRIGGER'], sqliteLanguage.lexical);
  if (head === undefined) return false;
  try {
    connection.execute(`EXPLAIN ${statement.text}`);
    return false;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const table = /^no such table: (.*)$/s.exec(message)?.[1];
    if (table === undefined) return false;
    const name = head.nameParts.at(-1) ?? '';
    draft.warnings.push(
      `Line ${statement.line}: the trigger ${name} is left out: the file has not created ${table.replace(/^(?:main|temp)\./, '')} before it.`,
    );
    return true;
  }
}

/** The studio creates constraints without ON CONFLICT clauses, which always reject the row. */
function warnOfConflicts({ statement: { code, line }, draft }: StatementContext): void {
  code.forEach(({ word }, i) => {
    if (word !== 'ON' || code[i + 1]?.word !== 'CONFLICT') return;
    const action = code[i + 2]?.word ?? '';
    if (action !== 'ABORT')
      draft.warnings.push(`Line ${line}: ON CONFLICT ${action} of a constraint is left out.`);
  });
}

/** `PRIMARY KEY (a DESC)` as a table constraint is not supported. As a column constraint it is. */
function warnOfKeyOrder({ statement: { code, line }, draft }: StatementContext): void {
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
  const kindText = kind === 'VIRTUAL' ? 'virtual table' : `temporary ${kind.toLowerCase()}`;
  return `the ${kindText} ${parseQualifiedName(cursor).join('.')}`;
}

/** SQLite makes these tables itself when it needs them. `.schema` lists them, and so do files of Rails. */
function isInternal(cursor: Cursor): boolean {
  const ahead = { ...cursor };
  accept(ahead, 'IF', 'NOT', 'EXISTS');
  return /^sqlite_(?:sequence|stat\d)$/i.test(parseQualifiedName(ahead, 'a table').at(-1) ?? '');
}

/** `CREATE TABLE t AS SELECT …` */
function isCreateTableAs(cursor: Cursor): boolean {
  accept(cursor, 'IF', 'NOT', 'EXISTS');
  parseQualifiedName(cursor, 'a table');
  return wordAt(cursor) === 'AS';
}

/** Runs the statement if the object exists here; otherwise it may be an object that was left out. */
function drop(context: StatementContext, cursor: Cursor): boolean {
  const { statement, draft, connection } = context;
  const kind = acceptOne(cursor, ['TABLE', 'VIEW', 'INDEX', 'TRIGGER']);
  if (kind === undefined) run(context);
  accept(cursor, 'IF', 'EXISTS');
  const localName = parseQualifiedName(cursor).at(-1) ?? '';
  expectEnd(cursor);
  const existingName = connection.statement(
    'SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE',
  );
  if (existingName.all([localName], false).length > 0) run(context);
  else if (kind === 'TABLE' || kind === 'VIEW') dropTable(draft, { localName }, statement);
  return true;
}

/** Settings of a connection are ignored, but writes to sqlite_schema are rejected. */
function acceptPragma({ text, start }: ScriptStatement): boolean {
  if (/^PRAGMA\s+(?:\w+\.)?writable_schema\b/i.test(text))
    throw new RejectedStatement(
      "The file writes to SQLite's schema, as dumps of the sqlite3 shell with virtual tables do: import it as a dump, with its rows.",
      start,
    );
  return true;
}

// Running statements in SQLite

function run({ statement, connection }: StatementContext): void {
  try {
    connection.execute(statement.text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const offset = syntaxErrorOffset(message, statement.text, connection) ?? 0;
    throw new DdlError(sentence(message), statement.start + offset);
  }
}

function sentence(message: string): string {
  const near = /^near "(.*)": syntax error$/s.exec(message)?.[1];
  if (near !== undefined) return `"${near}" is not expected here.`;
  if (message === 'incomplete input') return 'The statement ends before it is complete.';
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
