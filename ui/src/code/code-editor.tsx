import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { Prec } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { EditorView, drawSelection, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { JSX } from 'react';

interface CodeEditorProps {
  readonly label: string;
  readonly text: string;
  readonly className: string;
  /** Whether the cursor is initially at the end of the text. */
  readonly isCaretAtEnd?: boolean;
  /** Extensions of the language. Changes after the editor has opened have no effect. */
  readonly extensions: Extension;
  readonly onChange: (text: string) => void;
  readonly onOpen?: (view: EditorView) => void;
}

const highlightStyle = HighlightStyle.define([
  { tag: [tags.keyword, tags.propertyName, tags.atom], color: 'var(--syn-key)' },
  { tag: tags.string, color: 'var(--syn-str)' },
  { tag: tags.number, color: 'var(--syn-num)' },
  { tag: tags.typeName, color: 'var(--syn-type)' },
  { tag: tags.comment, color: 'var(--syn-com)' },
  { tag: [tags.function(tags.variableName), tags.special(tags.name)], color: 'var(--syn-fn)' },
]);

const editorTheme = EditorView.theme({
  '&': { height: '100%', font: '13px/21px var(--mono)' },
  '&.cm-focused': { outline: '0' },
  '.cm-scroller': { font: 'inherit' },
  '.cm-gutters': { background: 'var(--bg-surface)', color: 'var(--text-3)', border: '0' },
  '.cm-content': { caretColor: 'var(--text)', color: 'var(--text)' },
  '.cm-cursor': { borderColor: 'var(--text)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    background: 'var(--select) !important',
  },
  '.cm-statement': { background: 'var(--accent-soft)' },
  '.cm-fault': { background: 'var(--del-strong)', boxShadow: 'inset 0 -2px var(--del-line)' },
  '.cm-panels': { background: 'var(--bg-raised)', color: 'var(--text)' },
  '.cm-tooltip': {
    background: 'var(--bg-raised)',
    color: 'var(--text)',
    border: '0',
    borderRadius: 'var(--r-4)',
    boxShadow: 'var(--sh-2)',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete ul li': { padding: '4px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--accent-soft)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': {
    color: 'var(--text-3)',
    fontStyle: 'normal',
    marginInlineStart: '16px',
  },
});

const baseExtensions: Extension = [
  editorTheme,
  history(),
  drawSelection(),
  bracketMatching(),
  syntaxHighlighting(highlightStyle),
  EditorView.lineWrapping,
  // The browser joins lines with inline styles, which the Content-Security-Policy forbids.
  EditorView.domEventHandlers({
    beforeinput: (event, view) => {
      const { data, inputType } = event;
      const isPlain = inputType === 'insertText' && data !== null && !view.composing;
      if (!isPlain || view.state.selection.main.empty) return false;
      view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type' });
      return true;
    },
  }),
];

/** Leaves Ctrl+Enter to the page, which commits the text. CodeMirror would insert a line first. */
export const leaveModEnter: Extension = Prec.highest(
  keymap.of([{ key: 'Mod-Enter', run: () => true }]),
);

/** CodeMirror with the theme of the studio. */
export function CodeEditor(props: CodeEditorProps): JSX.Element {
  const containerRef = useRef<HTMLDivElement>(null);
  const openedView = useRef<EditorView>(undefined);
  const latest = useRef(props);
  /** Texts that the editor has reported and that have not been passed back as `text` yet. */
  const reported = useRef<string[]>([]);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (containerRef.current === null) return undefined;
    const { label, text, isCaretAtEnd = false, extensions, onOpen } = latest.current;
    // In a shadow root CodeMirror uses adopted style sheets. The Content-Security-Policy forbids
    // inline styles.
    const root =
      containerRef.current.shadowRoot ?? containerRef.current.attachShadow({ mode: 'open' });
    const view = new EditorView({
      parent: root,
      root,
      doc: text,
      ...(isCaretAtEnd ? { selection: { anchor: text.length } } : {}),
      extensions: [
        extensions,
        baseExtensions,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          const changedText = update.state.doc.toString();
          reported.current.push(changedText);
          latest.current.onChange(changedText);
        }),
        keymap.of([...historyKeymap, ...defaultKeymap]),
      ],
    });
    view.focus();
    openedView.current = view;
    onOpen?.(view);
    return () => view.destroy();
  }, []);
  useEffect(() => {
    // During fast typing, the page renders texts that are older than the text in the editor.
    const at = reported.current.indexOf(props.text);
    reported.current.splice(0, at === -1 ? Infinity : at + 1);
    if (at === -1 && openedView.current !== undefined) showText(openedView.current, props.text);
  }, [props.text]);
  return <div ref={containerRef} className={props.className} />;
}

/** Shows a text that was changed outside of the editor. */
function showText(view: EditorView, text: string): void {
  const { doc } = view.state;
  if (doc.toString() !== text)
    view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
}
