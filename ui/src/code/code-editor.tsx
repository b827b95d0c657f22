import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView, drawSelection, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { JSX } from 'react';

interface CodeEditorProps {
  readonly label: string;
  readonly text: string;
  readonly className: string;
  /** Where typing goes on after the text that the editor opens with. */
  readonly isCaretAtEnd?: boolean;
  /** What the language adds; taken once, when the editor opens. */
  readonly extensions: Extension;
  readonly onChange: (text: string) => void;
  readonly onOpen?: (view: EditorView) => void;
}

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.propertyName, tags.atom], color: 'var(--syn-key)' },
  { tag: tags.string, color: 'var(--syn-str)' },
  { tag: tags.number, color: 'var(--syn-num)' },
  { tag: tags.typeName, color: 'var(--syn-type)' },
  { tag: tags.comment, color: 'var(--syn-com)' },
  { tag: [tags.function(tags.variableName), tags.special(tags.name)], color: 'var(--syn-fn)' },
]);

const look = EditorView.theme({
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

const basics: Extension = [
  look,
  history(),
  drawSelection(),
  bracketMatching(),
  syntaxHighlighting(colours),
  EditorView.lineWrapping,
  // The browser's own way of joining lines writes styles that the pages' policy forbids.
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

/** CodeMirror in the studio's look. */
export function CodeEditor(props: CodeEditorProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const opened = useRef<EditorView>(undefined);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (place.current === null) return undefined;
    const { label, text, isCaretAtEnd = false, extensions, onOpen } = latest.current;
    // In a shadow its styles are adopted sheets: the pages' policy forbids inline ones.
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' });
    const view = new EditorView({
      parent: root,
      root,
      doc: text,
      ...(isCaretAtEnd ? { selection: { anchor: text.length } } : {}),
      extensions: [
        extensions,
        basics,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString());
        }),
        keymap.of([...historyKeymap, ...defaultKeymap]),
      ],
    });
    view.focus();
    opened.current = view;
    onOpen?.(view);
    return () => view.destroy();
  }, []);
  useEffect(() => {
    if (opened.current !== undefined) showText(opened.current, props.text);
  }, [props.text]);
  return <div ref={place} className={props.className} />;
}

/** A text that comes from elsewhere than the editor. */
function showText(view: EditorView, text: string): void {
  const { doc } = view.state;
  if (doc.toString() !== text)
    view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
}
