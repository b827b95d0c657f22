import { Suspense, lazy, useEffect, useRef, useState } from 'react';
import type { JSX, KeyboardEvent } from 'react';
import type { Column } from '../../api/queries.ts';
import { choicesOf, isDateOrTimeColumn, isNumberColumn } from '../../cells/value-kind.ts';
import { DateButton } from './date-button.tsx';
import { LongTextInput, pastedText, withInserted } from './long-text-input.tsx';
import type { TextPaste } from './long-text-input.tsx';
import { isJsonColumn, isLongText, maxFieldLength } from './typed-text.ts';
import { findChoice } from './find-choice.ts';

/** Loads CodeMirror on the first edit of JSON. */
const JsonEditor = lazy(async () => ({
  default: (await import('../../code/json-editor.tsx')).JsonEditor,
}));

interface CellInputProps {
  readonly column: Column;
  readonly text: string;
  /** The label of a value without text, such as NULL. */
  readonly emptyLabel?: string | undefined;
  /** The character that opened the field. */
  readonly typed: string | undefined;
  readonly onChange: (text: string) => void;
}

/** The input for the column's kind: a JSON editor, a select or a text field. */
export function CellInput(props: CellInputProps): JSX.Element {
  const { column, text, typed, onChange } = props;
  if (isJsonColumn(column)) {
    return (
      <Suspense fallback={<PlainJsonInput {...props} />}>
        <JsonEditor
          label={column.name}
          text={text}
          isCaretAtEnd={typed !== undefined}
          onChange={onChange}
        />
      </Suspense>
    );
  }
  const choices = choicesOf(column);
  return choices === undefined ? (
    <TextInput {...props} />
  ) : (
    <ChoiceInput {...props} choices={choices} />
  );
}

/** Takes keystrokes while CodeMirror loads. */
function PlainJsonInput({ column, text, typed, onChange }: CellInputProps): JSX.Element {
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (typed === undefined) return;
    input.current?.focus();
    input.current?.setSelectionRange(typed.length, typed.length);
  }, [typed]);
  return (
    <textarea
      ref={input}
      className="json-editor"
      aria-label={column.name}
      aria-busy="true"
      readOnly={typed === undefined}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface ChoiceInputProps extends CellInputProps {
  readonly choices: readonly string[];
}

/**
 * Selects a choice by the whole typed text. The browser's own search would miss the first letter,
 * which opened the cell.
 */
function ChoiceInput(props: ChoiceInputProps): JSX.Element {
  const { column, text, emptyLabel, typed, choices, onChange } = props;
  const select = useRef<HTMLSelectElement>(null);
  const search = useRef(typed ?? '');
  useEffect(() => select.current?.focus(), []);
  const handleKey = (event: KeyboardEvent): void => {
    const { key } = event;
    const before = search.current;
    const isText = key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (before === '' && (key === ' ' || key === 'Backspace')) return;
    if (!isText && key !== 'Backspace') return;
    event.preventDefault();
    search.current = isText ? before + key : before.slice(0, -1);
    onChange(findChoice(choices, search.current) ?? search.current);
  };
  return (
    <select
      ref={select}
      aria-label={column.name}
      value={text}
      onKeyDown={handleKey}
      onChange={(event) => {
        search.current = '';
        onChange(event.target.value);
      }}
    >
      {choices.includes(text) ? null : (
        <option value={text}>{text === '' ? emptyLabel : text}</option>
      )}
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}

function TextInput(props: CellInputProps): JSX.Element {
  const { column, text, emptyLabel, typed, onChange } = props;
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [isLong, setLong] = useState(isLongText(text));
  const [isHuge, setHuge] = useState(text.length > maxFieldLength);
  /** Where the caret goes when the field gets several lines. */
  const caret = useRef<number>(undefined);
  useEffect(() => {
    input.current?.focus();
    if (caret.current !== undefined) input.current?.setSelectionRange(caret.current, caret.current);
    else if (typed === undefined && !isLong) input.current?.select();
  }, [typed, isLong]);
  /** Replaces the selected text by one that needs another kind of field. */
  const insert = (inserted: string, element: TextPaste['currentTarget']): void => {
    const next = withInserted(inserted, element);
    caret.current = next.caret;
    setLong(true);
    setHuge(next.text.length > maxFieldLength);
    onChange(next.text);
  };
  const common = {
    ref: input,
    'aria-label': column.name,
    value: text,
    placeholder: emptyLabel,
    dir: 'auto',
    spellCheck: false,
    onPaste: (event: TextPaste): void => {
      // A field with one line would drop line ends, and a long text would freeze the page.
      const pasted = pastedText(event);
      const isMultiline = column.kind === 'text' && !isLong && pasted.includes('\n');
      if (!isMultiline && text.length + pasted.length <= maxFieldLength) return;
      event.preventDefault();
      insert(pasted, event.currentTarget);
    },
  };
  if (isHuge) return <LongTextInput label={column.name} text={text} isInCell onChange={onChange} />;
  if (isLong)
    return <textarea {...common} rows={8} onChange={(event) => onChange(event.target.value)} />;
  return (
    <>
      <input
        {...common}
        inputMode={isNumberColumn(column) ? 'decimal' : 'text'}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.shiftKey || event.altKey)) return;
          event.preventDefault();
          insert('\n', event.currentTarget);
        }}
      />
      {isDateOrTimeColumn(column) && column.kind !== 'time' && (
        <DateButton column={column} text={text} onPick={onChange} />
      )}
    </>
  );
}
