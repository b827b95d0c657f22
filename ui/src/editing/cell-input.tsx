import { Suspense, lazy, useEffect, useRef, useState } from 'react';
import type { JSX } from 'react';
import type { Column } from '../api/queries.ts';
import { isMomentColumn, isNumberColumn } from '../cells/value-kind.ts';
import { MomentButton } from './moment-button.tsx';
import { isJsonColumn, isLongText } from './typed-text.ts';

/** CodeMirror comes when JSON is edited. */
const JsonEditor = lazy(async () => ({
  default: (await import('../code/json-editor.tsx')).JsonEditor,
}));

interface CellInputProps {
  readonly column: Column;
  readonly text: string;
  /** The text is the beginning of what is being typed. */
  readonly isTyping: boolean;
  readonly onChange: (text: string) => void;
}

/** The field that suits the column. */
export function CellInput(props: CellInputProps): JSX.Element {
  const { column, text, onChange } = props;
  if (isJsonColumn(column)) {
    return (
      <Suspense fallback={<div className="json-editor" aria-busy="true" />}>
        <JsonEditor label={column.name} text={text} onChange={onChange} />
      </Suspense>
    );
  }
  const words = column.kind === 'boolean' ? ['true', 'false'] : column.enum_values;
  return words === undefined ? <TextInput {...props} /> : <WordInput {...props} words={words} />;
}

interface WordInputProps extends CellInputProps {
  readonly words: readonly string[];
}

function WordInput({ column, text, words, onChange }: WordInputProps): JSX.Element {
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => select.current?.focus(), []);
  return (
    <select
      ref={select}
      aria-label={column.name}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    >
      {words.includes(text) ? null : <option>{text}</option>}
      {words.map((word) => (
        <option key={word}>{word}</option>
      ))}
    </select>
  );
}

function TextInput({ column, text, isTyping, onChange }: CellInputProps): JSX.Element {
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [isLong, setLong] = useState(isLongText(text));
  useEffect(() => {
    input.current?.focus();
    if (!isTyping && !isLong) input.current?.select();
  }, [isTyping, isLong]);
  const common = {
    ref: input,
    'aria-label': column.name,
    value: text,
    dir: 'auto',
    spellCheck: false,
  };
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
          const { selectionStart: from, selectionEnd: to } = event.currentTarget;
          setLong(true);
          onChange(`${text.slice(0, from ?? text.length)}\n${text.slice(to ?? text.length)}`);
        }}
      />
      {isMomentColumn(column) && column.kind !== 'time' && (
        <MomentButton column={column} text={text} onPick={onChange} />
      )}
    </>
  );
}
