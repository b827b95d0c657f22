import {
  autocompletion,
  closeCompletion,
  completionKeymap,
  ifNotIn,
} from '@codemirror/autocomplete';
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { indentWithTab } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import * as codeMirrorSql from '@codemirror/lang-sql';
import type { SQLNamespace } from '@codemirror/lang-sql';
import { Compartment, Prec } from '@codemirror/state';
import type { EditorState, Extension } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, keymap, lineNumbers } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { JSX } from 'react';
import { presentationOf } from '../../../src/databases/presentations.ts';
import { CodeEditor } from '../code/code-editor.tsx';
import type { DatabasePresentation } from '../../../src/portable/presentation.ts';
import type { Schema, Table } from '../api/queries.ts';

interface SqlEditorProps {
  readonly schema: Schema | undefined;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Called with the statement to run. */
  readonly onRun: (statement: string) => void;
  /** Called with the statement under the cursor when it changes. */
  readonly onStatement: (statement: string) => void;
}

const grammars: Pick<typeof codeMirrorSql, DatabasePresentation['editorGrammar']> = codeMirrorSql;

const language = new Compartment();

/** An editor that completes tables and columns, and runs the statement under the cursor. */
export function SqlEditor(props: SqlEditorProps): JSX.Element {
  const { schema, text, onChange } = props;
  const opened = useRef<EditorView>(undefined);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    opened.current?.dispatch({ effects: language.reconfigure(languageOf(schema)) });
  }, [schema]);
  const run = (view: EditorView): boolean => {
    closeCompletion(view);
    latest.current.onRun(statementAt(view.state));
    return true;
  };
  const extensions: Extension = [
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run, preventDefault: true }])),
    keymap.of([...completionKeymap, indentWithTab]),
    lineNumbers(),
    autocompletion({ icons: false }),
    language.of(languageOf(schema)),
    statementMark,
    EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      if (docChanged || selectionSet) latest.current.onStatement(statementAt(state));
    }),
  ];
  return (
    <CodeEditor
      label="SQL"
      text={text}
      className="sql-editor"
      extensions={extensions}
      onChange={onChange}
      onOpen={(view) => {
        opened.current = view;
        latest.current.onStatement(statementAt(view.state));
      }}
    />
  );
}

/** Completion needs the structure, which may load after the editor has opened. */
function languageOf(schema: Schema | undefined): Extension {
  const dialect = grammars[presentationOf(schema?.driver)?.editorGrammar ?? 'PostgreSQL'];
  return [
    codeMirrorSql.sql({ dialect, schema: completions(schema) }),
    dialect.language.data.of({
      autocomplete: ifNotIn(['LineComment', 'BlockComment', 'String'], (context) =>
        columnsInStatement(schema, context),
      ),
    }),
  ];
}

/** Completes unqualified columns of the tables in the statement. */
function columnsInStatement(
  schema: Schema | undefined,
  context: CompletionContext,
): CompletionResult | null {
  const word = context.matchBefore(/[\p{L}\p{N}_]+/u);
  const isQualified = word !== null && context.state.sliceDoc(word.from - 1, word.from) === '.';
  if (word === null || isQualified || schema === undefined) return null;
  const words = new Set(statementAt(context.state).match(/[\p{L}\p{N}_]+/gu));
  const options = [...schema.tables, ...schema.views]
    .filter(({ name }) => words.has(name.slice(name.lastIndexOf('.') + 1)))
    .flatMap(({ name, columns }) =>
      columns.map((column) => ({
        label: column.name,
        detail: `${column.type}, ${name}`,
        boost: 1,
      })),
    );
  return { from: word.from, options, validFor: /^[\p{L}\p{N}_]*$/u };
}

/** The completion tree: tables with their columns and types, grouped by namespace. */
function completions(schema: Schema | undefined): SQLNamespace {
  const tables = [...(schema?.tables ?? []), ...(schema?.views ?? [])];
  const names: Record<string, SQLNamespace> = {};
  for (const table of tables) {
    const space = table.name.startsWith(`${table.schema}.`) ? table.schema : undefined;
    const entry = tableCompletion(table, space);
    if (space === undefined) names[table.name] = entry;
    else
      names[space] = {
        ...(names[space] as Record<string, SQLNamespace> | undefined),
        [table.name.slice(space.length + 1)]: entry,
      };
  }
  return names;
}

function tableCompletion({ name, kind, columns }: Table, space: string | undefined): SQLNamespace {
  const label = space === undefined ? name : name.slice(space.length + 1);
  return {
    self: { label, type: 'type', detail: kind },
    children: columns.map((column) => ({
      label: column.name,
      type: 'property',
      detail: `${column.type}${column.is_nullable ? '?' : ''}`,
    })),
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The statement under the cursor, or else the one before it. Undefined for an empty text. */
function statementSpan(state: EditorState): Span | undefined {
  const { head } = state.selection.main;
  let found: Span | undefined;
  for (let node = syntaxTree(state).topNode.firstChild; node !== null; node = node.nextSibling) {
    if (node.name !== 'Statement') continue;
    if (found !== undefined && node.from > head) break;
    found = { from: node.from, to: node.to };
  }
  return found;
}

/** The selected text, or else the statement under the cursor, or else the whole text. */
function statementAt(state: EditorState): string {
  const { main } = state.selection;
  if (!main.empty) return state.sliceDoc(main.from, main.to);
  const span = statementSpan(state);
  return span === undefined ? state.doc.toString() : state.sliceDoc(span.from, span.to);
}

const lineMark = Decoration.line({ class: 'cm-statement' });

/** Marks the lines of the statement that would run, if the text has several statements. */
function statementLines(state: EditorState): DecorationSet {
  const span = state.selection.main.empty ? statementSpan(state) : undefined;
  const isAll = span === undefined || state.doc.toString().trim().length <= span.to - span.from;
  if (isAll) return Decoration.none;
  const first = state.doc.lineAt(span.from).number;
  const last = state.doc.lineAt(span.to).number;
  const lines = Array.from({ length: last - first + 1 }, (_, i) => state.doc.line(first + i));
  return Decoration.set(lines.map((line) => lineMark.range(line.from)));
}

const statementMark = ViewPlugin.define(
  (view) => {
    const held = { decorations: statementLines(view.state) };
    return {
      get decorations() {
        return held.decorations;
      },
      update: ({ state }: { state: EditorState }) => {
        held.decorations = statementLines(state);
      },
    };
  },
  { decorations: (plugin) => plugin.decorations },
);
