/** Reads BULK INSERT: https://learn.microsoft.com/en-us/sql/t-sql/statements/bulk-insert-transact-sql */
import { readNameParts } from '../insert/read-names.ts';
import { acceptWord, expectWord, nextToken, peekToken, syntaxError } from '../script/script.ts';
import { decodeText } from '../values/literals.ts';
import { bulkRecords } from './bulk-records.ts';
import { expectEnd, readBytes, readCount } from './file-statement.ts';
import type { Column } from '../../../model/schema.ts';
import type { CopyField } from '../insert/copy-fields.ts';
import type { Script, ScriptToken } from '../script/script.ts';
import type { SqlValue } from '../values/literals.ts';
import type { BulkFormat } from './bulk-records.ts';
import type { FileStatement } from './file-statement.ts';

interface BulkOptions extends BulkFormat {
  readonly charset: string | undefined;
  readonly keepsIdentity: boolean;
  readonly keepsNulls: boolean;
}

type Options = { -readonly [Name in keyof BulkOptions]?: BulkOptions[Name] };

/** Reads the statement after its verb, up to its end. */
export function readBulkInsert(script: Script, verb: ScriptToken): FileStatement {
  if (!acceptWord(script, 'INSERT')) throw syntaxError(script, verb, 'expected "BULK INSERT"');
  const parts = readNameParts(script);
  expectWord(script, 'FROM');
  const path = decodeText(readBytes(script)).text;
  const options: Options = {};
  if (acceptWord(script, 'WITH')) {
    expectWord(script, '(');
    do readOption(script, options);
    while (acceptWord(script, ','));
    expectWord(script, ')');
  }
  if (peekToken(script)?.kind !== 'word') expectEnd(script, 'the end of BULK INSERT is expected');
  const { keepsIdentity = false, keepsNulls = false } = options;
  return {
    head: { parts, columns: undefined },
    path,
    charset: options.charset,
    // It is the code page of the server.
    isAscii: options.charset === undefined,
    hasConflictRule: false,
    formatFor: (columnCount) => bulkRecords(options, columnCount),
    valueOf: (field, column) => valueOf(field, column, { keepsIdentity, keepsNulls }),
  };
}

function readOption(script: Script, options: Options): void {
  const token = nextToken(script);
  const read = optionReaders[token?.word ?? ''];
  if (read === undefined)
    throw syntaxError(
      script,
      token,
      'this option of BULK INSERT is not supported, which would change how its file is read',
    );
  read(script, options);
}

/** Those without an entry are rejected. */
const optionReaders: Readonly<Record<string, (script: Script, options: Options) => void>> = {
  CHECK_CONSTRAINTS: () => undefined,
  TABLOCK: () => undefined,
  BATCHSIZE: ignoreValue,
  KILOBYTES_PER_BATCH: ignoreValue,
  ROWS_PER_BATCH: ignoreValue,
  ORDER: skipParentheses,
  KEEPIDENTITY: (_, options) => void (options.keepsIdentity = true),
  KEEPNULLS: (_, options) => void (options.keepsNulls = true),
  FIRSTROW: (script, options) => {
    options.firstRow = readNumber(script);
  },
  LASTROW: (script, options) => {
    options.lastRow = readNumber(script);
  },
  FIELDTERMINATOR: (script, options) => {
    options.delimiter = readTerminator(script);
  },
  ROWTERMINATOR: (script, options) => {
    options.rowEnd = readTerminator(script);
  },
  FIELDQUOTE: (script, options) => {
    options.quote = readText(script);
  },
  CODEPAGE: (script, options) => {
    options.charset ??= readText(script);
  },
  DATAFILETYPE: (script, options) => {
    const token = peekToken(script);
    const type = readText(script).toLowerCase();
    if (type === 'widechar') options.charset = 'UTF-16';
    else if (type !== 'char')
      throw syntaxError(script, token, 'of DATAFILETYPE, char and widechar are supported');
  },
  FORMAT: (script, options) => {
    const token = peekToken(script);
    if (readText(script).toUpperCase() !== 'CSV')
      throw syntaxError(script, token, 'of FORMAT, CSV is supported');
    options.isCsv = true;
  },
};

function readText(script: Script): string {
  expectWord(script, '=');
  return readBytes(script);
}

function readNumber(script: Script): number {
  expectWord(script, '=');
  return readCount(script);
}

function ignoreValue(script: Script): void {
  readNumber(script);
}

function skipParentheses(script: Script): void {
  expectWord(script, '(');
  let token = nextToken(script);
  while (token !== undefined && token.word !== ')') token = nextToken(script);
}

/** Reads `'\t'`, `'0x0a'` or other texts. */
function readTerminator(script: Script): string {
  const token = peekToken(script);
  const text = readText(script);
  if (text === '') throw syntaxError(script, token, 'a terminator is expected');
  if (/^0x(?:[\da-f]{2})+$/i.test(text))
    return Buffer.from(text.slice(2), 'hex').toString('latin1');
  return text.replaceAll(/\\([tnr0\\])/g, (_, letter: string) => escapes[letter]!);
}

const escapes: Readonly<Record<string, string>> = {
  t: '\t',
  n: '\n',
  r: '\r',
  0: '\0',
  '\\': '\\',
};

/** An empty field is the default of its column. A field of one NUL character is an empty text. */
function valueOf(
  field: CopyField,
  column: Column | undefined,
  { keepsIdentity, keepsNulls }: Pick<BulkOptions, 'keepsIdentity' | 'keepsNulls'>,
): SqlValue {
  if (column?.autoIncrement === true && !keepsIdentity) return { kind: 'default' };
  if (field === null || field === '') {
    const hasDefault = !keepsNulls && column?.default !== undefined;
    return { kind: hasDefault ? 'default' : 'null' };
  }
  if (field === '\0') return { kind: 'text', raw: '' };
  const type = column?.fileType ?? column?.type;
  // Other databases may compare the blanks with which the server fills up such a column.
  if (type?.kind === 'text' && type.fixed === true)
    return { kind: 'text', raw: field.replace(/ +$/, '') };
  const isHex = type?.kind === 'binary' && /^(?:[\da-f]{2})+$/i.test(field);
  return isHex ? { kind: 'bytes', bytes: Buffer.from(field, 'hex') } : { kind: 'text', raw: field };
}
