import type { JSX, ReactNode } from 'react';
import type { Cell } from '../../../src/contract/client/client.ts';
import type { Column, Row, Table } from '../api/queries.ts';
import { CellView } from '../cells/cell-view.tsx';
import { ownValue } from '../cells/own-value.ts';
import { Icon } from '../parts/icon.tsx';
import { ChangedValue, isCompared } from './changed-text.tsx';
import { ReferenceCell } from './reference-cell.tsx';
import { foreignKeyOf } from '../record/reference.ts';
import type { PreviewError } from './change-preview.ts';
import {
  dropEdit,
  dropNewRow,
  listItems,
  revertValue,
  stageNewValue,
  toggleRemoval,
} from './staged.ts';
import type { Staged } from './staged.ts';
import type { StagedTable } from './staged-store.ts';
import { editingTexts as texts } from '../texts/editing.ts';
import { commonTexts } from '../texts/common.ts';

interface ReviewedChangesProps {
  readonly table: Table;
  readonly store: StagedTable;
  /** The statements by `listItems`, as far as the server has previewed them. */
  readonly sql: ReadonlyMap<string, string>;
  readonly failure: PreviewError | undefined;
}

/** Each changed row with its values, its statement, and buttons that revert them. */
export function ReviewedChanges(props: ReviewedChangesProps): JSX.Element {
  const { table, store } = props;
  const statementOf = statementFinder(props);
  const revert = (make: (staged: Staged) => Staged) => (): void => store.change(make);
  return (
    <>
      {[...store.staged.created].map(([number, values]) => (
        <ChangedRow
          key={number}
          kind="new"
          title={texts.newRow}
          {...statementOf(`create ${number}`)}
          onRevert={revert((staged) => dropNewRow(staged, number))}
        >
          {Object.entries(values).map(([name, after]) => (
            <ChangedCell
              key={name}
              table={table}
              column={columnOf(table, name)}
              name={name}
              after={after}
              row={values}
              onRevert={revert((staged) => stageNewValue(staged, number, [name, undefined]))}
            />
          ))}
        </ChangedRow>
      ))}
      <StoredRowChanges {...props} />
    </>
  );
}

/** Edited and deleted rows. */
function StoredRowChanges(props: ReviewedChangesProps): JSX.Element {
  const { table, store } = props;
  const { edits, removed } = store.staged;
  const statementOf = statementFinder(props);
  const revert = (make: (staged: Staged) => Staged) => (): void => store.change(make);
  return (
    <>
      {[...edits].map(([id, { row, etag, values }]) => (
        <ChangedRow
          key={`edit ${id}`}
          kind="mod"
          title={rowTitle(table, id)}
          {...statementOf(`update ${id}`)}
          note={removed.has(id) ? texts.rowWillBeDeleted : undefined}
          onRevert={revert((staged) => dropEdit(staged, id))}
        >
          {Object.entries(values).map(([name, after]) => (
            <ChangedCell
              key={name}
              table={table}
              column={columnOf(table, name)}
              name={name}
              before={ownValue(row, name) ?? null}
              rowBefore={row}
              after={after}
              row={{ ...row, ...values }}
              onRevert={revert((staged) => revertValue(staged, { id, row, etag }, name))}
            />
          ))}
        </ChangedRow>
      ))}
      {[...removed].map(([id, { row, etag }]) => (
        <ChangedRow
          key={`delete ${id}`}
          kind="del"
          title={rowTitle(table, id)}
          {...statementOf(`delete ${id}`)}
          onRevert={revert((staged) =>
            staged.removed.has(id) ? toggleRemoval(staged, { id, row, etag }) : staged,
          )}
        />
      ))}
    </>
  );
}

type Statement = Pick<ChangedRowProps, 'sql' | 'error'>;

/** Finds the statement of a staged change, and its error. */
function statementFinder({
  store,
  sql,
  failure,
}: ReviewedChangesProps): (change: string) => Statement {
  const items = listItems(store.staged);
  return (change) => {
    const item = items.get(change);
    if (item === undefined) return { sql: undefined, error: undefined };
    return { sql: sql.get(item), error: failure?.item === item ? failure.message : undefined };
  };
}

function columnOf(table: Table, name: string): Column | undefined {
  return table.columns.find((column) => column.name === name);
}

function rowTitle(table: Table, id: string): string {
  return `${table.primary_key.join(', ')} ${decodeURIComponent(id)}`.trim();
}

const kindLabels = { new: texts.new, mod: texts.edited, del: texts.deleted } as const;

interface ChangedRowProps {
  readonly kind: keyof typeof kindLabels;
  readonly title: string;
  readonly sql: string | undefined;
  readonly error: string | undefined;
  readonly note?: string | undefined;
  readonly children?: ReactNode;
  readonly onRevert: () => void;
}

function ChangedRow(props: ChangedRowProps): JSX.Element {
  const { kind, title, sql, error, note, children, onRevert } = props;
  return (
    <article
      className="change"
      aria-label={texts.changedRow({ row: title, kind: kindLabels[kind] })}
    >
      <header>
        <span className={`badge ${kind}`}>{kindLabels[kind]}</span>
        <span className="m grow cut">{title}</span>
        <button
          className="btn quiet"
          aria-label={texts.revertChangesOf({ name: title })}
          onClick={onRevert}
        >
          <Icon name="undo" size="s" /> {commonTexts.revert}
        </button>
      </header>
      {kind !== 'del' && (
        <table className="plain">
          <tbody>{children}</tbody>
        </table>
      )}
      {error !== undefined && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
      {note !== undefined && <p className="t2">{note}</p>}
      {sql !== undefined && (
        <pre className="code" tabIndex={0} aria-label={texts.sqlOf({ row: title })}>
          {sql}
        </pre>
      )}
    </article>
  );
}

interface ChangedCellProps {
  readonly table: Table;
  readonly column: Column | undefined;
  readonly name: string;
  readonly before?: Cell;
  readonly rowBefore?: Row;
  readonly after: Cell;
  readonly row: Row;
  readonly onRevert: () => void;
}

function ChangedCell(props: ChangedCellProps): JSX.Element {
  const { table, column, name, before, rowBefore, after, row, onRevert } = props;
  const isReference = column !== undefined && isLabeled(table, column, after);
  const isWordByWord =
    column !== undefined && !isReference && isCompared(column, before) && isCompared(column, after);
  return (
    <tr>
      <td className="t2">{name}</td>
      <td>
        {before !== undefined && column !== undefined && !isWordByWord && (
          <s>
            <Value table={table} column={column} value={before} row={rowBefore ?? {}} />
          </s>
        )}{' '}
        {isReference && <Value table={table} column={column} value={after} row={row} />}
        {column !== undefined && !isReference && (
          <ChangedValue column={column} before={before ?? null} after={after} />
        )}
      </td>
      <td>
        <button
          className="ib sm"
          aria-label={texts.revertChangesOf({ name })}
          title={commonTexts.revert}
          onClick={onRevert}
        >
          <Icon name="undo" size="s" />
        </button>
      </td>
    </tr>
  );
}

interface ValueProps {
  readonly table: Table;
  readonly column: Column;
  readonly value: Cell;
  readonly row: Row;
}

/** A value as in a cell of the grid. A foreign key has the label of its row. */
function Value({ table, column, value, row }: ValueProps): JSX.Element {
  return isLabeled(table, column, value) ? (
    <ReferenceCell table={table} column={column} row={row} value={value} />
  ) : (
    <CellView value={value} column={column} />
  );
}

function isLabeled(table: Table, column: Column, value: Cell): boolean {
  return value !== null && foreignKeyOf(table, column)?.columns.length === 1;
}
