import { useRef, useState } from 'react';
import type { JSX } from 'react';
import type { Column } from '../api/queries.ts';
import { emptyValueLabel } from '../cells/empty-value-label.ts';
import { isDateOrTimeColumn, isNumberColumn } from '../cells/value-kind.ts';
import { DateButton } from '../editing/cell-editor/date-button.tsx';
import {
  LongTextInput,
  pastedText,
  withInserted,
} from '../editing/cell-editor/long-text-input.tsx';
import type { TextPaste } from '../editing/cell-editor/long-text-input.tsx';
import { editedText, isLongText, readEdited } from '../editing/cell-editor/typed-text.ts';
import { useInvalidTextGuard } from '../editing/cell-editor/use-invalid-text-guard.ts';
import type { FieldProps } from './field-props.ts';
import { TextBeginning, isTooLongToShow } from './long-text.tsx';
import { NullButtons } from './null-buttons.tsx';
import { recordTexts as texts } from '../texts/record.ts';

/** Stages each keystroke. A text that is not a value of the column stays in the field, with an error. */
function useTyping({ column, value, onType }: FieldProps) {
  const storedText = editedText(value, column);
  /** The typed text, valid or not. Undefined shows the staged value. */
  const [draft, setDraft] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const valueOnFocus = useRef(value);
  const text = draft ?? storedText;
  const change = (next: string): void => {
    const before = valueOnFocus.current;
    setDraft(next);
    // The text that the field began with is no change, also that of NULL.
    if (next === editedText(before, column)) {
      setProblem(undefined);
      onType({ [column.name]: before });
      return;
    }
    const read = readEdited(
      next,
      { text: storedText, isOneLine: true },
      { column, replaced: before },
    );
    setProblem('problem' in read ? read.problem : undefined);
    onType({ [column.name]: 'problem' in read ? undefined : read.value });
  };
  const restore = (): void => {
    setDraft(undefined);
    setProblem(undefined);
    onType({ [column.name]: valueOnFocus.current });
  };
  const leave = (): void => {
    if (problem === undefined) setDraft(undefined);
  };
  const enter = (): void => {
    valueOnFocus.current = value;
  };
  useInvalidTextGuard(
    () => (problem === undefined ? undefined : { column: column.name, problem }),
    { disabled: problem === undefined },
  );
  return { text, stored: storedText, draft, problem, change, restore, leave, enter };
}

export function TextField(props: FieldProps): JSX.Element {
  const { column } = props;
  const typing = useTyping(props);
  const { text, stored, draft, problem, change } = typing;
  const isLong = isLongText(stored) || holdsLongText(column);
  const [isWhole, setWhole] = useState(false);
  const isTooLong = isTooLongToShow(text);
  // The editor of a long text stays when the text gets shorter.
  const [isHuge, setHuge] = useState(false);
  if (isTooLong && !isHuge && (draft !== undefined || isWhole)) setHuge(true);
  if (isTooLong && !isHuge && draft === undefined && !isWhole)
    return (
      <div className="field area long" tabIndex={0} dir="auto">
        <TextBeginning
          text={stored}
          label={texts.editAllOf({ column: column.name })}
          onShowAll={() => setWhole(true)}
        />
      </div>
    );
  return (
    <>
      <div className={`field ${isLong ? 'area' : ''} ${problem === undefined ? '' : 'bad'}`}>
        <TextControl {...props} typing={typing} size={isHuge ? 'huge' : isLong ? 'long' : 'line'} />
        <NullButtons {...props} />
        {isDateOrTimeColumn(column) && column.kind !== 'time' && (
          <DateButton column={column} text={text} onPick={change} />
        )}
      </div>
      {problem !== undefined && (
        <div className="was err" role="alert">
          {problem}
        </div>
      )}
    </>
  );
}

interface TextControlProps extends FieldProps {
  readonly typing: ReturnType<typeof useTyping>;
  readonly size: 'line' | 'long' | 'huge';
}

function TextControl({ column, value, typing, size }: TextControlProps): JSX.Element {
  const { text, problem, change, restore, leave, enter } = typing;
  const common = {
    'aria-label': column.name,
    'aria-invalid': problem !== undefined,
    placeholder: emptyValueLabel(value, column),
    value: text,
    dir: 'auto',
    onFocus: enter,
    onBlur: leave,
    onPaste: (event: TextPaste): void => {
      const { text: next } = withInserted(pastedText(event), event.currentTarget);
      if (!isTooLongToShow(next)) return;
      event.preventDefault();
      change(next);
    },
  };
  if (size === 'huge')
    return (
      <div className="grow" onFocus={enter} onBlur={leave}>
        <LongTextInput label={column.name} text={text} onChange={change} />
      </div>
    );
  if (size === 'long')
    return (
      <textarea
        {...common}
        className="bare"
        spellCheck={false}
        onChange={(event) => change(event.target.value)}
      />
    );
  return (
    <input
      {...common}
      inputMode={isNumberColumn(column) ? 'decimal' : 'text'}
      onChange={(event) => change(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') restore();
      }}
    />
  );
}

/** Whether a column's type has no length limit. Its field has several lines. */
function holdsLongText({ kind, type }: Column): boolean {
  return kind === 'text' && /text|clob|\(max\)/i.test(type);
}
