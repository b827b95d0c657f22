/** Reads the rows between COPY … FROM stdin and `\.`. */
import { textReader } from '../../model/values/read-text-value.ts';
import { amountReader } from './values/money.ts';
import { isTimeType } from '../../sql/expression/time-literal.ts';
import { fileTypeCheck, fileValueCheck } from './insert/check-file-type.ts';
import { copyFieldsOf, endOfRecord } from './insert/copy-fields.ts';
import { byteaOf, fileTypeReader } from './insert/read-file-type.ts';
import { timeConverter } from './insert/read-time.ts';
import { lineOf, syntaxError } from './script/script.ts';
import type { Column } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { DataScriptRules } from '../../sql/data-script.ts';
import type { CopyField } from './insert/copy-fields.ts';
import type { CopyFormat } from './insert/copy-format.ts';
import type { TimeOptions } from './insert/read-time.ts';
import type { FieldReader, RowGroup } from './insert/row-groups.ts';
import type { Script } from './script/script.ts';
import type { DecodeText } from './script/session.ts';

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
  const lineBreak = endOfRecord(lexer, format);
  if (lineBreak === -1 && !isLast) return undefined;
  const lineEnd = lineBreak === -1 ? text.length : lineBreak;
  const end = text[lineEnd - 1] === '\r' && lineEnd > at ? lineEnd - 1 : lineEnd;
  const line = text.slice(at, end);
  const isEnd = line === '\\.';
  if (!isEnd && lineBreak === -1)
    throw syntaxError(script, undefined, 'the rows of COPY must end with a line "\\."');
  if (!isEnd)
    group?.add({
      fields: copyFieldsOf(line, format, group.target.columns.length),
      line: lineOf(script, at),
      size: line.length + 1,
    });
  lexer.at = Math.min(lineEnd + 1, text.length);
  lexer.atLineStart = true;
  return isEnd ? 'end' : 'row';
}
