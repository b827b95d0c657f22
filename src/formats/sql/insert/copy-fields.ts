/** Splits the lines of COPY into fields. */
import { createFieldText } from './field-text.ts';
import type { CopyFormat, FieldChoice } from './copy-format.ts';

/** Bytes as Latin-1 characters; null for NULL. */
export type CopyField = string | null;

/** The offset of the character that ends a line, or in CSV a record, in whose quotes others are; -1 if there is none. */
export function endOfRecord(
  { text, at }: { readonly text: string; readonly at: number },
  { isCsv, quote, escape }: CopyFormat,
  lineBreak: '\n' | '\r' = '\n',
): number {
  if (!isCsv) return endOfLine(text, at, lineBreak);
  let isQuoted = false;
  for (let index = at; index < text.length; index++) {
    const character = text[index];
    if (isQuoted && character === escape && escape !== quote) index++;
    else if (character === quote) isQuoted = !isQuoted;
    else if (character === lineBreak && !isQuoted) return index;
  }
  return -1;
}

/** The fields of a line, in CSV of a record, without its line break. */
export function copyFieldsOf(
  line: string,
  format: CopyFormat,
  columnCount: number,
): readonly CopyField[] {
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

/** A line break after a backslash is part of its field. */
function endOfLine(text: string, at: number, lineBreak: string): number {
  let end = text.indexOf(lineBreak, at);
  while (end > at && text[end - 1] === '\\' && endsWithEscape(text.slice(at, end)))
    end = text.indexOf(lineBreak, end + 1);
  return end;
}

/** An even number of backslashes is that of escaped ones. */
function endsWithEscape(part: string): boolean {
  let start = part.length;
  while (part[start - 1] === '\\') start--;
  return (part.length - start) % 2 === 1;
}

/** NULL has no quotes, unless an option says otherwise. */
function csvFields(
  line: string,
  { delimiter, nullText, quote, escape, forceNull, forceNotNull }: CopyFormat,
): readonly CopyField[] {
  const fields: CopyField[] = [];
  const text = createFieldText();
  let [start, isQuoted, hasQuotes] = [0, false, false];
  const endPart = (end: number, next: number): void => {
    if (end > start) text.add(line.slice(start, end));
    start = next;
  };
  const endField = (end: number): void => {
    endPart(end, end + 1);
    const field = text.take();
    const { length } = fields;
    const canBeNull = hasQuotes ? isSelected(forceNull, length) : !isSelected(forceNotNull, length);
    fields.push(canBeNull && field === nullText ? null : field);
    hasQuotes = false;
  };
  for (let index = 0; index < line.length; index++) {
    const character = line[index]!;
    const next = line[index + 1];
    if (isQuoted && character === escape && (next === quote || next === escape)) {
      // The escaped character begins the next part.
      endPart(index, index + 1);
      index++;
    } else if (character === quote) {
      endPart(index, index + 1);
      isQuoted = !isQuoted;
      hasQuotes = true;
    } else if (character === delimiter && !isQuoted) endField(index);
  }
  endField(line.length);
  return fields;
}

function isSelected(choice: FieldChoice | undefined, position: number): boolean {
  return choice === 'all' || choice?.has(position) === true;
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
