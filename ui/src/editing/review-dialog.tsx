import { Dialog } from '@base-ui/react/dialog';
import type { JSX } from 'react';
import type { Cell } from '../../../src/contract/client.ts';
import type { Column, Table } from '../api/queries.ts';
import { CellView } from '../cells/cell-view.tsx';
import { Icon } from '../parts/icon.tsx';
import { ChangedValue, isCompared } from './changed-text.tsx';
import type { StagedTable } from './staged-store.ts';

interface ReviewDialogProps {
  readonly table: Table;
  readonly store: StagedTable;
  readonly onSave: () => void;
}

/** Lists all unsaved changes of a table. */
export function ReviewDialog({ table, store, onSave }: ReviewDialogProps): JSX.Element {
  return (
    <Dialog.Root>
      <Dialog.Trigger render={<button className="btn">Review</button>} />
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="dialog review-dialog">
          <header>
            <div className="grow">
              <Dialog.Title render={<h2>Changes to {table.name}</h2>} />
              <Dialog.Description
                render={<p>They are written in one transaction: all of them, or none.</p>}
              />
            </div>
            <Dialog.Close
              render={
                <button className="ib" aria-label="Close">
                  <Icon name="close" />
                </button>
              }
            />
          </header>
          <div className="body">
            <ChangeTable table={table} store={store} />
          </div>
          <footer>
            <Dialog.Close
              render={
                <button className="btn quiet" onClick={store.clear}>
                  Discard all
                </button>
              }
            />
            <span className="grow" />
            <Dialog.Close
              render={
                <button className="btn primary" onClick={onSave}>
                  Save
                </button>
              }
            />
          </footer>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function ChangeTable({ table, store }: Omit<ReviewDialogProps, 'onSave'>): JSX.Element {
  const { edits, created, removed } = store.staged;
  const columnOf = (name: string): Column | undefined =>
    table.columns.find((column) => column.name === name);
  return (
    <table className="plain">
      <tbody>
        {[...created].flatMap(([number, values]) =>
          changedValues(Object.entries(values)).map(([name, value]) => (
            <ChangeRow
              key={`new ${number} ${name}`}
              kind="new"
              title="new row"
              column={columnOf(name)}
              after={value}
            />
          )),
        )}
        {[...edits].flatMap(([id, { row, values }]) =>
          Object.entries(values).map(([name, value]) => (
            <ChangeRow
              key={`${id} ${name}`}
              kind="mod"
              title={decodeURIComponent(id)}
              column={columnOf(name)}
              before={row[name] ?? null}
              after={value}
            />
          )),
        )}
        {[...removed.keys()].map((id) => (
          <ChangeRow key={id} kind="del" title={decodeURIComponent(id)} column={undefined} />
        ))}
      </tbody>
    </table>
  );
}

/** A new row without values gets one line too. */
function changedValues(
  entries: readonly (readonly [string, Cell])[],
): readonly (readonly [string, Cell | undefined])[] {
  return entries.length === 0 ? [['', undefined]] : entries;
}

interface ChangeRowProps {
  readonly kind: 'new' | 'mod' | 'del';
  readonly title: string;
  readonly column: Column | undefined;
  readonly before?: Cell | undefined;
  readonly after?: Cell | undefined;
}

const kindLabels = { new: 'new', mod: 'edited', del: 'deleted' } as const;

function ChangeRow({ kind, title, column, before, after }: ChangeRowProps): JSX.Element {
  const isWordByWord =
    column !== undefined && isCompared(column, before) && isCompared(column, after);
  return (
    <tr>
      <td>
        <span className={`badge ${kind}`}>{kindLabels[kind]}</span>
      </td>
      <td className="m">{title}</td>
      <td className="t2">{column?.name ?? ''}</td>
      <td>
        {before !== undefined && column !== undefined && !isWordByWord && (
          <s>
            <CellView value={before} column={column} />
          </s>
        )}
      </td>
      <td>
        {column !== undefined && (
          <ChangedValue column={column} before={before ?? null} after={after} />
        )}
      </td>
    </tr>
  );
}
