import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  HighlightStyle,
  bracketMatching,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { MSSQL, MySQL, PostgreSQL, SQLite, sql } from '@codemirror/lang-sql';
import { Compartment } from '@codemirror/state';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { JSX } from 'react';
import type { SQLDialect } from '@codemirror/lang-sql';
import type { Schema } from '../api/queries.ts';

interface SqlEditorProps {
  readonly schema: Schema | undefined;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** With the statement that is to run. */
  readonly onRun: (statement: string) => void;
}

/** The editor's grammars, by the API's names of databases; any other is read as PostgreSQL's. */
const grammars = new Map<string, SQLDialect>([
  ['sqlite', SQLite],
  ['postgres', PostgreSQL],
  ['mysql', MySQL],
  ['sqlserver', MSSQL],
]);

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--syn-key)' },
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
});

const editing: Extension = [
  look,
  lineNumbers(),
  history(),
  drawSelection(),
  bracketMatching(),
  autocompletion({ icons: false }),
  syntaxHighlighting(colours),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': 'SQL' }),
];

const language = new Compartment();

const keys = [...completionKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab];

/** An editor that completes tables and columns, and runs the statement under the cursor. */
export function SqlEditor({ schema, text, onChange, onRun }: SqlEditorProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const opened = useRef<EditorView>(undefined);
  const latest = useRef({ text, onChange, onRun });
  useEffect(() => {
    latest.current = { text, onChange, onRun };
  });
  useEffect(() => {
    if (place.current === null) return undefined;
    const run = (view: EditorView): boolean => {
      latest.current.onRun(statementAt(view.state));
      return true;
    };
    // In a shadow its styles are adopted sheets: the pages' policy forbids inline ones.
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' });
    const view = new EditorView({
      parent: root,
      root,
      doc: latest.current.text,
      extensions: [
        editing,
        language.of([]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString());
        }),
        keymap.of([{ key: 'Mod-Enter', run, preventDefault: true }, ...keys]),
      ],
    });
    view.focus();
    opened.current = view;
    return () => view.destroy();
  }, []);
  useEffect(() => {
    opened.current?.dispatch({ effects: language.reconfigure(languageOf(schema)) });
  }, [schema]);
  return <div ref={place} className="sql-editor" />;
}

/** What is completed is known only when the structure is. */
function languageOf(schema: Schema | undefined): Extension {
  const dialect = grammars.get(schema?.driver ?? '') ?? PostgreSQL;
  return sql({ dialect, schema: completions(schema) });
}

function completions(schema: Schema | undefined): Readonly<Record<string, readonly string[]>> {
  const tables = [...(schema?.tables ?? []), ...(schema?.views ?? [])];
  return Object.fromEntries(
    tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]),
  );
}

/** What is selected, else the statement under the cursor, else everything. */
function statementAt(state: EditorState): string {
  const { main } = state.selection;
  if (!main.empty) return state.sliceDoc(main.from, main.to);
  for (let node = syntaxTree(state).resolveInner(main.head, -1); ;) {
    if (node.name === 'Statement') return state.sliceDoc(node.from, node.to);
    if (node.parent === null) return state.doc.toString();
    node = node.parent;
  }
}
