import { insertNewline } from '@codemirror/commands';
import { Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { JSX } from 'react';
import { CodeEditor, leaveModEnter } from './code-editor.tsx';

export interface LongTextEditorProps {
  readonly label: string;
  readonly text: string;
  /** Enter belongs to the cell around the editor; with Shift or Alt it starts a line. */
  readonly isInCell?: boolean;
  readonly onChange: (text: string) => void;
}

const shared = [EditorView.perLineTextDirection.of(true), leaveModEnter];

const inCell = Prec.highest(
  keymap.of([
    { key: 'Enter', run: () => true },
    { key: 'Shift-Enter', run: insertNewline },
    { key: 'Alt-Enter', run: insertNewline },
  ]),
);

/** An editor for long texts. It draws only the lines in view: browsers lay out every line of a text area. */
export function LongTextEditor(props: LongTextEditorProps): JSX.Element {
  const { label, text, isInCell = false, onChange } = props;
  return (
    <CodeEditor
      label={label}
      text={text}
      className="long-text"
      extensions={isInCell ? [inCell, shared] : shared}
      onChange={onChange}
    />
  );
}
