/** Reads a SQL script unit by unit: the head of a statement, a row, or a statement that is skipped. */
import { StudioError } from '../../model/errors.ts';
import { noteRows } from './changes-after-rows.ts';
import { readClientCommand } from './client-commands.ts';
import { copyFields, readCopyLine } from './copy-rows.ts';
import { skippedCommentWarner } from './script/dialect-warnings.ts';
import { discardRows } from './discard-rows.ts';
import { skipStatement } from './skip-statement.ts';
import { openInternalGroup } from './internal-tables.ts';
import { readFields } from './insert/read-fields.ts';
import { textFormat } from './insert/copy-format.ts';
import { readCopyHead, readInsertHead, readInsertTail, ruleIgnored } from './insert/read-head.ts';
import { sqlReader } from './insert/read-value.ts';
import { partitionOf } from './partitions.ts';
import { keyOf, openGroup } from './insert/row-groups.ts';
import { textDecoder, createSession, applySettings, guessedEncoding } from './script/session.ts';
import { requireOneDatabase, readUse } from './rows-database.ts';
import {
  IncompleteUnit,
  lineOf,
  nextToken,
  openScript,
  peekToken,
  textOf,
  unreadPeeked,
  readUnit,
  acceptWord,
  syntaxError,
} from './script/script.ts';
import { rejectTemporaryTable } from './temporary-tables.ts';
import { createDefaultTest, createNumbering } from './insert/zero-keys.ts';
import { requireCommit, createTransactionState } from './script/transactions.ts';
import type { DateOrder } from '../../portable/cells/cell-format.ts';
import type { ExecutedStatement } from '../../sql/ddl/ddl-reader.ts';
import type { ImportContext } from '../row-import.ts';
import type { ScriptDialectChoice } from './script/find-dialect.ts';
import { literalText } from './values/literals.ts';
import type { SqlReaderOptions } from './insert/read-value.ts';
import type { ScriptSession } from './script/session.ts';
import type { SqlValue } from './values/literals.ts';
import type { StatementHead } from './insert/row-groups.ts';
import type { SqlScriptReader } from './script-reader.ts';
import type { ScriptEvents, ScriptToken } from './script/script.ts';

export function unreadLength({ script: { lexer } }: SqlScriptReader): number {
  return lexer.text.length - lexer.at;
}

export interface ReaderParameters {
  readonly context: ImportContext;
  readonly ddl: SqlScriptReader['ddl'];
  readonly ownDialect: string;
  readonly dateOrder: DateOrder | undefined;
  readonly onBackslash: ScriptEvents['onBackslash'];
  readonly isTrial: boolean;
  readonly isDecoded: boolean;
  readonly executed?: readonly ExecutedStatement[] | undefined;
}

/** A reader that discards the rows. */
export function openTrial(
  name: string,
  choice: ScriptDialectChoice,
  ddl: SqlScriptReader['ddl'],
): SqlScriptReader {
  return createReader(name, choice, {
    context: discardRows,
    ddl,
    ownDialect: '',
    dateOrder: undefined,
    onBackslash: () => undefined,
    isTrial: true,
    isDecoded: true,
  });
}

export function createReader(
  name: string,
  { name: dialect, language, dataScript }: ScriptDialectChoice,
  {
    context,
    ddl,
    ownDialect,
    dateOrder,
    onBackslash,
    isTrial,
    isDecoded,
    executed,
  }: ReaderParameters,
): SqlScriptReader {
  const onGuess = (): void => context.warn(guessedEncoding);
  const lexical = { ...language.lexical, skippedComments: dataScript.skippedComments };
  const session = createSession(lexical, isDecoded);
  const decode = textDecoder(session, onGuess);
  const isOwnDialect = dialect === ownDialect;
  const now = new Date();
  const values = {
    now,
    dataScript,
    decode,
    // The database itself reads the dates of its own scripts.
    dateOrder: () => dateOrder ?? (isOwnDialect ? undefined : session.settings.dateOrder),
    isOwnDialect,
  };
  return {
    context,
    session,
    language,
    ddl,
    script: openScript(
      name,
      { lexical, dataScript, now },
      { onBackslash, onSkippedComment: skippedCommentWarner(context) },
    ),
    isTrial,
    numbers: new Map(),
    fields: createFieldReaders(values, session, context),
    ready: [],
    state: 'statement',
    isStructure: false,
    executed,
    hasContainers: false,
    rowsRead: 0,
    rowsBeforeBatch: 0,
    insertGroup: undefined,
    copyGroup: undefined,
    copyFormat: textFormat,
    isCopyHeader: false,
    nameParts: dataScript.nameParts,
    database: { current: undefined, ofRows: undefined },
    transactions: createTransactionState(),
    temporaryTables: new Set(),
    createdTables: new Map(),
    filledTables: new Map(),
  };
}

function createFieldReaders(
  values: SqlReaderOptions,
  session: ScriptSession,
  context: ImportContext,
): SqlScriptReader['fields'] {
  const { dataScript, decode } = values;
  const numbered = createNumbering({ session, dataScript, context });
  const copyFieldReader = copyFields(values);
  return {
    insert: {
      isDefault: createDefaultTest({ session, dataScript, context }),
      readerOf: (column, firstNumber) => {
        const read = applySettings(session, column, sqlReader(column, values).read);
        const isNumbered = column.autoIncrement === true && firstNumber !== undefined;
        return isNumbered ? numbered(column, read, firstNumber) : read;
      },
      omitsNumberedColumn: dataScript.omitsNumberedColumn,
      nextNumber:
        dataScript.nullIsNextNumber || dataScript.omitsNumberedColumn === true
          ? { kind: 'default' }
          : undefined,
      shownText: (value) => literalText(value, decode),
    },
    copy: {
      ...copyFieldReader,
      readerOf: (column) =>
        applySettings(session, column, copyFieldReader.readerOf(column, undefined)),
    },
  };
}

/** Reads the next unit. Returns false if there is none, or if the text does not contain all of it. */
export function readNext(sql: SqlScriptReader): boolean {
  const { script } = sql;
  if (script.lexer.at >= script.lexer.text.length) return false;
  sql.isStructure = false;
  if (sql.state === 'copy') return readCopied(sql);
  return readUnit(script, () => {
    if (sql.state === 'statement') readStatement(sql);
    else readRow(sql);
  });
}

function readCopied(sql: SqlScriptReader): boolean {
  const group = sql.isCopyHeader ? undefined : sql.copyGroup;
  const lineKind = readCopyLine(sql.script, sql.copyFormat, group);
  if (lineKind === 'end') sql.state = 'statement';
  if (lineKind === 'row' && !sql.isCopyHeader) sql.rowsRead++;
  if (lineKind !== undefined) sql.isCopyHeader = false;
  collectBatches(sql);
  return lineKind !== undefined;
}

export function finish(sql: SqlScriptReader): void {
  flush(sql);
  if (sql.state === 'statement' && unreadLength(sql) === 0) {
    if (!sql.isTrial) requireCommit(sql.transactions, sql.script, sql.rowsRead);
    return;
  }
  const message =
    sql.state === 'copy' ? 'the rows of COPY must end with a line "\\."' : '"(" is expected';
  throw syntaxError(sql.script, undefined, message);
}

function readStatement(sql: SqlScriptReader): void {
  const { script } = sql;
  const token = peekToken(script);
  sql.isStructure = true;
  if (token === undefined || token.kind === 'delimiter') return void nextToken(script);
  if (token.kind === 'meta-line') {
    const hasRowsInBatch = sql.rowsRead > sql.rowsBeforeBatch;
    readClientCommand({ ...sql, hasRowsInBatch, beforeReset: () => flush(sql) });
    sql.rowsBeforeBatch = sql.rowsRead;
    // Variables of T-SQL end with their batch.
    if (/^GO\b/i.test(textOf(script, token))) script.variables.clear();
    return;
  }
  if (token.word === 'INSERT' || token.word === 'REPLACE') return readInsert(sql);
  if (token.word === 'COPY' && sql.language.lexical.clientLines.includes('copy-data'))
    return readCopy(sql);
  if (token.word === 'USE') readUse(script, sql.database);
  unreadPeeked(script);
  const skipped = skipStatement(sql, { token, onChange: () => flush(sql) });
  sql.isStructure = skipped !== 'counter';
  if (skipped === 'container') sql.hasContainers = true;
}

function readInsert(sql: SqlScriptReader): void {
  const { script, context } = sql;
  sql.isStructure = false;
  const verb = nextToken(script) as ScriptToken;
  const head = readInsertHead(script, verb);
  if (head.row !== undefined) {
    readInsertTail(script, context, isUndelimited(sql));
    sql.rowsRead++;
  } else sql.state = 'values';
  noteRows(sql.filledTables, head);
  if (sql.isTrial) return;
  if (head.hasConflictRule === true) context.warn(ruleIgnored);
  if (sql.insertGroup?.key !== keyOf(head)) {
    flush(sql);
    sql.insertGroup = openInternalGroup(head, sql);
  }
  if (sql.insertGroup === undefined) {
    rejectTemporaryTable({ ...sql, verb }, head);
    sql.insertGroup = withLine(sql, verb, () =>
      openGroup(withOrigin(sql, head), sql, sql.fields.insert),
    );
  }
  if (!('isInternal' in sql.insertGroup))
    requireOneDatabase(script, { ...sql, verb }, head.parts.slice(0, -sql.nameParts));
  if (head.row !== undefined) addRow(sql, verb, head.row);
  collectBatches(sql);
}

/** Adds the line of the statement to the error of a table that does not exist. */
function withLine<T>({ script }: SqlScriptReader, { start }: ScriptToken, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'table_not_found') throw error;
    const line = lineOf(script, start);
    const message = `${script.name}, line ${line}: ${error.message}`;
    throw new StudioError(error.code, message, { ...error.details, line });
  }
}

/**
 * Adds what the script says about the name: the search path in which a name without a schema is looked
 * up, and the partitioned table that the table is a partition of.
 */
function withOrigin(
  { session, script, createdTables }: SqlScriptReader,
  head: StatementHead,
): StatementHead {
  const { path } = session.settings;
  if (path?.length === 0 && head.parts.length === 1)
    throw syntaxError(
      script,
      peekToken(script),
      `${session.positions.get('path')} leaves no schema in which to find ${JSON.stringify(head.parts[0])}`,
    );
  const partition = partitionOf(createdTables, head.parts);
  return {
    ...head,
    ...(path === undefined || head.parts.length > 1 ? {} : { path }),
    ...(partition && { partition }),
  };
}

function isUndelimited({ language }: SqlScriptReader): boolean {
  return language.splitting.undelimited !== undefined;
}

/** Reads a row and what follows it. Nothing has an effect before all of that is read, since the unit may be incomplete. */
function readRow(sql: SqlScriptReader): void {
  const { script, context } = sql;
  const open = nextToken(script);
  if (open?.word !== '(') throw syntaxError(script, open, '"(" is expected');
  const fields = readFields(script);
  const hasMoreRows = acceptWord(script, ',');
  if (!hasMoreRows) readInsertTail(script, context, isUndelimited(sql));
  sql.rowsRead++;
  addRow(sql, open, fields);
  if (!hasMoreRows) sql.state = 'statement';
  collectBatches(sql);
}

function addRow(
  { script, insertGroup }: SqlScriptReader,
  { start }: ScriptToken,
  fields: readonly SqlValue[],
): void {
  insertGroup?.add({ fields, line: lineOf(script, start), size: script.lexer.at - start });
}

function readCopy(sql: SqlScriptReader): void {
  const { script } = sql;
  sql.isStructure = false;
  const { lexer, isLast } = script;
  const verb = nextToken(script) as ScriptToken;
  const { format, ...head } = readCopyHead(script);
  requireOneDatabase(script, { ...sql, verb }, head.parts.slice(0, -sql.nameParts));
  const lineBreak = lexer.text.indexOf('\n', lexer.at);
  if (lineBreak === -1 && !isLast) throw new IncompleteUnit();
  noteRows(sql.filledTables, head);
  if (!sql.isTrial && sql.copyGroup?.key !== keyOf(head)) {
    rejectTemporaryTable({ ...sql, verb }, head);
    flush(sql);
    sql.copyGroup = withLine(sql, verb, () =>
      openGroup(withOrigin(sql, head), sql, sql.fields.copy),
    );
  }
  lexer.at = lineBreak === -1 ? lexer.text.length : lineBreak + 1;
  lexer.copy = 'start';
  lexer.atLineStart = true;
  sql.state = 'copy';
  sql.copyFormat = format;
  sql.isCopyHeader = format.hasHeader;
}

function collectBatches({ ready, insertGroup, copyGroup }: SqlScriptReader): void {
  const batch = insertGroup?.take() ?? copyGroup?.take();
  if (batch !== undefined) ready.push(batch);
}

/** Collects the remaining rows and closes both groups. */
function flush(sql: SqlScriptReader): void {
  for (const group of [sql.insertGroup, sql.copyGroup]) {
    for (let batch = group?.take(true); batch !== undefined; batch = group?.take(true))
      sql.ready.push(batch);
  }
  sql.insertGroup = undefined;
  sql.copyGroup = undefined;
}
