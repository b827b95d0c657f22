import type { JSX } from 'react';
import { CellView } from '../cells/cell-view.tsx';
import { emptyValueLabel } from '../cells/empty-value-label.ts';
import { choicesOf } from '../cells/value-kind.ts';
import { editedText, isJsonColumn, isLongText } from '../editing/cell-editor/typed-text.ts';
import { BinaryField } from './binary-field.tsx';
import type { FieldProps } from './field-props.ts';
import { TextBeginning, isTooLongToShow } from './long-text.tsx';
import { JsonField } from './json-field.tsx';
import { NullButtons } from './null-buttons.tsx';
import { ReferenceField } from './reference-field.tsx';
import { TextField } from './text-field.tsx';

/** The editor for a column's kind. A read-only field shows its value, with the reason as a tooltip. */
export function FieldEditor(props: FieldProps): JSX.Element {
  const { column, disabledReason } = props;
  if (column.is_foreign_key) return <ReferenceField {...props} />;
  if (column.kind === 'binary') return <BinaryField {...props} />;
  if (disabledReason !== undefined) return <FixedField {...props} />;
  if (isJsonColumn(column)) return <JsonField {...props} />;
  if (column.kind === 'boolean') return <BooleanField {...props} />;
  const choices = choicesOf(column);
  if (choices !== undefined) return <ChoiceField {...props} choices={choices} />;
  return <TextField {...props} />;
}

function FixedField({ column, value, disabledReason }: FieldProps): JSX.Element {
  const text = editedText(value, column);
  return isLongText(text) ? (
    <div className="field area long" tabIndex={0} dir="auto" title={disabledReason}>
      {isTooLongToShow(text) ? <TextBeginning text={text} /> : text}
    </div>
  ) : (
    <span className="ro" title={disabledReason}>
      <CellView value={value} column={column} />
    </span>
  );
}

function BooleanField(props: FieldProps): JSX.Element {
  const { column, value, onPut } = props;
  const isOn = value === true;
  return (
    <div className="row field-line">
      <button
        className={`switch ${isOn ? 'on' : ''}`}
        role="switch"
        aria-checked={isOn}
        aria-label={column.name}
        onClick={() => onPut({ [column.name]: !isOn })}
      />
      {typeof value === 'boolean' ? String(value) : <CellView value={value} column={column} />}
      <NullButtons {...props} />
    </div>
  );
}

interface ChoiceFieldProps extends FieldProps {
  readonly choices: readonly string[];
}

function ChoiceField(props: ChoiceFieldProps): JSX.Element {
  const { column, value, choices, onPut } = props;
  const text = editedText(value, column);
  return (
    <div className="field select">
      <select
        className="bare"
        aria-label={column.name}
        value={text}
        onChange={(event) => onPut({ [column.name]: event.target.value })}
      >
        {choices.includes(text) ? null : (
          <option value={text}>{emptyValueLabel(value, column) ?? text}</option>
        )}
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
      <NullButtons {...props} />
    </div>
  );
}
