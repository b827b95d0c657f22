import {
  autocompletion,
  closeCompletion,
  completionKeymap,
  ifNotIn,
} from '@codemirror/autocomplete';
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { indentWithTab } from '@codemirror/commands';
import * as codeMirrorSql from '@codemirror/lang-sql';
import type { SQLNamespace } from '@codemirror/lang-sql';
import { Compartment, Facet, Prec, StateEffect, StateField } from '@codemirror/state';
import type { EditorState, Extension, Range } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, keymap, lineNumbers } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { JSX } from 'react';
import { identifiersOf } from '../api/table-name.ts';
import { presentationOf } from '../../../src/databases/presentations.ts';
import { CodeEditor } from '../code/code-editor.tsx';
import type { DatabasePresentation } from '../../../src/portable/presentation.ts';
import type { Schema, Table } from '../api/queries.ts';
import { statementsAt, statementsIn } from './statements.ts';
import type { PlacedStatement } from './statements.ts';
import type { FindStatements } from './use-script.ts';
import { commonTexts } from '../texts/common.ts';

interface SqlEditorProps {
  readonly schema: Schema | undefined;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Called with the selected statements, or the one under the cursor. */
  readonly onRun: (find: FindStatements) => void;
  readonly onRunAll: () => void;
  /** Called with the statements that would run when they change. */
  readonly onStatements: (statements: readonly PlacedStatement[]) => void;
  /** Offsets of what the database rejected when the text last ran. */
  readonly errorOffsets: readonly number[];
}

const grammars: Pick<typeof codeMirrorSql, DatabasePresentation['editorGrammar']> = codeMirrorSql;

const language = new Compartment();

/** `Schema.driver` */
const driverFacet = Facet.define<string | undefined, string | undefined>({
  combine: ([driver]) => driver,
});

/** An editor that completes tables and columns, and runs the selected statements or the one under the cursor. */
export function SqlEditor(props: SqlEditorProps): JSX.Element {
  const { schema, text, onChange, errorOffsets } = props;
  const openedView = useRef<EditorView>(undefined);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const view = openedView.current;
    if (view === undefined) return;
    view.dispatch({ effects: language.reconfigure(languageOf(schema)) });
    latest.current.onStatements(statementsOf(view.state, schema));
  }, [schema]);
  useEffect(() => {
    openedView.current?.dispatch({ effects: setErrorOffsets.of(errorOffsets) });
  }, [errorOffsets]);
  const run = (view: EditorView): boolean => {
    closeCompletion(view);
    const { doc, selection } = view.state;
    latest.current.onRun((driver) => statementsAt(doc.toString(), selection.main, driver));
    return true;
  };
  const runAll = (view: EditorView): boolean => {
    closeCompletion(view);
    latest.current.onRunAll();
    return true;
  };
  const extensions: Extension = [
    Prec.highest(
      keymap.of([
        { key: 'Mod-Enter', run, preventDefault: true },
        { key: 'Mod-Shift-Enter', run: runAll, preventDefault: true },
      ]),
    ),
    keymap.of([...completionKeymap, indentWithTab]),
    lineNumbers(),
    autocompletion({ icons: false }),
    language.of(languageOf(schema)),
    statementMark,
    errorMarkField,
    EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      if (docChanged || selectionSet)
        latest.current.onStatements(statementsOf(state, latest.current.schema));
    }),
  ];
  return (
    <CodeEditor
      label={commonTexts.sql}
      text={text}
      className="sql-editor"
      extensions={extensions}
      onChange={onChange}
      onOpen={(view) => {
        openedView.current = view;
        latest.current.onStatements(statementsOf(view.state, latest.current.schema));
      }}
    />
  );
}

/** Completion needs the structure, which may load after the editor has opened. */
function languageOf(schema: Schema | undefined): Extension {
  const dialect = grammars[presentationOf(schema?.driver)?.editorGrammar ?? 'PostgreSQL'];
  return [
    driverFacet.of(schema?.driver),
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
  const [statement] = statementsOf(context.state, schema);
  const words = new Set(statement?.text.match(/[\p{L}\p{N}_]+/gu));
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
    const [namespace] = identifiersOf(table).slice(0, -1);
    const entry = tableCompletion(table, namespace);
    if (namespace === undefined) names[table.name] = entry;
    else
      names[namespace] = {
        ...(names[namespace] as Record<string, SQLNamespace> | undefined),
        [table.name.slice(namespace.length + 1)]: entry,
      };
  }
  return names;
}

function tableCompletion(
  { name, kind, columns }: Table,
  namespace: string | undefined,
): SQLNamespace {
  const label = namespace === undefined ? name : name.slice(namespace.length + 1);
  return {
    self: { label, type: 'type', detail: kind },
    children: columns.map((column) => ({
      label: column.name,
      type: 'property',
      detail: `${column.type}${column.is_nullable ? '?' : ''}`,
    })),
  };
}

/** The selected statements, or the one under the cursor. */
function statementsOf(state: EditorState, schema: Schema | undefined): readonly PlacedStatement[] {
  return statementsAt(state.doc.toString(), state.selection.main, schema?.driver);
}

const lineMark = Decoration.line({ class: 'cm-statement' });

/** Marks the lines of the statement that would run, if the text has several statements. */
function statementLines(state: EditorState): DecorationSet {
  const { main } = state.selection;
  const all = statementsIn(state.doc.toString(), state.facet(driverFacet));
  const current = all.findLast(({ from }) => from <= main.head) ?? all[0];
  if (!main.empty || current === undefined || all.length === 1) return Decoration.none;
  const first = state.doc.lineAt(current.from).number;
  const last = state.doc.lineAt(current.from + current.text.length).number;
  const lines = Array.from({ length: last - first + 1 }, (_, i) => state.doc.line(first + i));
  return Decoration.set(lines.map((line) => lineMark.range(line.from)));
}

const statementMark = ViewPlugin.define(
  (view) => {
    const highlight = { decorations: statementLines(view.state) };
    return {
      get decorations() {
        return highlight.decorations;
      },
      update: ({ state }: { state: EditorState }) => {
        highlight.decorations = statementLines(state);
      },
    };
  },
  { decorations: (plugin) => plugin.decorations },
);

const setErrorOffsets = StateEffect.define<readonly number[]>();
const errorMark = Decoration.mark({ class: 'cm-fault', attributes: { 'data-fault': 'true' } });

/** The marks of rejected words. They are removed when the text changes. */
const errorMarkField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (current, { docChanged, effects, state }) => {
    const errorOffsets = effects.find((effect) => effect.is(setErrorOffsets))?.value;
    if (errorOffsets !== undefined)
      return Decoration.set(
        errorOffsets.flatMap((at) => errorMarkAt(state, at)),
        true,
      );
    return docChanged ? Decoration.none : current;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Marks the word at an offset; at the end of the text, the last character. */
function errorMarkAt({ doc }: EditorState, offset: number): readonly Range<Decoration>[] {
  if (doc.length === 0) return [];
  const from = Math.min(offset, doc.length - 1);
  const word = /^[\p{L}\p{N}_]+/u.exec(doc.sliceString(from, from + 200))?.[0] ?? ' ';
  return [errorMark.range(from, from + word.length)];
}
