import type { JSX } from 'react';
import { maxFieldLength } from '../editing/cell-editor/typed-text.ts';
import { sizeText } from '../parts/size-text.ts';
import { recordTexts as texts } from '../texts/record.ts';

export function isTooLongToShow(text: string): boolean {
  return text.length > maxFieldLength;
}

interface TextBeginningProps {
  readonly text: string;
  /** Names the button that shows the whole text. Without it there is none. */
  readonly label?: string;
  readonly onShowAll?: () => void;
}

/** The beginning of a text that is too long to show whole at once. */
export function TextBeginning({ text, label, onShowAll }: TextBeginningProps): JSX.Element {
  const size = sizeText(new Blob([text]).size);
  return (
    <>
      {`${text.slice(0, maxFieldLength).toWellFormed()}…`}
      {onShowAll === undefined ? (
        <span className="t3">{` ${texts.sizeInTotal({ size })}`}</span>
      ) : (
        <button className="badge line whole" aria-label={label} onClick={onShowAll}>
          {texts.editAll({ size })}
        </button>
      )}
    </>
  );
}
