/** Statements whose rows are in files of the archive: COPY, \copy, LOAD DATA and BULK INSERT. */
import { StudioError } from '../../model/errors.ts';
import { noteRows } from './changes-after-rows.ts';
import { copyRecords } from './files/copy-records.ts';
import { readBulkInsert } from './files/bulk-insert.ts';
import { readLoadData } from './files/load-data.ts';
import { readCopyFormat } from './insert/copy-format.ts';
import { readCopyTarget, ruleIgnored } from './insert/read-head.ts';
import { flush, openRows } from './open-rows.ts';
import { requireOneDatabase } from './rows-database.ts';
import {
  appendText,
  lineOf,
  nextToken,
  openScript,
  syntaxError,
  unreadPeeked,
} from './script/script.ts';
import { fileOf } from './script/find-file.ts';
import { decodeText } from './values/literals.ts';
import type { RowChunk } from '../../model/load.ts';
import type { ImportContext } from '../row-import.ts';
import type { FileCommand } from './client-commands.ts';
import type { FileEncoding, RecordFormat } from './files/data-file.ts';
import type { FileStatement } from './files/file-statement.ts';
import type { PendingRows } from './files/pending-file.ts';
import type { CopyField } from './insert/copy-fields.ts';
import type { CopyFormat } from './insert/copy-format.ts';
import type { FieldReader, StatementHead } from './insert/row-groups.ts';
import type { Script, ScriptToken } from './script/script.ts';
import type { SqlScriptReader } from './script-reader.ts';
import type { SqlValue } from './values/literals.ts';

/** How a statement reads its file. */
interface FileReading {
  readonly encoding: FileEncoding | undefined;
  readonly fields: FieldReader<CopyField>;
  /** For a table or a column list of that many columns. */
  formatFor(columnCount: number): RecordFormat;
}

interface RowsOfFile extends FileReading {
  readonly verb: ScriptToken;
  readonly head: StatementHead;
  readonly path: string;
}

/** Makes the rows of a file the next ones that are read. */
export function readRowsOfFile(sql: SqlScriptReader, rows: RowsOfFile): void {
  const { verb, head, path, encoding, fields, formatFor } = rows;
  const { script, context } = sql;
  sql.isStructure = false;
  sql.isFileUnit = true;
  sql.hasFileRows = true;
  const source = fileOf(script, { path, token: verb });
  requireOneDatabase(script, { ...sql, verb }, head.parts.slice(0, -sql.nameParts));
  noteRows(sql.filledTables, head);
  if (sql.isTrial) return;
  flush(sql);
  const target = { context: withSource(context, source.name), numbers: new Map<string, number>() };
  const group = openRows(sql, { verb, head, target }, fields);
  const format = formatFor(group.target.columns.length);
  sql.pendingFile = { kind: 'rows', file: { source, encoding, format }, group };
}

/** Adds the name of the file to each error. */
function withSource(context: ImportContext, source: string): ImportContext {
  return { ...context, report: (error) => context.report({ ...error, source }) };
}

/** The batches of a file that are complete; at its end, all rows. */
export function takeBatches(
  { file, group }: PendingRows,
  { isEnd }: { readonly isEnd: boolean },
): readonly RowChunk[] {
  const batches: RowChunk[] = [];
  for (let batch = group.take(isEnd); batch !== undefined; batch = group.take(isEnd))
    batches.push({ ...batch, source: file.source.name });
  return batches;
}

/** How COPY reads a file. */
export function copyFile(
  sql: SqlScriptReader,
  { verb, format }: { readonly verb: ScriptToken; readonly format: CopyFormat },
): FileReading {
  const { script } = sql;
  const encoding =
    format.encoding === undefined
      ? sql.session.settings.charset
      : charsetOf(script, { verb, name: decodeText(format.encoding).text });
  return {
    encoding: requireEncoding(script, verb, encoding),
    fields: sql.fieldsWith(decodeUtf8).copy,
    formatFor: (columnCount) => copyRecords(format, columnCount),
  };
}

function charsetOf(
  script: Script,
  { verb, name }: { readonly verb: ScriptToken; readonly name: string },
): FileEncoding | undefined {
  const charset = script.dataScript.dataFiles?.charsetOf(name);
  if (charset === 'other')
    throw syntaxError(
      script,
      verb,
      `the encoding ${JSON.stringify(name)} of a file is not supported: save the file as UTF-8`,
    );
  return charset;
}

/** The setting of the session may be one that is not supported. */
function requireEncoding(
  script: Script,
  verb: ScriptToken,
  encoding: FileEncoding | undefined,
): FileEncoding | undefined {
  if (encoding !== 'other') return encoding;
  throw syntaxError(
    script,
    verb,
    'the encoding that the script has set is not supported for files: name that of the file in the statement',
  );
}

/** The text of a file has been converted to UTF-8. */
function decodeUtf8(raw: string): string {
  const { text, guessed } = decodeText(raw);
  if (!guessed) return text;
  throw new StudioError(
    'invalid_value',
    'The text is not valid UTF-8: name the encoding of the file in its statement, or in the parameter "encoding".',
  );
}

function decodeAscii(raw: string): string {
  if (!/[\u0080-\u00ff]/.test(raw)) return raw;
  throw new StudioError(
    'invalid_value',
    'The text is not ASCII: name the code page of the file with CODEPAGE, such as 65001 for UTF-8.',
  );
}

/** Runs a client command that reads a file: `\copy`, `\i`, `:r`. */
export function runFileCommand(sql: SqlScriptReader, command: FileCommand): void {
  if (command.kind === 'copy') readClientCopy(sql, command);
  else includeScript(sql, { path: command.text, token: command.token });
}

/** Makes a script of the archive the next text that is read. */
function includeScript(
  sql: SqlScriptReader,
  { path, token }: { readonly path: string; readonly token: ScriptToken },
): void {
  const source = fileOf(sql.script, { path: decodeText(path).text, token });
  flush(sql);
  sql.isStructure = false;
  sql.isFileUnit = true;
  sql.pendingFile = { kind: 'script', source, line: lineOf(sql.script, token.start) };
}

/** After the table, psql reads the path itself, and leaves the rest of the line to the server. */
const pathAndOptions = /^\s*(?:'((?:[^']|'')*)'|([^\s;]+))([^]*)$/;

function readClientCopy(sql: SqlScriptReader, { token, text }: FileCommand): void {
  const { script } = sql;
  const targetScript = scriptOfLine(script, token, text);
  const head = readCopyTarget(targetScript);
  unreadPeeked(targetScript);
  const found = pathAndOptions.exec(text.slice(targetScript.lexer.at));
  if (found === null) throw syntaxError(script, token, 'the path of a file is expected');
  const [, quoted, bare, options = ''] = found;
  const optionsScript = scriptOfLine(script, token, options);
  const format = readCopyFormat(optionsScript, head.columns);
  const rest = nextToken(optionsScript);
  if (rest !== undefined && rest.kind !== 'delimiter')
    throw syntaxError(optionsScript, rest, 'the end of the line is expected');
  const path = decodeText(quoted?.replaceAll("''", "'") ?? bare ?? '').text;
  readRowsOfFile(sql, { verb: token, head, path, ...copyFile(sql, { verb: token, format }) });
}

/** A part of a line as a script of its own. */
function scriptOfLine(script: Script, token: ScriptToken, text: string): Script {
  const { name, lexer, dataScript, files, now, events } = script;
  const line = openScript(name, { lexical: lexer.rules, dataScript, files, now }, events);
  appendText(line, text);
  line.isLast = true;
  line.firstLine = lineOf(script, token.start);
  line.counted = { at: 0, line: line.firstLine };
  return line;
}

/** Reads LOAD DATA, BULK INSERT or SOURCE. Returns false for another statement, of which nothing is read then. */
export function readDataFileStatement(sql: SqlScriptReader, token: ScriptToken): boolean {
  const { script } = sql;
  const { word } = token;
  const statement = script.dataScript.dataFiles?.statement;
  if (statement === 'LOAD DATA' && word === 'LOAD') readStatement(sql, readLoadData);
  else if (statement === 'LOAD DATA' && word === 'SOURCE') readSource(sql);
  else if (statement === 'BULK INSERT' && word === 'BULK') readStatement(sql, readBulkInsert);
  else return false;
  return true;
}

/** The client of MySQL reads the line, with or without a delimiter. */
function readSource(sql: SqlScriptReader): void {
  const { script } = sql;
  const token = nextToken(script) as ScriptToken;
  const { lexer } = script;
  const lineBreak = lexer.text.indexOf('\n', lexer.at);
  const end = lineBreak === -1 ? lexer.text.length : lineBreak;
  const path = lexer.text
    .slice(lexer.at, end)
    .replace(/\s*;?\s*$/, '')
    .trim();
  lexer.at = end;
  includeScript(sql, { path, token });
}

function readStatement(
  sql: SqlScriptReader,
  read: (script: Script, verb: ScriptToken) => FileStatement,
): void {
  const { script } = sql;
  const verb = nextToken(script) as ScriptToken;
  const statement = read(script, verb);
  const { head, path, charset, hasConflictRule } = statement;
  if (hasConflictRule) sql.context.warn(ruleIgnored);
  readRowsOfFile(sql, {
    verb,
    head,
    path,
    encoding: charset === undefined ? 'utf8' : charsetOf(script, { verb, name: charset }),
    fields: insertFields(
      sql.fieldsWith(statement.isAscii ? decodeAscii : decodeUtf8).insert,
      statement,
    ),
    formatFor: (columnCount) => statement.formatFor(columnCount),
  });
}

/** Reads fields as an INSERT reads the values that they stand for. */
function insertFields(
  insert: FieldReader<SqlValue>,
  { valueOf }: FileStatement,
): FieldReader<CopyField> {
  return {
    isDefault: (field, column, firstNumber) =>
      insert.isDefault(valueOf(field, column), column, firstNumber),
    readerOf: (column, firstNumber) => {
      const read = insert.readerOf(column, firstNumber);
      return (field) => read(valueOf(field, column));
    },
    nextNumber: insert.nextNumber === undefined ? undefined : null,
    shownText: (field) => insert.shownText(valueOf(field, undefined)),
  };
}
