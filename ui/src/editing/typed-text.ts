import type { Cell } from '../../../src/contract/client.ts';
import type { Column } from '../api/answers.ts';
import { cellText, documentOf } from '../cells/value-kind.ts';
import { compactJson, formatJson, sourceOf } from './json-source.ts';
import { readTyped } from './read-typed.ts';
import type { Typed, Typing } from './read-typed.ts';

export function isJsonColumn({ kind }: Pick<Column, 'kind'>): boolean {
  return kind === 'json' || kind === 'array';
}

/** The text that stands in an editor for a value. */
export function editedText(value: Cell | undefined, column: Column): string {
  if (value === undefined || value === null) return '';
  if (isJsonColumn(column)) return formatJson(sourceOf(value) ?? jsonText(value));
  return cellText(value);
}

function jsonText(value: Cell): string {
  return JSON.stringify(documentOf(value));
}

/** The stored text as it is shown in an editor. */
export function shownText(stored: string, column: Column): string {
  return isJsonColumn(column) ? formatJson(stored) : stored;
}

/** What an editor began with, and whether that is stored on one line. */
export interface EditedFrom {
  readonly text: string;
  readonly isOneLine: boolean;
}

/** What was typed in the place of a stored text: JSON stays on one line when it was on one. */
export function readEdited(text: string, from: EditedFrom, typing: Typing): Typed {
  if (!isJsonColumn(typing.column)) return readTyped(keepLineEnds(text, from.text), typing);
  const typed = readTyped(text, typing);
  return 'problem' in typed || !from.isOneLine ? typed : readTyped(compactJson(text), typing);
}

/**
 * A text field turns every line end into a line feed. The lines before and after the edited ones keep
 * those of the stored text, and the edited ones have the first one that is stored.
 */
function keepLineEnds(text: string, stored: string): string {
  const ends = stored.match(lineEnd) ?? [];
  if (ends.every((end) => end === '\n')) return text;
  const lines = text.split(lineEnd);
  const storedLines = stored.split(lineEnd);
  const least = Math.min(lines.length, storedLines.length);
  let before = 0;
  while (before < least && lines[before] === storedLines[before]) before++;
  let after = 0;
  while (after < least - before && lines.at(-1 - after) === storedLines.at(-1 - after)) after++;
  // A line that only begins or ends otherwise still has its end.
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

/** More than a line, or longer than a line shows. */
export function isLongText(text: string): boolean {
  return text.length > 60 || /[\r\n]/.test(text);
}
