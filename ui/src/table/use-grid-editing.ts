import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { Cell } from '../../../src/contract/client.ts';
import { copyBlock, pasteBlock } from '../editing/block-text.ts';
import { offReason, putOne } from '../editing/edit-target.ts';
import { dropNewRow, toggleRemoval } from '../editing/staged.ts';
import { blockOf, selectCell } from '../grid/selection.ts';
import type { Place, Selection } from '../grid/selection.ts';
import { showToast } from '../parts/toast.tsx';
import { writeRecord } from '../record/record-address.ts';
import type { RowsGridProps } from './rows-grid-props.ts';

/** The cell that is being edited, and what was typed to open it. */
export interface OpenedCell {
  readonly place: Place;
  readonly typed: string | undefined;
}

export interface GridEditing {
  readonly opened: OpenedCell | undefined;
  readonly open: (place: Place) => void;
  readonly pressKey: (event: KeyboardEvent<HTMLDivElement>, selection: Selection) => void;
  readonly finish: (value: Cell | undefined, step: 'down' | 'right' | 'stay') => void;
  readonly cancel: () => void;
}

/** What keys and double clicks do to cells. */
export function useGridEditing(props: RowsGridProps): GridEditing {
  const [opened, setOpened] = useState<OpenedCell>();
  const { table, rows, store, view, change, onSelect } = props;

  const open = (place: Place, typed?: string): void => {
    const reason = offReason(props, place);
    if (reason === undefined) setOpened({ place, typed });
    else showToast({ kind: 'error', title: 'This cell cannot be edited', detail: reason });
  };
  const put = (places: readonly Place[], value: Cell | undefined): void => {
    store.change(
      places.reduce((staged, place) => putOne(props, staged, { place, value }), store.staged),
    );
  };
  const openRecord = ({ row }: Place): void => {
    const shown = rows[row];
    if (shown?.kind === 'known' && shown.known !== undefined)
      change({ open: [writeRecord({ table: table.name, id: shown.known.id })] });
  };
  const pressKey = (event: KeyboardEvent<HTMLDivElement>, selection: Selection): void => {
    const hasMod = event.ctrlKey || event.metaKey;
    const { active } = selection;
    if (hasMod && event.key.toLowerCase() === 'c') return void copyBlock(props, blockOf(selection));
    if (hasMod && event.key.toLowerCase() === 'v') return void pasteBlock(props, active);
    if (hasMod || event.altKey) return;
    const act = keys(event.key, { open, openRecord, props, selection, put });
    if (act === undefined) return;
    event.preventDefault();
    act();
    if (event.key === 'Escape' && view.open.length > 0) change({ open: [] });
  };
  return {
    opened,
    open: (place) => open(place),
    pressKey,
    cancel: () => setOpened(undefined),
    finish: (value, step) => {
      if (opened === undefined) return;
      put([opened.place], value);
      setOpened(undefined);
      const { row, column } = opened.place;
      if (step === 'down')
        onSelect(selectCell({ row: Math.min(row + 1, rows.length - 1), column }));
      if (step === 'right')
        onSelect(selectCell({ row, column: Math.min(column + 1, table.columns.length - 1) }));
    },
  };
}

interface Deeds {
  readonly open: (place: Place, typed?: string) => void;
  readonly openRecord: (place: Place) => void;
  readonly put: (places: readonly Place[], value: Cell | undefined) => void;
  readonly props: RowsGridProps;
  readonly selection: Selection;
}

function keys(key: string, deeds: Deeds): (() => void) | undefined {
  const { open, openRecord, put, props, selection } = deeds;
  const { active } = selection;
  if (key === 'Enter' || key === 'F2') return () => open(active);
  if (key === ' ') return () => openRecord(active);
  if (key === 'Escape') return () => {};
  if (key === 'Backspace')
    return () =>
      put(
        placesOf(selection).filter((place) => mayBeNull(props, place)),
        null,
      );
  if (key === 'Delete') return () => toggleRows(props, selection);
  return key.length === 1 ? () => open(active, key) : undefined;
}

function placesOf(selection: Selection): readonly Place[] {
  const { top, bottom, left, right } = blockOf(selection);
  const places: Place[] = [];
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) places.push({ row, column });
  return places;
}

function mayBeNull(props: RowsGridProps, place: Place): boolean {
  return (
    props.table.columns[place.column]?.is_nullable === true && offReason(props, place) === undefined
  );
}

function toggleRows(props: RowsGridProps, selection: Selection): void {
  const { rows, store, readOnlyReason } = props;
  const { top, bottom } = blockOf(selection);
  if (readOnlyReason !== undefined) {
    showToast({ kind: 'error', title: 'Rows cannot be deleted', detail: readOnlyReason });
    return;
  }
  const marked = rows.slice(top, bottom + 1).reduce((staged, shown) => {
    if (shown.kind === 'new') return dropNewRow(staged, shown.number);
    return shown.known === undefined ? staged : toggleRemoval(staged, shown.known);
  }, store.staged);
  store.change(marked);
}
