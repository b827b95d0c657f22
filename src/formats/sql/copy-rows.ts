/** Reads the rows between COPY … FROM stdin and `\.`, in COPY's text format. */
import { textReader } from '../../model/values/read-text-value.ts';
import { amountReader } from './values/money.ts';
import { isTimeType } from '../../sql/expression/time-literal.ts';
import { byteaOf, fileTypeReader } from './insert/read-file-type.ts';
import { timeConverter } from './insert/read-time.ts';
import { lineOf, syntaxError } from './script/script.ts';
import type { Column } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { DataScriptRules } from '../../sql/data-script.ts';
import type { TimeOptions } from './insert/read-time.ts';
import type { FieldReader, RowGroup } from './insert/row-groups.ts';
import type { Script } from './script/script.ts';
import type { DecodeText } from './script/session.ts';

/** Bytes as Latin-1 characters; null for NULL. */
export type CopyField = string | null;

export interface CopyOptions extends TimeOptions {
  readonly dataScript: DataScriptRules;
  readonly decode: DecodeText;
}

export function copyFields(options: CopyOptions): FieldReader<CopyField> {
  const { decode } = options;
  return {
    isDefault: () => false,
    readerOf: (column) => copyReader(column, options),
    shownText: (field) => (field === null ? null : decode(field)),
  };
}

function copyReader(column: Column, options: CopyOptions): (field: CopyField) => Value {
  const { decode } = options;
  const special = specialReader(column, options);
  if (special !== undefined) return (field) => (field === null ? null : special(field));
  const read = textReader(column);
  const readAmount = amountReader(column);
  return (field) => (field === null ? null : read(readAmount(decode(field))));
}

/** Reads columns whose texts in the file are not those of the column. */
function specialReader(
  column: Column,
  options: CopyOptions,
): ((field: string) => Value) | undefined {
  const { decode, isOwnDialect } = options;
  const fileType = fileTypeReader(column, options);
  if (fileType !== undefined) return fileType.text;
  // Servers before 9.0 write bytea with escapes.
  if (column.type.kind === 'binary' && column.dynamic !== true)
    return (field) => byteaOf(field, column);
  if (isOwnDialect || !isTimeType(column.type)) return undefined;
  const read = textReader(column);
  const toIso = timeConverter(column, options);
  return (field) => read(toIso(decode(field)));
}

/** Reads a line: a `row` or the `end`; undefined if the text does not contain all of it. */
export function readCopyLine(
  script: Script,
  group: RowGroup<CopyField> | undefined,
): 'row' | 'end' | undefined {
  const { lexer, isLast } = script;
  const { text, at } = lexer;
  const lineBreak = text.indexOf('\n', at);
  if (lineBreak === -1 && !isLast) return undefined;
  const lineEnd = lineBreak === -1 ? text.length : lineBreak;
  const end = text[lineEnd - 1] === '\r' && lineEnd > at ? lineEnd - 1 : lineEnd;
  const line = text.slice(at, end);
  const isEnd = line === '\\.';
  if (!isEnd && lineBreak === -1)
    throw syntaxError(script, undefined, 'the rows of COPY must end with a line "\\."');
  if (!isEnd) addLine(script, group, line);
  lexer.at = Math.min(lineEnd + 1, text.length);
  lexer.atLineStart = true;
  return isEnd ? 'end' : 'row';
}

function addLine(script: Script, group: RowGroup<CopyField> | undefined, line: string): void {
  const isEmptyRow = line === '' && group?.target.columns.length === 0;
  const fields = isEmptyRow ? [] : line.split('\t').map(copyField);
  group?.add({ fields, line: lineOf(script, script.lexer.at), size: line.length + 1 });
}

const escapes = /\\(x[\da-fA-F]{1,2}|[0-7]{1,3}|[^])/g;
const escapeCharacters: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function copyField(field: string): CopyField {
  if (!field.includes('\\')) return field;
  if (field === '\\N') return null;
  return field.replaceAll(escapes, (_, escape: string) => {
    if (/^x./.test(escape)) return String.fromCharCode(Number(`0${escape}`));
    if (/^[0-7]/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8) & 0xff);
    return escapeCharacters[escape] ?? escape;
  });
}
