/**
 * Rows out of SQL scripts, as dump tools write them: INSERT and REPLACE … VALUES, COPY … FROM stdin.
 * Nothing is ever run as SQL: values are worked out here and bound like any others. A script of any
 * size is read in parts.
 */
import { StudioError } from '../../model/errors.ts';
import { connectedDatabase } from '../../sql/connected-database.ts';
import { maxRowBytes } from '../row-import.ts';
import { openText } from '../text-source.ts';
import { copyFields, readCopyLine } from './copy-rows.ts';
import { createBackslashWarner, warnAboutDialect } from './dialect-warnings.ts';
import { findDialect } from './find-dialect.ts';
import { skipClientComment, skipStatement } from './skip-statement.ts';
import { readFields } from './read-fields.ts';
import { readCopyHead, readInsertHead, readInsertTail } from './read-head.ts';
import { sqlReader } from './read-value.ts';
import { keyOf, openGroup } from './row-groups.ts';
import { textDecoder, createSession, applySettings, resetSession } from './session.ts';
import { requireOneDatabase, readUse } from './rows-database.ts';
import {
  appendText,
  IncompleteUnit,
  lineOf,
  nextToken,
  openScript,
  peekToken,
  unreadPeeked,
  readUnit,
  acceptWord,
  textOf,
  syntaxError,
} from './script.ts';
import { isInternalTable } from './statement-kinds.ts';
import { requireCommit, createTransactionState } from './transactions.ts';
import type { RowChunk } from '../../model/load.ts';
import type { DataScript } from '../../sql/data-script.ts';
import type { ScriptLanguage } from '../../sql/split.ts';
import type { ByteSource, ImportContext, RowBatches, Warning } from '../row-import.ts';
import type { CopyField } from './copy-rows.ts';
import type { DialectOptions, ReadablePart, ScriptDialectChoice } from './find-dialect.ts';
import type { SqlValue } from './literals.ts';
import type { FieldReader, RowGroup, StatementHead } from './row-groups.ts';
import type { DatabaseState } from './rows-database.ts';
import type { Script, ScriptToken } from './script.ts';
import type { ScriptSession } from './session.ts';
import type { TransactionState } from './transactions.ts';

export interface SqlOptions extends DialectOptions {
  readonly encoding?: string | undefined;
  /** Whether statements that make structure are left out; else they are refused. */
  readonly ddl: 'refuse' | 'skip';
}

interface Sql {
  readonly script: Script;
  readonly language: ScriptLanguage;
  readonly reading: ImportContext;
  readonly session: ScriptSession;
  readonly ddl: SqlOptions['ddl'];
  /** Whether only the grammar is tried, and rows go nowhere. */
  readonly isTrial: boolean;
  /** Rows of each table so far. */
  readonly numbers: Map<string, number>;
  readonly fields: {
    readonly insert: FieldReader<SqlValue>;
    readonly copy: FieldReader<CopyField>;
  };
  readonly ready: RowChunk[];
  state: 'statement' | 'values' | 'copy';
  /** Rows that statements brought, also those of a trial. */
  rowsTaken: number;
  /** Rows before the last GO. */
  rowsBeforeBatch: number;
  /** Undefined in statements whose rows are left out. */
  inserts: RowGroup<SqlValue> | undefined;
  copies: RowGroup<CopyField> | undefined;
  readonly nameParts: DataScript['nameParts'];
  readonly database: DatabaseState;
  readonly transactions: TransactionState;
}

export async function* readSql(
  source: ByteSource,
  reading: ImportContext,
  options: SqlOptions,
): RowBatches {
  const text = await openText(source, { encoding: options.encoding, guesses: false });
  let sql: Sql | undefined;
  let more = '';
  for await (const block of text.open()) {
    more += block.toString('latin1');
    if (sql === undefined && more.length < headLength) continue;
    sql ??= begin(source.name, { text: more, isWhole: false }, { reading, options });
    // What does not fit into the text at hand comes again with twice as much.
    if (more.length < unused(sql)) continue;
    appendText(sql.script, more);
    more = '';
    while (takeNext(sql)) if (sql.ready.length > 0) yield* sql.ready.splice(0);
    if (unused(sql) > 2 * maxRowBytes) throw tooLong(sql);
  }
  sql ??= begin(source.name, { text: more, isWhole: true }, { reading, options });
  appendText(sql.script, more);
  sql.script.isLast = true;
  while (takeNext(sql)) yield* sql.ready.splice(0);
  finish(sql);
  yield* sql.ready;
}

/** So much of a script shows its dialect. */
const headLength = 64 * 1024;

function unused({ script: { lexer } }: Sql): number {
  return lexer.text.length - lexer.at;
}

interface Beginning {
  readonly reading: ImportContext;
  readonly options: SqlOptions;
}

interface Head {
  readonly text: string;
  /** The script ends here. */
  readonly isWhole: boolean;
}

function begin(name: string, head: Head, { reading, options }: Beginning): Sql {
  const found = findDialect(head.text, options, (choice) => readableIn(head, choice));
  warnAboutDialect(reading, name, found);
  const onBackslash = createBackslashWarner(reading, found, options);
  const isDecoded = options.encoding !== undefined;
  const { ddl } = options;
  return openSql(name, found.choice, { reading, ddl, onBackslash, isTrial: false, isDecoded });
}

/** Rows of a trial go nowhere. */
const nowhere: ImportContext = {
  mapColumns: () => {
    throw new Error('A trial looks for no table.');
  },
  hasColumn: () => false,
  report: () => undefined,
  warn: () => undefined,
};

/** What of a script's beginning can be read in a dialect. */
function readableIn({ text, isWhole }: Head, choice: ScriptDialectChoice): ReadablePart {
  const onBackslash = (): void => undefined;
  const trial = { reading: nowhere, ddl: 'skip', isTrial: true, isDecoded: true } as const;
  const sql = openSql('', choice, { ...trial, onBackslash });
  try {
    appendText(sql.script, text);
    sql.script.isLast = isWhole;
    while (takeNext(sql));
    if (isWhole) finish(sql);
    return { length: Infinity, rows: sql.rowsTaken };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { length: sql.script.lexer.at, rows: sql.rowsTaken };
  }
}

interface Opening {
  readonly reading: ImportContext;
  readonly ddl: SqlOptions['ddl'];
  readonly onBackslash: Script['onBackslash'];
  readonly isTrial: boolean;
  readonly isDecoded: boolean;
}

function openSql(
  name: string,
  { language, dataScript }: ScriptDialectChoice,
  { reading, ddl, onBackslash, isTrial, isDecoded }: Opening,
): Sql {
  const onGuess = (): void => reading.warn(guessedText);
  const session = createSession(language.lexical, isDecoded);
  const decode = textDecoder(session, onGuess);
  const values = { now: new Date(), dataScript, decode };
  const copied = copyFields(decode);
  return {
    reading,
    session,
    language,
    ddl,
    script: openScript(name, { lexical: language.lexical, dataScript }, onBackslash),
    isTrial,
    numbers: new Map(),
    fields: {
      insert: {
        isDefault: ({ kind }) => kind === 'default',
        readerOf: (column) => applySettings(session, column, sqlReader(column, values).read),
      },
      copy: {
        ...copied,
        readerOf: (column) => applySettings(session, column, copied.readerOf(column)),
      },
    },
    ready: [],
    state: 'statement',
    rowsTaken: 0,
    rowsBeforeBatch: 0,
    inserts: undefined,
    copies: undefined,
    nameParts: dataScript.nameParts,
    database: { current: undefined, ofRows: undefined },
    transactions: createTransactionState(),
  };
}

const guessedText: Warning = (count) =>
  count === 1
    ? 'A text is not UTF-8 and was read as windows-1252; "encoding" names another one.'
    : `${count} texts are not UTF-8 and were read as windows-1252; "encoding" names another one.`;

/** Takes the next unit; false when it is not whole yet, or there is none. */
function takeNext(sql: Sql): boolean {
  const { script } = sql;
  if (script.lexer.at >= script.lexer.text.length) return false;
  if (sql.state === 'copy') return takeCopied(sql);
  return readUnit(script, () => {
    if (sql.state === 'statement') takeStatement(sql);
    else takeRow(sql);
  });
}

function takeCopied(sql: Sql): boolean {
  const taken = readCopyLine(sql.script, sql.copies);
  if (taken === 'end') sql.state = 'statement';
  if (taken === 'row') sql.rowsTaken++;
  takeChunks(sql);
  return taken !== undefined;
}

function tooLong({ script }: Sql): StudioError {
  const line = lineOf(script, script.lexer.at);
  return new StudioError(
    'parse_failed',
    `${script.name}: what begins on line ${line} is too long; a quote may never have been closed.`,
    { line, column: 1 },
  );
}

function finish(sql: Sql): void {
  flush(sql);
  if (sql.state === 'statement' && unused(sql) === 0) {
    if (!sql.isTrial) requireCommit(sql.transactions, sql.script, sql.rowsTaken);
    return;
  }
  const what = sql.state === 'copy' ? 'the rows of COPY end with a line "\\."' : '"(" is expected';
  throw syntaxError(sql.script, undefined, what);
}

function takeStatement(sql: Sql): void {
  const { script } = sql;
  const token = peekToken(script);
  if (token === undefined || token.kind === 'delimiter') return void nextToken(script);
  if (token.kind === 'meta-line') return takeMetaLine(sql);
  if (token.word === 'INSERT' || token.word === 'REPLACE') return takeInsert(sql);
  if (token.word === 'COPY' && sql.language.lexical.clientLines.includes('copy-data'))
    return takeCopy(sql);
  if (token.word === 'USE') readUse(script, sql.database);
  const isRemark = token.word === '\\' && script.lexer.inVersioned;
  unreadPeeked(script);
  if (isRemark) skipClientComment(script);
  else skipStatement(sql, { token, onChange: () => flush(sql) });
}

/** Lines for a client: what they print does not matter here; what they do to rows would. */
function takeMetaLine(sql: Sql): void {
  const { script, database, session } = sql;
  const token = nextToken(script) as ScriptToken;
  const line = textOf(script, token);
  database.current = connectedDatabase(line) ?? database.current;
  if (/^\\c(?:onnect)?\b/.test(line)) {
    flush(sql);
    resetSession(script, session);
  }
  if (/^\\(?:i|ir|include|include_relative|copy|o|out|g|lo_import|s|w)\b|^\\!/.test(line))
    throw syntaxError(
      script,
      token,
      'lines that read other files or run programs are not understood',
    );
  if (/^\\(?:if|elif|else|endif|q|quit|encoding)\b/.test(line) && !usualEncoding.test(line))
    throw syntaxError(
      script,
      token,
      'lines that decide how what is behind them is read are not understood',
    );
  if (/^\\set\s+AUTOCOMMIT\b/.test(line) && !/\b(?:on|true|yes|1)\s*$/i.test(line))
    throw syntaxError(script, token, 'rows are imported only as they are committed by default');
  const times = /^GO[ \t]+(\d+)/i.exec(line)?.[1];
  const hasRows = sql.rowsTaken > sql.rowsBeforeBatch;
  if (times !== undefined && Number(times) !== 1 && hasRows)
    throw syntaxError(script, token, 'rows of a batch are imported once, not several times');
  sql.rowsBeforeBatch = sql.rowsTaken;
}

const usualEncoding = /^\\encoding\s*(?:['"]?(?:utf-?8|unicode|sql_ascii)['"]?\s*)?$/i;

function takeInsert(sql: Sql): void {
  const { script, reading } = sql;
  const verb = nextToken(script) as ScriptToken;
  const head = readInsertHead(script, verb);
  if (head.defaults) {
    readInsertTail(script, reading, isUndelimited(sql));
    sql.rowsTaken++;
  } else sql.state = 'values';
  if (sql.isTrial || isInternalTable(head.parts)) {
    flush(sql);
    return;
  }
  requireOneDatabase(script, { ...sql, verb }, head.parts.slice(0, -sql.nameParts));
  if (sql.inserts?.key !== keyOf(head)) {
    flush(sql);
    sql.inserts = openGroup(withPath(sql, head), sql, sql.fields.insert);
  }
  if (head.defaults) sql.inserts.add({ fields: [], line: lineOf(script, verb.start), size: 1 });
  takeChunks(sql);
}

/** A name without a schema is looked up in those that the script has set. */
function withPath({ session, script }: Sql, head: StatementHead): StatementHead {
  const { path } = session.settings;
  if (path?.length === 0 && head.parts.length === 1)
    throw syntaxError(
      script,
      peekToken(script),
      `${session.positions.get('path')} leaves no schema that ${JSON.stringify(head.parts[0])} could be in`,
    );
  return path === undefined || head.parts.length > 1 ? head : { ...head, path };
}

function isUndelimited({ language }: Sql): boolean {
  return language.splitting.undelimited !== undefined;
}

/** A row and what follows it: nothing is done with it before all of that is there. */
function takeRow(sql: Sql): void {
  const { script, reading } = sql;
  const open = nextToken(script);
  if (open?.word !== '(') throw syntaxError(script, open, '"(" is expected');
  const fields = readFields(script);
  const goesOn = acceptWord(script, ',');
  if (!goesOn) readInsertTail(script, reading, isUndelimited(sql));
  sql.rowsTaken++;
  const size = script.lexer.at - open.start;
  sql.inserts?.add({ fields, line: lineOf(script, open.start), size });
  if (!goesOn) sql.state = 'statement';
  takeChunks(sql);
}

function takeCopy(sql: Sql): void {
  const { script } = sql;
  const { lexer, isLast } = script;
  const verb = nextToken(script) as ScriptToken;
  const head = readCopyHead(script);
  requireOneDatabase(script, { ...sql, verb }, head.parts.slice(0, -sql.nameParts));
  const lineBreak = lexer.text.indexOf('\n', lexer.at);
  if (lineBreak === -1 && !isLast) throw new IncompleteUnit();
  if (!sql.isTrial && sql.copies?.key !== keyOf(head)) {
    flush(sql);
    sql.copies = openGroup(withPath(sql, head), sql, sql.fields.copy);
  }
  lexer.at = lineBreak === -1 ? lexer.text.length : lineBreak + 1;
  lexer.copy = 'start';
  lexer.atLineStart = true;
  sql.state = 'copy';
}

function takeChunks({ ready, inserts, copies }: Sql): void {
  const chunk = inserts?.take() ?? copies?.take();
  if (chunk !== undefined) ready.push(chunk);
}

/** Hands over what was gathered, and ends both groups. */
function flush(sql: Sql): void {
  for (const group of [sql.inserts, sql.copies]) {
    for (let chunk = group?.take(true); chunk !== undefined; chunk = group?.take(true))
      sql.ready.push(chunk);
  }
  sql.inserts = undefined;
  sql.copies = undefined;
}
