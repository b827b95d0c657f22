import { useState } from 'react';
import type { JSX } from 'react';
import type { Cell } from '../../../src/contract/client/client.ts';
import { copyBlock } from '../editing/block-text.ts';
import { columnDisabledReason, stageShownRow } from '../editing/edit-target.ts';
import { readTyped } from '../editing/cell-editor/read-typed.ts';
import { rowsBetween, shownValue } from '../editing/shown-rows.ts';
import type { Staged } from '../editing/staged.ts';
import type { Selection } from '../grid/selection.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { Popover } from '../parts/popover.tsx';
import { rowsFormats } from '../rows-text/format-rows.ts';
import { duplicateRows, toggleRows } from './row-actions.ts';
import type { RowsGridProps } from './rows-grid-props.ts';
import { tableTexts as texts } from '../texts/table.ts';
import { commonTexts } from '../texts/common.ts';

/** The bar of the checked rows: their number, and what can be done with all of them. */
export function SelectedRowsBar(props: RowsGridProps): JSX.Element | null {
  const { checked, columns, readOnlyReason: reason } = props;
  const { count } = checked.rows;
  if (count === 0) return null;
  const target = { ...props, rows: checked.rows };
  const block = { top: 0, bottom: count - 1, left: 0, right: columns.length - 1 };
  const all: Selection = {
    active: { row: block.top, column: block.left },
    end: { row: block.bottom, column: block.right },
  };
  const writeProps = { 'aria-disabled': reason !== undefined, title: reason };
  return (
    <div className="selected-rows" role="region" aria-label={texts.selectedRows}>
      <span className="b">{commonTexts.rowCount({ count })}</span>
      <EditAll {...target} />
      <button
        className="btn quiet"
        {...writeProps}
        onClick={() => {
          if (reason === undefined) void duplicateRows(target, all).then(checked.clear);
        }}
      >
        <Icon name="plus" /> {texts.duplicate}
      </button>
      <Menu
        trigger={
          <button className="btn quiet">
            <Icon name="copy" /> {commonTexts.copy}
          </button>
        }
        items={[['cells', texts.cells] as const, ...rowsFormats].map(([format, label]) => ({
          label,
          onChoose: () => void copyBlock(target, block, format),
        }))}
      />
      <button
        className="btn quiet"
        {...writeProps}
        onClick={() => {
          if (reason !== undefined) return;
          toggleRows(target, all);
          checked.clear();
        }}
      >
        <Icon name="trash" /> {texts.delete}
      </button>
      <OtherPages {...props} />
      <button className="ib" aria-label={texts.clearSelection} onClick={checked.clear}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Says that only one page is selected. The user may think that all rows of the table are. */
function OtherPages({ checked, rows, read }: RowsGridProps): JSX.Element {
  const total = read.pageWithTotal?.total ?? 0;
  const isPage = checked.rows.count >= rows.count && total > rows.count;
  return (
    <span className="grow cut t3" role="status">
      {isPage && texts.pageSelected({ total })}
    </span>
  );
}

/** Sets one column of all checked rows. */
function EditAll(props: RowsGridProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { readOnlyReason: reason } = props;
  return (
    <Popover
      label={texts.editSelected}
      isOpen={isOpen}
      onOpenChange={(next) => setOpen(next && reason === undefined)}
      trigger={
        <button className="btn quiet" aria-disabled={reason !== undefined} title={reason}>
          <Icon name="text" /> {texts.edit}
        </button>
      }
    >
      <EditForm {...props} onDone={() => setOpen(false)} />
    </Popover>
  );
}

interface EditFormProps extends RowsGridProps {
  readonly onDone: () => void;
}

/** The column and the text that all checked rows get. */
function useColumnEdit({ table, columns, rows, store, onDone }: EditFormProps) {
  const editable = columns.filter(
    (column) => columnDisabledReason(column) === undefined && column.kind !== 'binary',
  );
  const [name, setName] = useState(editable[0]?.name ?? '');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const column = editable.find((other) => other.name === name);
  const stageValues = (values: readonly Cell[]): void => {
    store.change((staged) =>
      values.reduce<Staged>((next, value, row) => {
        const shownRow = rows.at(row);
        return shownRow === undefined
          ? next
          : stageShownRow(next, { table, shown: shownRow }, { [name]: value });
      }, staged),
    );
    onDone();
  };
  const apply = (): void => {
    if (column === undefined) return;
    const read = rowsBetween(rows, 0, rows.count - 1).map((shownRow) =>
      readTyped(text, { column, replaced: shownValue(shownRow, name) }),
    );
    const problems = read.flatMap((typed) => ('problem' in typed ? [typed.problem] : []));
    setProblem(problems[0]);
    if (problems.length === 0)
      stageValues(read.flatMap((typed) => ('problem' in typed ? [] : [typed.value])));
  };
  const setNull = (): void => stageValues(Array.from({ length: rows.count }, () => null));
  return { editable, column, name, setName, text, setText, problem, apply, setNull };
}

function EditForm(props: EditFormProps): JSX.Element {
  const { editable, column, name, setName, text, setText, problem, apply, setNull } =
    useColumnEdit(props);
  return (
    <form
      className="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <label>
        <span className="t3">{commonTexts.column}</span>
        <select className="field" value={name} onChange={(event) => setName(event.target.value)}>
          {editable.map((other) => (
            <option key={other.name}>{other.name}</option>
          ))}
        </select>
      </label>
      <label>
        <span className="t3">{commonTexts.value}</span>
        <span className="field">
          <input value={text} onChange={(event) => setText(event.target.value)} />
        </span>
      </label>
      {problem !== undefined && (
        <p className="err small" role="alert">
          {problem}
        </p>
      )}
      <div className="row">
        {column?.is_nullable === true && (
          <button type="button" className="btn" onClick={setNull}>
            {commonTexts.setNull}
          </button>
        )}
        <button className="btn primary end">{commonTexts.apply}</button>
      </div>
    </form>
  );
}
