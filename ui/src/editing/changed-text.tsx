import type { JSX } from 'react';
import type { Cell } from '../../../src/contract/client.ts';
import type { Column } from '../api/queries.ts';
import { CellView } from '../cells/cell-view.tsx';
import { cutOf } from '../cells/value-kind.ts';
import { compareTexts } from './compare-texts.ts';
import type { Stretch } from './compare-texts.ts';
import { editedText, isJsonColumn } from './typed-text.ts';

interface ChangedValueProps {
  readonly column: Column;
  readonly before: Cell;
  readonly after: Cell | undefined;
}

/** A value with what has changed of it; what is no text as a cell shows it. */
export function ChangedValue({ column, before, after }: ChangedValueProps): JSX.Element {
  if (!isCompared(column, after) || after === undefined)
    return <CellView value={after} column={column} />;
  const text = editedText(after, column);
  const isKnown = isCompared(column, before);
  return <ChangedText before={isKnown ? editedText(before, column) : text} after={text} />;
}

/** Whether a value is compared word by word: a text or JSON, and whole. */
export function isCompared(column: Column, value: Cell | undefined): boolean {
  const isText = column.kind === 'text' || isJsonColumn(column);
  return (
    isText && value !== undefined && value !== null && value !== '' && cutOf(value) === undefined
  );
}

interface ChangedTextProps {
  readonly before: string;
  readonly after: string;
}

/** Words that came, words that went, and of the rest what is around them. */
function ChangedText({ before, after }: ChangedTextProps): JSX.Element {
  const stretches = compareTexts(before, after);
  return (
    <span className="v changed-text" dir="auto">
      {stretches.map((stretch, i) => (
        // What is compared does not change while it is shown.
        <StretchView key={i} {...stretch} isFirst={i === 0} isLast={i === stretches.length - 1} />
      ))}
    </span>
  );
}

interface StretchViewProps extends Stretch {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function StretchView({ kind, text, isFirst, isLast }: StretchViewProps): JSX.Element {
  if (kind === 'added') return <ins>{text}</ins>;
  if (kind === 'removed') return <del>{text}</del>;
  return <>{folded(text, { isFirst, isLast })}</>;
}

const shownAround = 60;

/** Only what is next to a change, where there is more. */
function folded(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  if (text.length <= 3 * shownAround) return text;
  const head = isFirst && !isLast ? '' : text.slice(0, shownAround);
  const tail = isLast ? '' : text.slice(-shownAround);
  return `${head} … ${tail}`;
}
