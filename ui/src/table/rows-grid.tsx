import { useState } from 'react';
import type { JSX } from 'react';
import { Grid } from '../grid/grid.tsx';
import { numbersWidth } from '../grid/grid-props.ts';
import type { Point } from '../grid/grid-props.ts';
import { selectCell, blockOf } from '../grid/selection.ts';
import type { CellPosition } from '../grid/selection.ts';
import { MenuAt } from '../parts/menu.tsx';
import type { MenuItem } from '../parts/menu.tsx';
import { useIsPhone } from '../parts/use-is-phone.ts';
import { StagedCell, cellClass, rowClass } from './staged-cell.tsx';
import { cellMenu } from './cell-menu.ts';
import { moveColumn } from './column-layout.ts';
import { gridColumns } from './grid-columns.tsx';
import { headMenu } from './head-menu.ts';
import { CellFields } from './cell-fields.tsx';
import { ReferenceCard } from './reference-card.tsx';
import { openRecord } from './row-actions.ts';
import { GutterHead, RowGutter, rowControlsWidth } from './row-gutter.tsx';
import { useGridEditing } from './use-grid-editing.ts';
import { useReferenceHover } from './use-reference-hover.ts';
import type { RowsGridProps } from './rows-grid-props.ts';
import { tableTexts as texts } from '../texts/table.ts';

interface OpenedMenu {
  readonly label: string;
  readonly at: Point;
  readonly items: readonly MenuItem[];
}

/** The grid of rows with their staged changes. */
export function RowsGrid(props: RowsGridProps): JSX.Element {
  const { table, rows, read, layoutStore, selection, onSelect } = props;
  const [menu, setMenu] = useState<OpenedMenu>();
  const isPhone = useIsPhone();
  const editing = useGridEditing(props);
  const hover = useReferenceHover(props);
  const columns = gridColumns(props, (column, at) =>
    setMenu({ label: texts.columnMenu(column), at, items: headMenu(props, column) }),
  );
  const { layout, change } = layoutStore;
  const gutter = gutterOf(props);
  const openMenu = (position: CellPosition, at: Point): void => {
    const block = selection === undefined ? undefined : blockOf(selection);
    const isIn = block !== undefined && position.row >= block.top && position.row <= block.bottom;
    const menuSelection = isIn && selection !== undefined ? selection : selectCell(position);
    if (menuSelection !== selection) onSelect(menuSelection);
    setMenu({ label: texts.cellMenu, at, items: cellMenu(props, menuSelection, editing) });
  };
  return (
    <div className="grid-place" {...hover.handlers}>
      <Grid
        label={table.name}
        columns={columns}
        pinned={props.pinned}
        rowCount={rows.count}
        firstRow={read.firstRow}
        totalRows={read.pageWithTotal?.total ?? undefined}
        {...gutter}
        scrollKey={props.loadedView}
        isWaiting={read.isWaiting}
        selection={selection}
        resumeAt={props.resumeAt}
        onSelect={onSelect}
        onTap={isPhone ? (position) => openRecord(props, position) : undefined}
        onResize={(name, width) => change({ widths: { ...layout.widths, [name]: width } })}
        onMove={(name, to) => change(moveColumn(table, layout, [name, to]))}
        onRange={read.setRange}
        renderCell={(position) => <StagedCell {...props} position={position} isPhone={isPhone} />}
        cellClass={(position) => cellClass(props, position, isPhone)}
        rowClass={(row) => rowClass(props, row)}
        onOpen={(position) => editing.open(position)}
        onKey={editing.pressKey}
        onMenu={openMenu}
      >
        <CellFields {...props} shown={columns} gutterWidth={gutter.gutterWidth} editing={editing} />
      </Grid>
      {hover.shown !== undefined && <ReferenceCard {...props} {...hover.shown} />}
      {menu !== undefined && <MenuAt {...menu} onClose={() => setMenu(undefined)} />}
    </div>
  );
}

function gutterOf(props: RowsGridProps) {
  const { read, rows } = props;
  const lastRow = Math.max(read.pageWithTotal?.total ?? 0, read.firstRow + rows.count);
  return {
    gutterWidth: numbersWidth(lastRow) + rowControlsWidth,
    gutter: (row: number) => <RowGutter {...props} row={row} />,
    gutterHead: <GutterHead {...props} />,
  };
}
