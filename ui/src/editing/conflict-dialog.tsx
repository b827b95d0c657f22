import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import type { JSX, ReactNode } from 'react';
import type { Cell } from '../../../src/contract/client.ts';
import type { Table } from '../api/queries.ts';
import { cutOf } from '../cells/value-kind.ts';
import { Icon } from '../parts/icon.tsx';
import { ChangedValue, isCompared } from './changed-text.tsx';
import { disputesOf, settle, settleAsNew } from './conflict.ts';
import type { Conflict, Dispute } from './conflict.ts';
import { save } from './save.ts';
import { useStaged } from './staged-store.ts';
import type { StagedTable } from './staged-store.ts';

interface ConflictDialogProps {
  readonly table: Table;
}

/** Asks which values stay when someone else changed a row that is being saved. */
export function ConflictDialog({ table }: ConflictDialogProps): JSX.Element | null {
  const store = useStaged(table.name);
  const { conflict } = store;
  if (conflict === undefined) return null;
  const close = (): void => store.dispute(undefined);
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="dialog review-dialog conflict">
          <header>
            <Icon name="warning" className="warn" />
            <div className="grow">
              <Dialog.Title
                render={
                  <h2>
                    {conflict.theirs === undefined
                      ? 'Someone else deleted this row'
                      : 'Someone else changed this row'}
                  </h2>
                }
              />
              <Dialog.Description
                render={
                  <p>
                    {table.name} {decodeURIComponent(conflict.id)}. Nothing was saved, and nothing
                    of yours is lost: choose what to keep.
                  </p>
                }
              />
            </div>
          </header>
          {conflict.theirs === undefined ? (
            <GoneRow table={table} store={store} conflict={conflict} />
          ) : (
            <ChangedRow key={conflict.etag} table={table} store={store} conflict={conflict} />
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PartProps {
  readonly table: Table;
  readonly store: StagedTable;
  readonly conflict: Conflict;
}

function ChangedRow({ table, store, conflict }: PartProps): JSX.Element {
  const disputes = disputesOf(conflict);
  const disputed = disputes.filter(({ mine }) => mine !== undefined).map(({ column }) => column);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set(disputed));
  const choose = (column: string, isMine: boolean): void => {
    const next = new Set(kept);
    if (isMine) next.add(column);
    else next.delete(column);
    setKept(next);
  };
  const saveMerged = (): void => {
    store.change((staged) => settle(staged, conflict, kept));
    store.dispute(undefined);
    void save(table);
  };
  return (
    <>
      <div className="body" tabIndex={0}>
        <table className="plain conflict-table">
          <thead>
            <tr>
              <th>Column</th>
              <th>Their version</th>
              <th>Your version</th>
            </tr>
          </thead>
          <tbody>
            {disputes.map((dispute) => (
              <DisputeLine
                key={dispute.column}
                table={table}
                dispute={dispute}
                isMine={kept.has(dispute.column)}
                onChoose={(isMine) => choose(dispute.column, isMine)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <footer>
        <button className="btn quiet" onClick={() => setKept(new Set())}>
          Take all of theirs
        </button>
        <button className="btn quiet" onClick={() => setKept(new Set(disputed))}>
          Keep all mine
        </button>
        <span className="grow" />
        <Dialog.Close render={<button className="btn">Cancel</button>} />
        <button className="btn primary" onClick={saveMerged}>
          Save merged row
        </button>
      </footer>
    </>
  );
}

interface DisputeLineProps {
  readonly table: Table;
  readonly dispute: Dispute;
  readonly isMine: boolean;
  readonly onChoose: (isMine: boolean) => void;
}

function DisputeLine({ table, dispute, isMine, onChoose }: DisputeLineProps): JSX.Element {
  const { column: name, was, theirs, mine } = dispute;
  const column = table.columns.find((known) => known.name === name);
  const show = (value: Cell, before: Cell = value): JSX.Element =>
    column === undefined ? <></> : <ChangedValue column={column} before={before} after={value} />;
  const isWordByWord =
    column !== undefined && isCompared(column, was) && isCompared(column, theirs);
  if (mine === undefined) {
    return (
      <tr>
        <th scope="row">{name}</th>
        <td colSpan={2}>
          <span className="row">
            <Icon name="check" size="s" className="ok" /> {show(theirs)}
            <span className="t3">changed in their version only</span>
          </span>
        </td>
      </tr>
    );
  }
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={isMine ? '' : 'chosen'}>
        <Choice group={name} label="Their version" isOn={!isMine} onChoose={() => onChoose(false)}>
          {show(theirs, was)}
          {!isWordByWord && <small className="t3">was {show(was)}</small>}
        </Choice>
      </td>
      <td className={isMine ? 'chosen' : ''}>
        <Choice group={name} label="Your version" isOn={isMine} onChoose={() => onChoose(true)}>
          {show(mine, cutOf(was) === undefined ? was : theirs)}
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
        aria-label={`${label} of ${group}`}
        checked={isOn}
        onChange={onChoose}
      />
      <span className="choice-value">{children}</span>
    </label>
  );
}

function GoneRow({ table, store, conflict }: PartProps): JSX.Element {
  const writable = table.columns.filter((column) => !column.is_generated).map(({ name }) => name);
  return (
    <>
      <p className="body pad">What you typed can be dropped, or go into a new row.</p>
      <footer>
        <Dialog.Close render={<button className="btn quiet">Cancel</button>} />
        <span className="grow" />
        <button
          className="btn"
          onClick={() => {
            store.change((staged) => settle(staged, conflict, new Set()));
            store.dispute(undefined);
          }}
        >
          Drop my changes to it
        </button>
        <button
          className="btn primary"
          onClick={() => {
            store.change((staged) => settleAsNew(staged, conflict, writable));
            store.dispute(undefined);
          }}
        >
          Make it a new row
        </button>
      </footer>
    </>
  );
}
