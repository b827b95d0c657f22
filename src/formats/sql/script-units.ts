/** Reads a SQL script unit by unit: the head of a statement, a row, or a statement that is skipped. */
import { noteRows } from './changes-after-rows.ts';
import { readClientCommand } from './client-commands.ts';
import { copyFile, readDataFileStatement, readRowsOfFile, runFileCommand } from './data-files.ts';
import { flush, openRows } from './open-rows.ts';
import { copyFields, readCopyLine } from './copy-rows.ts';
import { skippedCommentWarner } from './script/dialect-warnings.ts';
import { discardRows } from './discard-rows.ts';
import { skipStatement } from './skip-statement.ts';
import { isSchemaTable, openInternalGroup } from './internal-tables.ts';
import { filledByContent, isRenumbered } from './virtual-tables.ts';
import { readFields } from './insert/read-fields.ts';
import { textFormat } from './insert/copy-format.ts';
import { readCopyHead, readInsertHead, readInsertTail, ruleIgnored } from './insert/read-head.ts';
import { sqlReader } from './insert/read-value.ts';
import { keyOf } from './insert/row-groups.ts';
import {
  textDecoder,
  createSession,
  applySettings,
  checkCasts,
  guessedEncoding,
} from './script/session.ts';
import { requireOneDatabase, readUse } from './rows-database.ts';
import {
  IncompleteUnit,
  lineOf,
  nextToken,
  openScript,
  skipDashedLines,
  peekToken,
  textOf,
  unreadPeeked,
  readUnit,
  acceptWord,
  syntaxError,
} from './script/script.ts';
import { createImplicitDefaults } from './insert/implicit-defaults.ts';
import { createDefaultTest, createNumbering } from './insert/zero-keys.ts';
import { requireCommit, createTransactionState } from './script/transactions.ts';
import { createZeroDates } from './insert/zero-dates.ts';
import type { DateOrder } from '../../portable/cells/cell-format.ts';
import type { ExecutedStatement } from '../../sql/ddl/ddl-reader.ts';
import type { ImportContext } from '../row-import.ts';
import type { ScriptDialectChoice } from './script/find-dialect.ts';
import { literalText, serverCallOf } from './values/literals.ts';
import type { SqlReaderOptions } from './insert/read-value.ts';
import type { ScriptFiles } from './script/script-files.ts';
import type { ScriptSession } from './script/session.ts';
import type { SqlValue } from './values/literals.ts';
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
  readonly files: ScriptFiles | undefined;
  readonly executed?: readonly ExecutedStatement[] | undefined;
}

/** A reader that discards the rows. */
export function openTrial(
  name: string,
  choice: ScriptDialectChoice,
  { ddl, files }: Pick<ReaderParameters, 'ddl' | 'files'>,
): SqlScriptReader {
  return createReader(name, choice, {
    context: discardRows,
    ddl,
    files,
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
    files,
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
      { lexical, dataScript, files, now },
      { onBackslash, onSkippedComment: skippedCommentWarner(context) },
    ),
    isTrial,
    fields: createFieldReaders(values, session, context),
    fieldsWith: (decodeFile) =>
      createFieldReaders({ ...values, decode: decodeFile }, session, context),
    executed,
    nameParts: dataScript.nameParts,
    ...initialState(),
  };
}

/** What does not depend on the parameters. */
type InitialState = Omit<
  SqlScriptReader,
  | 'context'
  | 'session'
  | 'language'
  | 'ddl'
  | 'script'
  | 'isTrial'
  | 'fields'
  | 'fieldsWith'
  | 'executed'
  | 'nameParts'
>;

function initialState(): InitialState {
  return {
    numbers: new Map<string, number>(),
    pendingFile: undefined,
    isFileUnit: false,
    hasFileRows: false,
    includes: 0,
    allIncludes: 0,
    ready: [],
    state: 'statement',
    isStructure: false,
    hasContainers: false,
    rowsRead: 0,
    rowsBeforeBatch: 0,
    insertGroup: undefined,
    filled: undefined,
    copyGroup: undefined,
    copyFormat: textFormat,
    isCopyHeader: false,
    database: { current: undefined, ofRows: undefined },
    transactions: createTransactionState(),
    temporaryTables: new Set<string>(),
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
  const implicit = createImplicitDefaults(session, context);
  const withoutZeroDates = createZeroDates(values, context);
  const copyFieldReader = copyFields(values);
  return {
    insert: {
      isDefault: createDefaultTest({ session, dataScript, context }),
      readerOf: (column, firstNumber) => {
        const { exactCasts } = dataScript;
        const readValue = checkCasts(
          session,
          { column, exactCasts },
          withoutZeroDates(column, sqlReader(column, values).read),
        );
        const read = implicit.withEmptyTexts(column, applySettings(session, column, readValue));
        const isNumbered = column.autoIncrement === true && firstNumber !== undefined;
        return isNumbered ? numbered(column, read, firstNumber) : read;
      },
      omitsNumberedColumn: dataScript.omitsNumberedColumn,
      allowsFewerValues: dataScript.allowsFewerValues,
      implicitField: implicit.ofOmitted,
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
  sql.isFileUnit = false;
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
  requireWholeStatement(sql);
  if (!sql.isTrial) requireCommit(sql.transactions, sql.script, sql.rowsRead);
}

/** A file ends after a statement. */
export function requireWholeStatement(sql: SqlScriptReader): void {
  if (sql.state === 'statement' && unreadLength(sql) === 0) return;
  const message =
    sql.state === 'copy' ? 'the rows of COPY must end with a line "\\."' : '"(" is expected';
  throw syntaxError(sql.script, undefined, message);
}

function readStatement(sql: SqlScriptReader): void {
  const { script } = sql;
  skipDashedLines(script);
  const token = peekToken(script);
  sql.isStructure = true;
  if (token === undefined || token.kind === 'delimiter') return void nextToken(script);
  if (token.kind === 'meta-line') {
    const hasRowsInBatch = sql.rowsRead > sql.rowsBeforeBatch;
    const command = readClientCommand({ ...sql, hasRowsInBatch, beforeReset: () => flush(sql) });
    if (command !== undefined) runFileCommand(sql, command);
    sql.rowsBeforeBatch = sql.rowsRead;
    // Variables of T-SQL end with their batch.
    if (/^GO\b/i.test(textOf(script, token))) script.variables.clear();
    return;
  }
  if (token.word === 'INSERT' || token.word === 'REPLACE') return readInsert(sql);
  if (token.word === 'COPY' && sql.language.lexical.clientLines.includes('copy-data'))
    return readCopy(sql);
  if (readDataFileStatement(sql, token)) return;
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
  const written = readInsertHead(script, verb);
  sql.filled = filledByContent(script, written);
  const head = sql.filled === undefined ? written : { ...written, parts: [sql.filled.name] };
  if (head.row !== undefined) {
    readInsertTail(script, context, isUndelimited(sql));
    sql.rowsRead++;
  } else sql.state = 'values';
  noteRows(sql.filledTables, head);
  if (sql.isTrial) {
    sql.insertGroup = isSchemaTable(head) ? openInternalGroup(head, sql) : undefined;
    if (head.row !== undefined) addRow(sql, verb, head.row);
    return;
  }
  if (head.hasConflictRule === true) context.warn(ruleIgnored);
  if (sql.insertGroup?.key !== keyOf(head)) {
    flush(sql);
    sql.insertGroup = openInternalGroup(head, sql);
  }
  if (sql.insertGroup === undefined) {
    sql.insertGroup = openRows(sql, { verb, head }, sql.fields.insert);
  }
  if (!('isInternal' in sql.insertGroup))
    requireOneDatabase(script, { ...sql, verb }, head.parts.slice(0, -sql.nameParts));
  if (head.row !== undefined) addRow(sql, verb, head.row);
  collectBatches(sql);
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
  { script, insertGroup, ddl, context, filled }: SqlScriptReader,
  { start }: ScriptToken,
  fields: readonly SqlValue[],
): void {
  const call =
    ddl === 'applied' ? fields.map(serverCallOf).find((each) => each !== undefined) : undefined;
  if (call !== undefined && insertGroup !== undefined) {
    const warning = `Line ${lineOf(script, start)}: the row is left out: ${call} is a value of the server that runs the script.`;
    return context.warn(() => warning);
  }
  if (filled !== undefined && isRenumbered(filled, fields))
    context.warn(() => `The rows of the virtual table ${filled.name} get new numbers (rowid), because they have gaps.`); // prettier-ignore
  // The first field of a shadow table is the number of the row.
  const own = filled === undefined ? fields : fields.slice(1);
  insertGroup?.add({ fields: own, line: lineOf(script, start), size: script.lexer.at - start });
}

function readCopy(sql: SqlScriptReader): void {
  const { script } = sql;
  sql.isStructure = false;
  const { lexer, isLast } = script;
  const verb = nextToken(script) as ScriptToken;
  const { format, filePath: path, ...head } = readCopyHead(script);
  if (path !== undefined)
    return readRowsOfFile(sql, { verb, head, path, ...copyFile(sql, { verb, format }) });
  requireOneDatabase(script, { ...sql, verb }, head.parts.slice(0, -sql.nameParts));
  const lineBreak = lexer.text.indexOf('\n', lexer.at);
  if (lineBreak === -1 && !isLast) throw new IncompleteUnit();
  noteRows(sql.filledTables, head);
  if (!sql.isTrial && sql.copyGroup?.key !== keyOf(head)) {
    flush(sql);
    sql.copyGroup = openRows(sql, { verb, head }, sql.fields.copy);
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
