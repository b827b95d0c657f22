import type { JSX } from 'react';
import type { Cell } from '../../../src/contract/client/client.ts';
import type { Column } from '../api/queries.ts';
import { CellView } from '../cells/cell-view.tsx';
import { truncatedValueOf } from '../cells/value-kind.ts';
import { sizeText } from '../parts/size-text.ts';
import { compareTexts } from './compare-texts.ts';
import type { TextSegment } from './compare-texts.ts';
import { editedText, isJsonColumn } from './cell-editor/typed-text.ts';
import { editingTexts as texts } from '../texts/editing.ts';

interface ChangedValueProps {
  readonly column: Column;
  readonly before: Cell;
  readonly after: Cell | undefined;
}

/** A changed value. Texts and JSON show what was added and removed; other values show as in a cell. */
export function ChangedValue({ column, before, after }: ChangedValueProps): JSX.Element {
  if (!isCompared(column, after) || after === undefined)
    return <CellView value={after} column={column} />;
  const text = editedText(after, column);
  const isKnown = isCompared(column, before);
  return <ChangedText before={isKnown ? editedText(before, column) : text} after={text} />;
}

/** Whether a value can be compared word by word: it is text or JSON that the list did not truncate. */
export function isCompared(column: Column, value: Cell | undefined): boolean {
  const isText = column.kind === 'text' || isJsonColumn(column);
  return (
    isText &&
    value !== undefined &&
    value !== null &&
    value !== '' &&
    truncatedValueOf(value) === undefined
  );
}

interface ChangedTextProps {
  readonly before: string;
  readonly after: string;
}

/** Shows added and removed words, with some unchanged text around them. */
function ChangedText({ before, after }: ChangedTextProps): JSX.Element {
  const segments = compareTexts(before, after);
  return (
    <span className="v changed-text" dir="auto">
      {segments.map((segment, i) => (
        // The index is a stable key: the compared texts do not change while they are shown.
        <SegmentView key={i} {...segment} isFirst={i === 0} isLast={i === segments.length - 1} />
      ))}
    </span>
  );
}

interface SegmentViewProps extends TextSegment {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function SegmentView({ kind, text, isFirst, isLast }: SegmentViewProps): JSX.Element {
  if (kind === 'added') return <ins>{shortenChanged(text)}</ins>;
  if (kind === 'removed') return <del>{shortenChanged(text)}</del>;
  return <>{shortenUnchanged(text, { isFirst, isLast })}</>;
}

/** A changed text longer than this shows only its two ends. */
const maxChanged = 4000;

function shortenChanged(text: string): string {
  if (text.length <= maxChanged) return text;
  const [head, tail] = [text.slice(0, maxChanged / 2), text.slice(-maxChanged / 2)];
  const size = sizeText(new Blob([text]).size - new Blob([head, tail]).size);
  return `${head.toWellFormed()} … ${texts.notShown({ size })} … ${tail.toWellFormed()}`;
}

/** Characters of unchanged text that stay visible next to a change. */
const contextLength = 60;

/** Shortens a long unchanged text to the characters next to the changes. */
function shortenUnchanged(
  text: string,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): string {
  if (text.length <= 3 * contextLength) return text;
  const head = isFirst && !isLast ? '' : text.slice(0, contextLength);
  const tail = isLast ? '' : text.slice(-contextLength);
  return `${head} … ${tail}`;
}
