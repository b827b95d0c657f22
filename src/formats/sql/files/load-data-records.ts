/** The records of a file that LOAD DATA reads, as the server splits them. */
import { StudioError } from '../../../model/errors.ts';
import { controlEscapesOfMysql } from '../values/literals.ts';
import { createFieldText } from '../insert/field-text.ts';
import type { CopyField } from '../insert/copy-fields.ts';
import type { FileRecord, FileText, RecordFormat } from './data-file.ts';

/** Characters are bytes, as Latin-1. An empty text means none. */
export interface LoadDataFormat {
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  /** Before this text, a line is left out. */
  readonly lineStart: string;
  readonly lineEnd: string;
  readonly skippedLines: number;
}

export function loadDataRecords(format: LoadDataFormat): RecordFormat {
  return {
    skippedLines: format.skippedLines,
    shouldWarnWithoutRows: true,
    skipLine: (file) => endOfLine(file, format),
    readRecord: (file) => {
      const start = startOfFields(file, format);
      if (typeof start === 'string') return start;
      return readFields({ ...file, at: start }, format);
    },
  };
}

/** Skipped lines may end within quotes, but not at an escaped character. */
function endOfLine(
  { text, at, isLast }: FileText,
  { escape, lineEnd }: LoadDataFormat,
): number | undefined {
  for (let index = at; index < text.length; index++) {
    if (text[index] === escape) index++;
    else if (text.startsWith(lineEnd, index)) return index + lineEnd.length;
  }
  return isLast ? text.length : undefined;
}

function startOfFields(
  { text, at, isLast }: FileText,
  { lineStart }: LoadDataFormat,
): number | 'incomplete' | 'end' {
  const start = lineStart === '' ? at : text.indexOf(lineStart, at);
  if (start !== -1 && start + lineStart.length < text.length) return start + lineStart.length;
  return isLast ? 'end' : 'incomplete';
}

/** The end of a field: its delimiter, the end of the line, or that of the file. */
interface FieldEnd {
  readonly field: CopyField;
  readonly end: number;
  /** No other field of the record follows. */
  readonly isEndOfRecord: boolean;
}

function readFields(file: FileText, format: LoadDataFormat): FileRecord | 'incomplete' {
  const fields: CopyField[] = [];
  let { at } = file;
  for (;;) {
    const found = readField({ ...file, at }, format);
    if (found === undefined) return 'incomplete';
    fields.push(found.field);
    at = found.end;
    // The server does not read an empty field at the end of the file.
    if (found.isEndOfRecord || (file.isLast && at >= file.text.length)) return { fields, end: at };
  }
}

/** Undefined if the text may not contain all of the field and its delimiter. */
function readField(file: FileText, format: LoadDataFormat): FieldEnd | undefined {
  const { text, at, isLast } = file;
  const { delimiter, quote, escape, lineEnd } = format;
  const margin = Math.max(delimiter.length, lineEnd.length, 2);
  const isQuoted = quote !== '' && text[at] === quote;
  const value = createFieldText();
  const first = isQuoted ? at + 1 : at;
  let [start, hasNull] = [first, false];
  const endPart = (end: number, next: number): void => {
    if (end > start) value.add(text.slice(start, end));
    start = next;
  };
  const found = (end: number, mark: { readonly at: number; readonly text: string }): FieldEnd => {
    endPart(end, end);
    return {
      field: fieldOf(value.take(), { isQuoted, hasNull, hasQuotes: quote !== '' }),
      end: mark.at + mark.text.length,
      isEndOfRecord: mark.text !== delimiter,
    };
  };
  for (let index = first; ; index++) {
    // A delimiter, or a doubled quote, may continue after the text.
    if (!isLast && index + margin > text.length) return undefined;
    if (index >= text.length) {
      if (isQuoted) throw new StudioError('parse_failed', 'a quote is not closed.');
      return found(text.length, { at: text.length, text: '' });
    }
    const character = text[index]!;
    const next = text[index + 1];
    if (character === escape && (escape !== quote || next === escape) && next !== undefined) {
      hasNull ||= next === 'N' && escape !== quote;
      endPart(index, index + 2);
      value.add(escape === quote ? next : (controlEscapesOfMysql[next] ?? next));
      index++;
    } else if (isQuoted && character === quote) {
      const mark = next === quote ? undefined : markAt(text, index + 1, format);
      if (mark !== undefined) return found(index, { at: index + 1, text: mark });
      if (next === quote) {
        endPart(index, index + 1);
        index++;
      }
    } else if (!isQuoted) {
      const mark = markAt(text, index, format);
      if (mark !== undefined) return found(index, { at: index, text: mark });
    }
  }
}

/** The text that ends a field at an offset. */
function markAt(
  text: string,
  at: number,
  { delimiter, lineEnd }: LoadDataFormat,
): string | undefined {
  if (text.startsWith(lineEnd, at)) return lineEnd;
  if (text.startsWith(delimiter, at)) return delimiter;
  return at === text.length ? '' : undefined;
}

interface FieldState {
  readonly isQuoted: boolean;
  /** `\N` is part of the field. */
  readonly hasNull: boolean;
  /** The format has quotes, so a NULL without them is one. */
  readonly hasQuotes: boolean;
}

function fieldOf(value: string, { isQuoted, hasNull, hasQuotes }: FieldState): CopyField {
  if (hasNull && value.length === 1) return null;
  return hasQuotes && !isQuoted && value === 'NULL' ? null : value;
}
