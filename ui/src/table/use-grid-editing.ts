import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { EditStep, EditedValues } from '../editing/cell-editor/cell-editor-props.ts';
import { copyBlock, pasteBlock } from '../editing/block-text.ts';
import { disabledReason } from '../editing/edit-target.ts';
import { saveCount } from '../editing/rows-after-saves.ts';
import { blockOf, selectCell, stepFrom } from '../grid/selection.ts';
import type { CellPosition, Selection } from '../grid/selection.ts';
import { minColumnWidth } from '../grid/grid-head.tsx';
import { isApple } from '../parts/modifier-key.ts';
import { showToast } from '../parts/toast.tsx';
import { moveColumn } from './column-layout.ts';
import { widthOf } from './grid-columns.tsx';
import { positionOf, scrolledAt, stageFinished } from './opened-cell.ts';
import type { OpenedCell } from './opened-cell.ts';
import {
  clearCells,
  cutCells,
  duplicateRows,
  openRecord,
  openReferenced,
  toggleRows,
} from './row-actions.ts';
import type { RowsGridProps } from './rows-grid-props.ts';
import { useTabEntry } from './use-tab-entry.ts';
import { tableTexts as texts } from '../texts/table.ts';

export interface GridEditing {
  readonly opened: OpenedCell | undefined;
  /** Opens the editor of a cell. A text replaces its value. */
  readonly open: (position: CellPosition, typed?: string) => void;
  readonly pressKey: (event: KeyboardEvent<HTMLDivElement>, selection: Selection) => void;
  readonly finish: (openedCell: OpenedCell, values: EditedValues, step: EditStep) => void;
  readonly cancel: (openedCell: OpenedCell) => void;
  /** The text of an editor is not a value: no other one opens until it is, or Escape drops it. */
  readonly keepOpen: (openedCell: OpenedCell) => void;
}

/** Handles the keys and double clicks of the grid. */
export function useGridEditing(props: RowsGridProps): GridEditing {
  const [openedCell, setOpened] = useState<OpenedCell>();
  // An editor that unmounts stages its text, unless it has ended before.
  const ended = useRef(new WeakSet<OpenedCell>());
  const invalid = useRef<OpenedCell>(undefined);
  const tabEntry = useTabEntry(props);
  const end = (closed: OpenedCell): void => {
    ended.current.add(closed);
    setOpened((current) => (current === closed ? undefined : current));
  };
  const { rows, columns, onSelect } = props;

  const open = (position: CellPosition, typed?: string): void => {
    const reason = disabledReason(props, position);
    const shownRow = rows.at(position.row);
    const column = columns[position.column];
    if (openedCell !== undefined && openedCell === invalid.current) focusEditor();
    else if (reason !== undefined)
      showToast({ kind: 'error', title: texts.cellNotEdited, detail: reason });
    else if (column?.kind === 'binary') openRecord(props, position);
    else if (shownRow !== undefined && column !== undefined)
      setOpened({
        ...{ shown: shownRow, column, position, typed },
        since: saveCount(),
        scrolled: scrolledAt(position),
      });
  };
  const pressKey = (event: KeyboardEvent<HTMLDivElement>, selection: Selection): void => {
    const action =
      tabEntry.actionOf(event, selection) ?? actionOf(event, { open, props, selection });
    if (action === undefined) return;
    event.preventDefault();
    if (props.selection !== undefined || actsOnNoCell(event)) action();
    else if (event.key === 'Enter' || event.key === 'F2') onSelect(selection);
  };
  return {
    opened: openedCell,
    open,
    pressKey,
    cancel: end,
    keepOpen: (current) => {
      invalid.current = current;
    },
    finish: (finished, values, step) => {
      if (ended.current.has(finished)) return;
      stageFinished(props, finished, values);
      end(finished);
      const { row, column } = positionOf(props, finished) ?? finished.position;
      const extent = { rows: rows.count, columns: columns.length };
      if (step === 'stay') return;
      const next = stepFrom({ row, column }, step, extent);
      if (step !== 'down') tabEntry.moved(next);
      onSelect(selectCell(next));
    },
  };
}

/**
 * Keys that can be pressed while no cell is selected. Text would go to a cell that the user did not select:
 * the selected one may have left the page just now.
 */
function actsOnNoCell({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Escape' || ((ctrlKey || metaKey) && key.toLowerCase() === 'a');
}

/** Moves the focus into the editor that is open. */
function focusEditor(): void {
  const fields = ':is(input, textarea, select, .json-editor)';
  const field = document.querySelector<HTMLElement>(`.cell-editor ${fields}`);
  // CodeMirror is in a shadow root.
  (field?.shadowRoot?.querySelector<HTMLElement>('.cm-content') ?? field)?.focus();
}

interface PlainKeyContext {
  readonly open: (position: CellPosition, typed?: string) => void;
  readonly props: RowsGridProps;
  readonly selection: Selection;
}

type Action = (() => void) | undefined;

function actionOf(event: KeyboardEvent, context: PlainKeyContext): Action {
  const { open, props, selection } = context;
  const typed = isTypedCharacter(event) ? () => open(selection.active, event.key) : undefined;
  if (event.getModifierState('AltGraph')) return typed;
  if (event.altKey) return columnKey(event, props, selection) ?? typed;
  if (event.ctrlKey || event.metaKey) return modKey(event, props, selection);
  return plainKey(event.key, context);
}

/**
 * Whether a key types a character although Alt is held: Option types `{` and `@` on many keyboards of
 * Apple, and AltGr, which some systems report as Ctrl and Alt, does on others.
 */
function isTypedCharacter(event: KeyboardEvent): boolean {
  const { key, ctrlKey, altKey, metaKey } = event;
  if ([...key].length !== 1 || metaKey) return false;
  if (event.getModifierState('AltGraph')) return true;
  return altKey && (ctrlKey ? !/^[a-z\d ]$/i.test(key) : isApple);
}

function plainKey(key: string, { open, props, selection }: PlainKeyContext): Action {
  const { active } = selection;
  const { view, change } = props;
  if (key === 'Enter' || key === 'F2') return () => open(active);
  if (key === ' ') return () => openRecord(props, active);
  if (key === 'Escape') return view.open.length > 0 ? () => change({ open: [] }) : undefined;
  if (key === 'Backspace') return () => clearCells(props, selection);
  if (key === 'Delete') return () => toggleRows(props, selection);
  return [...key].length === 1 ? () => open(active, key) : undefined;
}

function modKey(event: KeyboardEvent, props: RowsGridProps, selection: Selection): Action {
  const actions = new Map<string, () => void>([
    ['c', () => void copyBlock(props, blockOf(selection), 'cells')],
    ['x', () => void cutCells(props, selection)],
    ['v', () => void pasteBlock(props, selection)],
    ['d', () => void duplicateRows(props, selection)],
    ['a', () => props.onSelect(selectAll(props))],
    ['enter', () => void openReferenced(props, selection.active)],
  ]);
  return actions.get(event.key.toLowerCase());
}

function selectAll({ rows, columns }: RowsGridProps): Selection {
  const end = { row: Math.max(0, rows.count - 1), column: columns.length - 1 };
  return { active: { row: 0, column: 0 }, end };
}

const widthStep = 16;

/**
 * Alt and `,` or `.` resize a column. Alt, Shift and an arrow move it. Alt and H hide it. Alt and an
 * arrow alone belong to the browser, which goes back or forward.
 */
function columnKey(event: KeyboardEvent, props: RowsGridProps, { active }: Selection): Action {
  const { table, columns, layoutStore, onSelect } = props;
  const column = columns[active.column];
  if (column === undefined) return undefined;
  const { layout, change } = layoutStore;
  // `event.key` can be another letter with Alt, so this compares the physical key.
  if (event.code === 'KeyH')
    return columns.length === 1
      ? undefined
      : () => change({ hidden: [...layout.hidden, column.name] });
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const to = columns[active.column + (step ?? 0)];
  if (step !== undefined && event.shiftKey)
    return () => {
      if (to === undefined) return;
      change(moveColumn(table, layout, [column.name, to.name]));
      onSelect(selectCell({ row: active.row, column: active.column + step }));
    };
  const growth = { Comma: -widthStep, Period: widthStep }[event.code];
  if (growth === undefined) return undefined;
  const next = Math.max(minColumnWidth, widthOf(props, column) + growth);
  return () => change({ widths: { ...layout.widths, [column.name]: next } });
}
