import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { errorsAsCsv } from './row-errors.ts';
import type { RowError } from './row-errors.ts';
import { saveText } from './save-text.ts';
import { importingTexts as texts } from '../texts/importing.ts';

/** Downloads the errors as CSV, for whoever corrects the file. */
export function ErrorsButton({ errors }: { readonly errors: readonly RowError[] }): JSX.Element {
  return (
    <button
      className="btn"
      onClick={() => saveText({ name: 'errors.csv', type: 'text/csv', text: errorsAsCsv(errors) })}
    >
      <Icon name="download" size="s" /> {texts.downloadErrors}
    </button>
  );
}
