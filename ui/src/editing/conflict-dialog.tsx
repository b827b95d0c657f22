import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import type { JSX, ReactNode } from 'react';
import type { Cell } from '../../../src/contract/client/client.ts';
import { queryClient } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import { truncatedValueOf } from '../cells/value-kind.ts';
import { DialogPopup } from '../parts/dialog-popup.tsx';
import { Icon } from '../parts/icon.tsx';
import { ChangedValue, isCompared } from './changed-text.tsx';
import { columnConflictsOf, mergeIntoEdit, recreateAsNewRow } from './conflict.ts';
import type { Conflict, ColumnConflict } from './conflict.ts';
import { save } from './save.ts';
import { useStaged } from './staged-store.ts';
import type { StagedTable } from './staged-store.ts';
import { editingTexts as texts } from '../texts/editing.ts';
import { commonTexts } from '../texts/common.ts';

interface ConflictDialogProps {
  readonly table: Table;
}

/** Asks which values to save when someone else has changed or deleted the row. */
export function ConflictDialog({ table }: ConflictDialogProps): JSX.Element | null {
  const store = useStaged(table.name);
  const { conflict } = store;
  if (conflict === undefined) return null;
  const close = (): void => store.setConflict(undefined);
  const row = { table: table.name, id: decodeURIComponent(conflict.id) };
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
    >
      <DialogPopup className="dialog review-dialog conflict">
        <header>
          <Icon name="warning" className="warn" />
          <div className="grow">
            <Dialog.Title
              render={
                <h2>
                  {conflict.remote === undefined ? texts.deletedByOther : texts.changedByOther}
                </h2>
              }
            />
            <Dialog.Description
              render={
                <p>
                  {conflict.remote === undefined
                    ? texts.chooseForDeleted(row)
                    : texts.chooseValues(row)}
                </p>
              }
            />
          </div>
        </header>
        {conflict.remote === undefined ? (
          <DeletedRow table={table} store={store} conflict={conflict} />
        ) : (
          <ChangedRow key={conflict.etag} table={table} store={store} conflict={conflict} />
        )}
      </DialogPopup>
    </Dialog.Root>
  );
}

function reloadRows(): void {
  void queryClient.invalidateQueries({ queryKey: ['rows'] });
}

interface ConflictContentProps {
  readonly table: Table;
  readonly store: StagedTable;
  readonly conflict: Conflict;
}

function ChangedRow({ table, store, conflict }: ConflictContentProps): JSX.Element {
  const columnConflicts = columnConflictsOf(conflict);
  const editedColumns = columnConflicts
    .filter(({ local }) => local !== undefined)
    .map(({ column }) => column);
  const [localColumns, setLocalColumns] = useState<ReadonlySet<string>>(new Set(editedColumns));
  const choose = (column: string, isLocal: boolean): void => {
    const next = new Set(localColumns);
    if (isLocal) next.add(column);
    else next.delete(column);
    setLocalColumns(next);
  };
  const saveMerged = (): void => {
    store.change((staged) => mergeIntoEdit(staged, conflict, localColumns));
    store.setConflict(undefined);
    // If the user has no changes left to save, the row still shows its old values.
    if (localColumns.size === 0) reloadRows();
    void save(table);
  };
  return (
    <>
      <div className="body" tabIndex={0}>
        <table className="plain conflict-table">
          <thead>
            <tr>
              <th>{commonTexts.column}</th>
              <th>{texts.theirVersion}</th>
              <th>{texts.yourVersion}</th>
            </tr>
          </thead>
          <tbody>
            {columnConflicts.map((columnConflict) => (
              <ColumnConflictRow
                key={columnConflict.column}
                table={table}
                columnConflict={columnConflict}
                isLocal={localColumns.has(columnConflict.column)}
                onChoose={(isLocal) => choose(columnConflict.column, isLocal)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <footer>
        <button className="btn quiet" onClick={() => setLocalColumns(new Set())}>
          {texts.useTheirVersion}
        </button>
        <button className="btn quiet" onClick={() => setLocalColumns(new Set(editedColumns))}>
          {texts.keepYourVersion}
        </button>
        <span className="grow" />
        <Dialog.Close render={<button className="btn">{commonTexts.cancel}</button>} />
        <button className="btn primary" onClick={saveMerged}>
          {texts.saveMerged}
        </button>
      </footer>
    </>
  );
}

interface ColumnConflictRowProps {
  readonly table: Table;
  readonly columnConflict: ColumnConflict;
  readonly isLocal: boolean;
  readonly onChoose: (isLocal: boolean) => void;
}

function ColumnConflictRow({
  table,
  columnConflict,
  isLocal,
  onChoose,
}: ColumnConflictRowProps): JSX.Element {
  const { column: name, original, remote, local } = columnConflict;
  const column = table.columns.find((other) => other.name === name);
  const show = (value: Cell, before: Cell = value): JSX.Element =>
    column === undefined ? <></> : <ChangedValue column={column} before={before} after={value} />;
  const isWordByWord =
    column !== undefined && isCompared(column, original) && isCompared(column, remote);
  if (local === undefined) {
    return (
      <tr>
        <th scope="row">{name}</th>
        <td colSpan={2}>
          <span className="row">
            <Icon name="check" size="s" className="ok" /> {show(remote)}
            <span className="t3">{texts.changedByThemOnly}</span>
          </span>
        </td>
      </tr>
    );
  }
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={isLocal ? '' : 'chosen'}>
        <Choice
          group={name}
          label={texts.theirVersion}
          isOn={!isLocal}
          onChoose={() => onChoose(false)}
        >
          {show(remote, original)}
          {!isWordByWord && (
            <small className="t3">
              {texts.was} {show(original)}
            </small>
          )}
        </Choice>
      </td>
      <td className={isLocal ? 'chosen' : ''}>
        <Choice
          group={name}
          label={texts.yourVersion}
          isOn={isLocal}
          onChoose={() => onChoose(true)}
        >
          {show(local, truncatedValueOf(original) === undefined ? original : remote)}
        </Choice>
      </td>
    </tr>
  );
}

interface ChoiceProps {
  readonly group: string;
  readonly label: string;
  readonly isOn: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

function Choice({ group, label, isOn, onChoose, children }: ChoiceProps): JSX.Element {
  return (
    <label className="row checked">
      <input
        type="radio"
        name={`keep ${group}`}
        aria-label={texts.versionOf({ version: label, column: group })}
        checked={isOn}
        onChange={onChoose}
      />
      <span className="choice-value">{children}</span>
    </label>
  );
}

function DeletedRow({ table, store, conflict }: ConflictContentProps): JSX.Element {
  const writable = table.columns.filter((column) => !column.is_generated).map(({ name }) => name);
  return (
    <>
      <p className="body pad">{texts.discardOrMove}</p>
      <footer>
        <Dialog.Close render={<button className="btn quiet">{commonTexts.cancel}</button>} />
        <span className="grow" />
        <button
          className="btn"
          onClick={() => {
            store.change((staged) => mergeIntoEdit(staged, conflict, new Set()));
            store.setConflict(undefined);
            reloadRows();
          }}
        >
          {texts.discardYours}
        </button>
        <button
          className="btn primary"
          onClick={() => {
            store.change((staged) => recreateAsNewRow(staged, conflict, writable));
            store.setConflict(undefined);
            reloadRows();
          }}
        >
          {texts.moveToNewRow}
        </button>
      </footer>
    </>
  );
}
