import { useEffect, useRef, useState } from 'react';
import type { CSSProperties, JSX, KeyboardEvent } from 'react';
import type { Cell } from '../../../src/contract/client.ts';
import type { Column } from '../api/queries.ts';
import { cellText } from '../cells/value-kind.ts';
import { readTyped } from './read-typed.ts';

/** `undefined` is the column's default. */
export type EditedValue = Cell | undefined;

interface CellEditorProps {
  readonly column: Column;
  readonly value: EditedValue;
  /** What was typed to open it, and takes the place of the value. */
  readonly typed: string | undefined;
  /** A new row's columns have defaults. */
  readonly hasDefault: boolean;
  readonly style: CSSProperties;
  readonly onDone: (value: EditedValue, step: 'down' | 'right' | 'stay') => void;
  readonly onCancel: () => void;
}

/** An editor in its cell, with NULL and DEFAULT as explicit choices below it. */
export function CellEditor(props: CellEditorProps): JSX.Element {
  const { column, value, typed, style, onDone, onCancel } = props;
  const [text, setText] = useState(typed ?? startText(value, column));
  const [problem, setProblem] = useState<string>();
  const frame = useRef<HTMLDivElement>(null);
  const commit = (step: 'down' | 'right' | 'stay'): void => {
    const read = readTyped(text, column);
    if ('problem' in read) setProblem(read.problem);
    else onDone(column.kind === 'boolean' ? text === 'true' : read.value, step);
  };
  // The grid takes the keys again when the editor has gone.
  useEffect(() => {
    const grid = frame.current?.closest<HTMLElement>('[role="grid"]');
    return () => grid?.focus({ preventScroll: true });
  }, []);
  const pressKey = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Tab') {
      event.preventDefault();
      commit('right');
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      commit('down');
    }
  };
  return (
    <div
      ref={frame}
      className="cell-editor"
      style={style}
      role="dialog"
      aria-label={`Edit ${column.name}`}
      onKeyDown={pressKey}
      onBlur={(event) => {
        if (!frame.current?.contains(event.relatedTarget)) commit('stay');
      }}
    >
      <Input column={column} text={text} isTyping={typed !== undefined} onChange={setText} />
      <Foot {...props} problem={problem} />
    </div>
  );
}

interface FootProps extends Pick<CellEditorProps, 'column' | 'hasDefault' | 'onDone'> {
  readonly problem: string | undefined;
}

/** What else the cell can be, and what is wrong with what was typed. */
function Foot({ column, hasDefault, onDone, problem }: FootProps): JSX.Element {
  return (
    <div className="pop cell-editor-foot">
      {problem !== undefined && <span className="err">{problem}</span>}
      <span className="grow" />
      {hasDefault && (
        <button className="badge line" onClick={() => onDone(undefined, 'stay')}>
          DEFAULT
        </button>
      )}
      <button
        className="badge line"
        aria-disabled={!column.is_nullable}
        title={column.is_nullable ? 'Set to NULL' : 'This column takes no NULL.'}
        onClick={() => {
          if (column.is_nullable) onDone(null, 'stay');
        }}
      >
        NULL
      </button>
      <kbd>↵</kbd>
      <kbd>Esc</kbd>
    </div>
  );
}

function startText(value: EditedValue, column: Column): string {
  if (value === undefined || value === null) return column.kind === 'boolean' ? 'false' : '';
  if (column.kind === 'json' || column.kind === 'array')
    return JSON.stringify(value, null, 2) ?? '';
  return cellText(value);
}

interface InputProps {
  readonly column: Column;
  readonly text: string;
  /** The text is the beginning of what is being typed. */
  readonly isTyping: boolean;
  readonly onChange: (text: string) => void;
}

function Input({ column, text, isTyping, onChange }: InputProps): JSX.Element {
  const input = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null);
  useEffect(() => {
    input.current?.focus();
    if (!isTyping && input.current !== null && 'select' in input.current) input.current.select();
  }, [isTyping]);
  const words = column.kind === 'boolean' ? ['true', 'false'] : column.enum_values;
  const common = { ref: input, 'aria-label': column.name, value: text };
  if (words !== undefined) {
    return (
      <select {...common} onChange={(event) => onChange(event.target.value)}>
        {words.includes(text) ? null : <option>{text}</option>}
        {words.map((word) => (
          <option key={word}>{word}</option>
        ))}
      </select>
    );
  }
  const isLong = column.kind === 'json' || text.includes('\n') || text.length > 60;
  return isLong ? (
    <textarea {...common} rows={6} onChange={(event) => onChange(event.target.value)} />
  ) : (
    <input {...common} onChange={(event) => onChange(event.target.value)} />
  );
}
