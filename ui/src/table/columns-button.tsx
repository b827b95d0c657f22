import type { JSX } from 'react';
import type { Table } from '../api/queries.ts';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';
import { allInOrder, moveColumn, toggle } from './column-layout.ts';
import type { ColumnLayoutStore } from './column-layout.ts';
import { tableTexts as texts } from '../texts/table.ts';
import { commonTexts } from '../texts/common.ts';

interface ColumnsProps {
  readonly table: Table;
  readonly layoutStore: ColumnLayoutStore;
}

/** Shows, hides, orders and pins columns. */
export function ColumnsButton({ table, layoutStore }: ColumnsProps): JSX.Element {
  return (
    <Popover
      label={commonTexts.columns}
      trigger={
        <button className="ib" aria-label={commonTexts.columns} title={texts.columnsHint}>
          <Icon name="columns" />
        </button>
      }
    >
      <ColumnList table={table} layoutStore={layoutStore} />
    </Popover>
  );
}

function ColumnList({ table, layoutStore }: ColumnsProps): JSX.Element {
  const { layout, change, reset } = layoutStore;
  const columns = allInOrder(table, layout);
  const setAll = (isShown: boolean): void =>
    change({ hidden: isShown ? [] : columns.slice(1).map(({ name }) => name) });
  return (
    <div className="column-list">
      <ul>
        {columns.map(({ name }, i) => (
          <li key={name} className="row">
            <label className="row grow cut checked">
              <input
                type="checkbox"
                checked={!layout.hidden.includes(name)}
                onChange={() => change({ hidden: toggle(layout.hidden, name) })}
              />
              <span className="cut">{name}</span>
            </label>
            <Move
              {...{ table, layoutStore, name }}
              to={columns[i - 1]?.name}
              label={texts.moveUp({ column: name })}
              icon="up"
            />
            <Move
              {...{ table, layoutStore, name }}
              to={columns[i + 1]?.name}
              label={texts.moveDown({ column: name })}
              icon="down"
            />
            <button
              className="ib sm"
              aria-label={texts.pinColumnOf({ column: name })}
              title={texts.pinColumn}
              aria-pressed={layout.pinned.includes(name)}
              onClick={() => change({ pinned: toggle(layout.pinned, name) })}
            >
              <Icon name="pin" size="s" />
            </button>
          </li>
        ))}
      </ul>
      <footer className="row">
        <button className="btn quiet" onClick={() => setAll(true)}>
          {texts.showAll}
        </button>
        <button className="btn quiet" onClick={() => setAll(false)}>
          {texts.hideAllButFirst}
        </button>
        <button className="btn quiet end" onClick={reset}>
          {texts.resetColumns}
        </button>
      </footer>
    </div>
  );
}

interface MoveProps extends ColumnsProps {
  readonly name: string;
  /** The column whose position it takes. Undefined at the end of the list. */
  readonly to: string | undefined;
  readonly label: string;
  readonly icon: IconName;
}

function Move({ table, layoutStore, name, to, label, icon }: MoveProps): JSX.Element {
  return (
    <button
      className="ib sm"
      aria-label={label}
      aria-disabled={to === undefined}
      onClick={() => {
        if (to !== undefined) layoutStore.change(moveColumn(table, layoutStore.layout, [name, to]));
      }}
    >
      <Icon name={icon} size="s" />
    </button>
  );
}
