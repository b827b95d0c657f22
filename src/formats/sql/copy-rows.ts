/** Reads the rows between COPY … FROM stdin and `\.`. */
import { textReader } from '../../model/values/read-text-value.ts';
import { amountReader } from './values/money.ts';
import { isTimeType } from '../../sql/expression/time-literal.ts';
import { fileTypeCheck, fileValueCheck } from './insert/check-file-type.ts';
import { byteaOf, fileTypeReader } from './insert/read-file-type.ts';
import { timeConverter } from './insert/read-time.ts';
import { lineOf, syntaxError } from './script/script.ts';
import type { Column } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { DataScriptRules } from '../../sql/data-script.ts';
import type { CopyFormat } from './insert/copy-format.ts';
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
  const { decode, dataScript } = options;
  const checkValue = fileValueCheck(column, dataScript);
  const special = specialReader(column, options);
  if (special !== undefined) return (field) => (field === null ? null : checkValue(special(field)));
  const read = textReader(column);
  const readAmount = amountReader(column);
  const check = fileTypeCheck(column, dataScript);
  return (field) => (field === null ? null : checkValue(read(check(readAmount(decode(field))))));
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
  const check = fileTypeCheck(column, options.dataScript);
  return (field) => read(check(toIso(decode(field))));
}

/** Reads a line, in CSV a record: a `row` or the `end`; undefined if the text does not contain all of it. */
export function readCopyLine(
  script: Script,
  format: CopyFormat,
  group: RowGroup<CopyField> | undefined,
): 'row' | 'end' | undefined {
  const { lexer, isLast } = script;
  const { text, at } = lexer;
  const lineBreak = endOfRecord(text, at, format);
  if (lineBreak === -1 && !isLast) return undefined;
  const lineEnd = lineBreak === -1 ? text.length : lineBreak;
  const end = text[lineEnd - 1] === '\r' && lineEnd > at ? lineEnd - 1 : lineEnd;
  const line = text.slice(at, end);
  const isEnd = line === '\\.';
  if (!isEnd && lineBreak === -1)
    throw syntaxError(script, undefined, 'the rows of COPY must end with a line "\\."');
  if (!isEnd)
    group?.add({
      fields: fieldsOf(line, format, group.target.columns.length),
      line: lineOf(script, at),
      size: line.length + 1,
    });
  lexer.at = Math.min(lineEnd + 1, text.length);
  lexer.atLineStart = true;
  return isEnd ? 'end' : 'row';
}

/** The line break that ends a line, or in CSV a record, in whose quotes others are. */
function endOfRecord(text: string, at: number, { isCsv, quote, escape }: CopyFormat): number {
  if (!isCsv) return text.indexOf('\n', at);
  let isQuoted = false;
  for (let index = at; index < text.length; index++) {
    const character = text[index];
    if (isQuoted && character === escape && escape !== quote) index++;
    else if (character === quote) isQuoted = !isQuoted;
    else if (character === '\n' && !isQuoted) return index;
  }
  return -1;
}

function fieldsOf(line: string, format: CopyFormat, columnCount: number): readonly CopyField[] {
  if (line === '' && columnCount === 0) return [];
  return format.isCsv ? csvFields(line, format) : textFields(line, format);
}

function textFields(line: string, { delimiter, nullText }: CopyFormat): readonly CopyField[] {
  return splitUnescaped(line, delimiter).map((field) =>
    field === nullText ? null : textField(field),
  );
}

/** A backslash before a delimiter makes it part of the field. */
function splitUnescaped(line: string, delimiter: string): readonly string[] {
  const parts = line.split(delimiter);
  if (!line.includes(`\\${delimiter}`)) return parts;
  const fields: string[] = [];
  let isOpen = false;
  for (const part of parts) {
    if (isOpen) fields.push(`${fields.pop() ?? ''}${delimiter}${part}`);
    else fields.push(part);
    isOpen = endsWithEscape(part);
  }
  return fields;
}

/** An even number of backslashes is that of escaped ones. */
function endsWithEscape(part: string): boolean {
  let start = part.length;
  while (part[start - 1] === '\\') start--;
  return (part.length - start) % 2 === 1;
}

/** NULL has no quotes. */
function csvFields(
  line: string,
  { delimiter, nullText, quote, escape }: CopyFormat,
): readonly CopyField[] {
  const fields: CopyField[] = [];
  let [field, isQuoted, hasQuotes] = ['', false, false];
  const endField = (): void => {
    fields.push(!hasQuotes && field === nullText ? null : field);
    [field, hasQuotes] = ['', false];
  };
  for (let index = 0; index < line.length; index++) {
    const character = line[index]!;
    const next = line[index + 1];
    if (isQuoted && character === escape && (next === quote || next === escape)) {
      field += next;
      index++;
    } else if (character === quote) {
      isQuoted = !isQuoted;
      hasQuotes = true;
    } else if (character === delimiter && !isQuoted) endField();
    else field += character;
  }
  endField();
  return fields;
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

function textField(field: string): string {
  if (!field.includes('\\')) return field;
  return field.replaceAll(escapes, (_, escape: string) => {
    if (/^x./.test(escape)) return String.fromCharCode(Number(`0${escape}`));
    if (/^[0-7]/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8) & 0xff);
    return escapeCharacters[escape] ?? escape;
  });
}
