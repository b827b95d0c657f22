import { useRef } from 'react';
import type { JSX } from 'react';
import type { Column } from '../../api/queries.ts';
import { Icon } from '../../parts/icon.tsx';
import { editingTexts as texts } from '../../texts/editing.ts';

interface DateButtonProps {
  readonly column: Column;
  readonly text: string;
  readonly onPick: (text: string) => void;
}

/** Opens the browser's date picker for the date in a text. Time and time zone do not change. */
export function DateButton({ column, text, onPick }: DateButtonProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span className="moment">
      <input
        ref={input}
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        value={dateOf(text)}
        onChange={(event) => {
          if (event.target.value !== '') onPick(withDate(text, event.target.value, column));
        }}
      />
      <button
        type="button"
        className="ib sm"
        aria-label={texts.chooseDate({ column: column.name })}
        onClick={() => input.current?.showPicker()}
      >
        <Icon name="calendar" size="s" />
      </button>
    </span>
  );
}

/** The date at the beginning of a text. Empty if there is none, or no such day. */
function dateOf(text: string): string {
  const [date = ''] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(date) ? '' : date;
}

/** Replaces the date. A text without a date gets midnight if the column is a timestamp. */
function withDate(text: string, date: string, { kind }: Column): string {
  const rest = text.replace(/^\d{4}-\d{2}-\d{2}/, '');
  if (rest !== text) return `${date}${rest}`;
  return kind === 'timestamp' ? `${date} 00:00:00` : date;
}
