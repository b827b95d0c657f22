import { StreamLanguage } from '@codemirror/language';
import type { StringStream } from '@codemirror/language';
import { Decoration, ViewPlugin } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';
import type { EditorState } from '@codemirror/state';
import type { JSX } from 'react';
import { findJsonError } from '../editing/json-source.ts';
import { CodeEditor, leaveModEnter } from './code-editor.tsx';

interface JsonEditorProps {
  readonly label: string;
  readonly text: string;
  readonly isCaretAtEnd: boolean;
  readonly onChange: (text: string) => void;
}

/** A JSON editor with syntax highlighting, which marks the position of a syntax error. */
export function JsonEditor({ label, text, isCaretAtEnd, onChange }: JsonEditorProps): JSX.Element {
  return (
    <CodeEditor
      label={label}
      text={text}
      className="json-editor"
      extensions={[language, errorMark, leaveModEnter]}
      isCaretAtEnd={isCaretAtEnd}
      onChange={onChange}
    />
  );
}

const language = StreamLanguage.define<null>({
  startState: () => null,
  token: (stream) => tokenAt(stream),
});

function tokenAt(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/))
    return stream.match(/^\s*:/, false) ? 'propertyName' : 'string';
  if (stream.match(/^-?[\d.]+(?:e[+-]?\d+)?/i)) return 'number';
  if (stream.match(/^(?:true|false|null)\b/)) return 'atom';
  stream.next();
  return null;
}

const mark = Decoration.mark({ class: 'cm-fault' });

function syntaxErrorMark(state: EditorState): DecorationSet {
  const text = state.doc.toString();
  const syntaxError = text.trim() === '' ? undefined : findJsonError(text);
  if (syntaxError === undefined || syntaxError.line > state.doc.lines) return Decoration.none;
  const line = state.doc.line(syntaxError.line);
  const from = Math.min(line.from + syntaxError.column - 1, Math.max(line.from, line.to - 1));
  return from < state.doc.length ? Decoration.set(mark.range(from, from + 1)) : Decoration.none;
}

const errorMark = ViewPlugin.define(
  (view) => {
    const plugin = { decorations: syntaxErrorMark(view.state) };
    return {
      get decorations() {
        return plugin.decorations;
      },
      update: ({ docChanged, state }: { docChanged: boolean; state: EditorState }) => {
        if (docChanged) plugin.decorations = syntaxErrorMark(state);
      },
    };
  },
  { decorations: (plugin) => plugin.decorations },
);
