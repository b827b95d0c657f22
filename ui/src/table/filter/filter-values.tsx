/** The fields for the values of a filter. */
import { useState } from 'react';
import type { JSX } from 'react';
import type { Column, Table } from '../../api/queries.ts';
import { cellText, choicesOf, isNumberColumn } from '../../cells/value-kind.ts';
import { ReferencePicker } from '../../editing/cell-editor/reference-picker.tsx';
import { focusOnMount } from '../../parts/focus-on-mount.ts';
import { Icon } from '../../parts/icon.tsx';
import { splitList } from './filter-list.ts';
import { ReferenceText } from '../reference-text.tsx';
import { tableTexts as texts } from '../../texts/table.ts';
import { commonTexts } from '../../texts/common.ts';

export interface FilterValuesProps {
  readonly table: Table;
  readonly column: Column;
  readonly isList: boolean;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** Applies the filter with these values. */
  readonly onDone: (values: readonly string[]) => void;
  /** Whether the field has the focus when the form opens. */
  readonly isFirst: boolean;
}

export function TextValue(props: FilterValuesProps): JSX.Element {
  const { column, values, onChange, isFirst } = props;
  return (
    <label>
      <span className="t3">{commonTexts.value}</span>
      <span className="field">
        <input
          ref={isFirst ? focusOnMount : undefined}
          aria-label={commonTexts.value}
          inputMode={isNumberColumn(column) ? 'decimal' : 'text'}
          value={values[0] ?? ''}
          onChange={(event) => onChange([event.target.value])}
        />
      </span>
    </label>
  );
}

/** A list that is typed or pasted. Each value is a chip. */
export function ListValues(props: FilterValuesProps): JSX.Element {
  const { values, onChange, onDone, isFirst } = props;
  const [typed, setTyped] = useState('');
  const withTyped = (text: string): readonly string[] => [
    ...new Set([...values, ...splitList(text)]),
  ];
  const add = (text: string): void => {
    onChange(withTyped(text));
    setTyped('');
  };
  return (
    <div className="filter-list">
      <ValueChips {...props} />
      <span className="field">
        <input
          ref={isFirst ? focusOnMount : undefined}
          aria-label={texts.values}
          placeholder={texts.typeValues}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => add(typed)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text/plain');
            if (typed !== '' || splitList(pasted).length < 2) return;
            event.preventDefault();
            add(pasted);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && typed !== '') {
              event.preventDefault();
              onDone(withTyped(typed));
            }
            if (event.key === ',' && !/^\s*["'[]/.test(typed)) {
              event.preventDefault();
              add(typed);
            }
            if (event.key === 'Backspace' && typed === '') onChange(values.slice(0, -1));
          }}
        />
      </span>
    </div>
  );
}

/** The values that a type has: one of them, or some. */
export function ChoiceValues(props: FilterValuesProps): JSX.Element {
  const { column, isList, values, onChange, isFirst } = props;
  const choices = choicesOf(column) ?? [];
  const otherValues = values.filter((value) => value !== '' && !choices.includes(value));
  return (
    <fieldset className="filter-choices" aria-label={commonTexts.value}>
      {[...choices, ...otherValues].map((choice, i) => (
        <label key={choice} className="row checked">
          <input
            ref={isFirst && i === 0 ? focusOnMount : undefined}
            type={isList ? 'checkbox' : 'radio'}
            name="value"
            checked={values.includes(choice)}
            onChange={(event) => {
              const rest = isList ? values.filter((value) => value !== choice) : [];
              onChange(event.target.checked ? [...rest, choice] : rest);
            }}
          />
          <span className="cut">{choice}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The rows that a foreign key can reference. */
export function ReferenceValues(props: FilterValuesProps): JSX.Element {
  const { table, column, isList, values, onChange, onDone, isFirst } = props;
  const [hasPicked, setPicked] = useState(false);
  const pick = (value: string): void => {
    if (!isList) return onDone([value]);
    setPicked(true);
    onChange([...new Set([...values, value])]);
  };
  return (
    <div className="filter-list">
      <ValueChips {...props} />
      <ReferencePicker
        // A picked value empties the search field.
        key={values.length}
        table={table}
        column={column}
        takesFocus={isFirst || hasPicked}
        onPick={(row) => pick(cellText(row[column.name] ?? null))}
        onMissing={pick}
        onLeave={() => {
          if (values.length > 0) onDone(values);
        }}
      />
    </div>
  );
}

function ValueChips(props: FilterValuesProps): JSX.Element | null {
  const { values, onChange } = props;
  if (values.length === 0) return null;
  return (
    <ul className="value-chips" aria-label={texts.values}>
      {values.map((value) => (
        <li key={value} className="fchip">
          <span className="val cut">
            <ReferenceText {...props} value={value} />
          </span>
          <button
            type="button"
            className="x"
            aria-label={texts.removeValue({ value })}
            onClick={() => onChange(values.filter((other) => other !== value))}
          >
            <Icon name="close" size="xs" />
          </button>
        </li>
      ))}
    </ul>
  );
}
