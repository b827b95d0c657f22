import type { Cell } from '../../../../src/contract/client/client.ts';
import type { Column } from '../../api/responses.ts';
import { cellText, documentOf } from '../../cells/value-kind.ts';
import { compactJson, formatJson, sourceOf } from '../json-source.ts';
import { readTyped } from './read-typed.ts';
import type { ParseResult, TypingContext } from './read-typed.ts';

export function isJsonColumn({ kind }: Pick<Column, 'kind'>): boolean {
  return kind === 'json' || kind === 'array';
}

/** Returns the text of a value in an editor. */
export function editedText(value: Cell | undefined, column: Column): string {
  if (value === undefined || value === null) return '';
  if (isJsonColumn(column)) return formatJson(sourceOf(value) ?? jsonText(value));
  return cellText(value);
}

function jsonText(value: Cell): string {
  return JSON.stringify(documentOf(value));
}

/** Returns a stored text as an editor shows it: JSON is indented. */
export function shownText(storedText: string, column: Column): string {
  return isJsonColumn(column) ? formatJson(storedText) : storedText;
}

/** The initial text of an editor, and whether it is stored on one line. */
export interface InitialText {
  readonly text: string;
  readonly isOneLine: boolean;
}

/** Parses the text of an editor. JSON that was stored on one line stays on one line. */
export function readEdited(
  text: string,
  initial: InitialText,
  context: TypingContext,
): ParseResult {
  if (!isJsonColumn(context.column)) return readTyped(keepLineEnds(text, initial.text), context);
  const typed = readTyped(text, context);
  return 'problem' in typed || !initial.isOneLine ? typed : readTyped(compactJson(text), context);
}

/**
 * A text field converts every line end to a line feed. The lines before and after the edited ones
 * get their stored line ends back. The edited lines get the first stored line end.
 */
function keepLineEnds(text: string, storedText: string): string {
  const ends = storedText.match(lineEnd) ?? [];
  if (ends.every((end) => end === '\n')) return text;
  const lines = text.split(lineEnd);
  const storedLines = storedText.split(lineEnd);
  const least = Math.min(lines.length, storedLines.length);
  let before = 0;
  while (before < least && lines[before] === storedLines[before]) before++;
  let after = 0;
  while (after < least - before && lines.at(-1 - after) === storedLines.at(-1 - after)) after++;
  // With an unchanged number of lines, each line keeps its own line end.
  const isSameCount = lines.length === storedLines.length;
  const endAt = (line: number): string | undefined => {
    if (isSameCount || line < before) return ends[line];
    const fromEnd = lines.length - 1 - line;
    return fromEnd <= after ? ends[ends.length - fromEnd] : ends[0];
  };
  return lines
    .map((line, i) => (i === lines.length - 1 ? line : `${line}${endAt(i) ?? ends[0]}`))
    .join('');
}

const lineEnd = /\r\n|\r|\n/g;

/** Browsers take seconds to lay out longer texts in a field. */
export const maxFieldLength = 20_000;

/** Whether a text has several lines or does not fit into one. */
export function isLongText(text: string): boolean {
  return text.length > 60 || /[\r\n]/.test(text);
}
