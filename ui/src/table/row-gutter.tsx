import type { JSX } from 'react';
import { saveErrorOfRow } from '../editing/save-error.ts';
import { rowKeyOf } from '../editing/shown-rows.ts';
import { Icon } from '../parts/icon.tsx';
import { openRecord } from './row-actions.ts';
import type { RowsGridProps } from './rows-grid-props.ts';
import { allRows } from './view-state.ts';
import { tableTexts as texts } from '../texts/table.ts';

/** The width of the checkbox and of the button in front of a row. */
export const rowControlsWidth = 44;

interface RowGutterProps extends RowsGridProps {
  readonly row: number;
}

/** What is in front of a row: a checkbox, its state or number, and a button that opens its record. */
export function RowGutter(props: RowGutterProps): JSX.Element {
  const { rows, row, checked } = props;
  const shownRow = rows.at(row);
  const key = shownRow === undefined ? undefined : rowKeyOf(shownRow);
  const number = props.read.firstRow + rows.listIndex(row);
  return (
    <>
      {key !== undefined && (
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={shownRow?.kind === 'new' ? texts.selectNewRow : texts.selectRow({ number })}
          checked={checked.keys.has(key)}
          onMouseDown={(event) => event.preventDefault()}
          onChange={({ nativeEvent }) =>
            checked.toggle(row, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      )}
      <RowState {...props} number={number} />
      {key !== undefined && (
        <button
          className="ib sm"
          tabIndex={-1}
          aria-label={shownRow?.kind === 'new' ? texts.openNewRow : texts.openRow({ number })}
          title={texts.openRecord}
          onClick={() => openRecord(props, { row, column: 0 })}
        >
          <Icon name="expand" size="xs" />
        </button>
      )}
    </>
  );
}

function RowState(props: RowGutterProps & { readonly number: number }): JSX.Element {
  const { rows, store, row, number } = props;
  const shownRow = rows.at(row);
  const error = saveErrorOfRow(store, shownRow);
  if (error?.columns.length === 0)
    return (
      <span className="no err" role="img" aria-label={error.message} title={error.message}>
        !
      </span>
    );
  if (shownRow?.kind === 'new') return <span className="no">+</span>;
  if (shownRow?.isSavedNew === true && !shownRow.isRemoved)
    return (
      <span className="no" role="img" aria-label={texts.saved} title={texts.saved}>
        <Icon name="check" size="s" />
      </span>
    );
  const isRemoved = shownRow?.kind === 'stored' && shownRow.isRemoved;
  return (
    <>
      {isRemoved && <span>−</span>}
      <span className="no">{number}</span>
    </>
  );
}

/** Checks all rows. Of rows that all scroll, only a part has been read. */
export function GutterHead({ view, rows, checked }: RowsGridProps): JSX.Element {
  const isAll = rows.count > 0 && checked.rows.count === rows.count;
  return (
    <>
      {view.pageSize !== allRows && (
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={texts.selectPage}
          checked={isAll}
          ref={(input) => {
            if (input !== null) input.indeterminate = !isAll && checked.rows.count > 0;
          }}
          onMouseDown={(event) => event.preventDefault()}
          onChange={checked.toggleAll}
        />
      )}
    </>
  );
}
