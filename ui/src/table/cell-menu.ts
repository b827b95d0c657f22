import { cellText, truncatedValueOf } from '../cells/value-kind.ts';
import { copyBlock, pasteBlock } from '../editing/block-text.ts';
import { disabledReason } from '../editing/edit-target.ts';
import { rowValuesOf, shownValue } from '../editing/shown-rows.ts';
import { blockOf } from '../grid/selection.ts';
import { shortcutText } from '../parts/modifier-key.ts';
import type { Selection } from '../grid/selection.ts';
import type { MenuItem } from '../parts/menu.tsx';
import { referenceOf } from '../record/reference.ts';
import { rowsFormats } from '../rows-text/format-rows.ts';
import {
  clearCells,
  cutCells,
  duplicateRows,
  nullReason,
  openRecord,
  openReferenced,
  restoreRow,
  revertCells,
  toggleRows,
} from './row-actions.ts';
import type { RowsGridProps } from './rows-grid-props.ts';
import type { GridEditing } from './use-grid-editing.ts';
import { tableTexts as texts } from '../texts/table.ts';
import { commonTexts } from '../texts/common.ts';
import { keyTexts } from '../texts/parts.ts';

/** The context menu of the selected cells and their rows. */
export function cellMenu(
  props: RowsGridProps,
  selection: Selection,
  editing: GridEditing,
): readonly MenuItem[] {
  const { active } = selection;
  const reason = disabledReason(props, active);
  return [
    {
      label: texts.edit,
      icon: 'text',
      keys: '↵',
      disabledReason: reason,
      onChoose: () => editing.open(active),
    },
    ...clipboardItems(props, selection, reason),
    {
      label: commonTexts.setNull,
      icon: 'close',
      keys: '⌫',
      hasSeparator: true,
      disabledReason: nullReason(props, active),
      onChoose: () => clearCells(props, selection),
    },
    {
      label: commonTexts.revert,
      icon: 'undo',
      disabledReason: reason,
      onChoose: () => revertCells(props, selection),
    },
    ...openAndFilterItems(props, selection),
    ...rowItems(props, selection),
  ];
}

function clipboardItems(
  props: RowsGridProps,
  selection: Selection,
  reason: string | undefined,
): readonly MenuItem[] {
  const block = blockOf(selection);
  return [
    {
      label: commonTexts.copy,
      icon: 'copy',
      keys: shortcutText('C'),
      hasSeparator: true,
      onChoose: () => void copyBlock(props, block, 'cells'),
    },
    ...rowsFormats.map(([format, title]): MenuItem => ({
      label: commonTexts.copyAs({ format: title }),
      icon: 'copy',
      onChoose: () => void copyBlock(props, block, format),
    })),
    {
      label: texts.cut,
      icon: 'copy',
      keys: shortcutText('X'),
      disabledReason: reason,
      onChoose: () => void cutCells(props, selection),
    },
    {
      label: texts.paste,
      icon: 'file',
      keys: shortcutText('V'),
      disabledReason: reason,
      onChoose: () => void pasteBlock(props, selection),
    },
  ];
}

function openAndFilterItems(props: RowsGridProps, { active }: Selection): readonly MenuItem[] {
  const { table, rows, columns, view, change } = props;
  const shownRow = rows.at(active.row);
  const column = columns[active.column];
  if (shownRow === undefined || column === undefined) return [];
  const reference = referenceOf(table, column, rowValuesOf(shownRow));
  const value = shownValue(shownRow, column.name) ?? null;
  const isTruncated = truncatedValueOf(value) !== undefined || column.kind === 'binary';
  const filter =
    value === null
      ? { column: column.name, operator: 'null', value: 'true' }
      : { column: column.name, operator: 'eq', value: cellText(value) };
  return [
    {
      label: texts.openRecord,
      icon: 'panel',
      keys: keyTexts.space,
      hasSeparator: true,
      onChoose: () => openRecord(props, active),
    },
    ...(reference === undefined
      ? []
      : [
          {
            label: texts.openReference({
              table: reference.table,
              key: Object.values(reference.key).join(', '),
            }),
            icon: 'open',
            keys: shortcutText('↵'),
            onChoose: () => void openReferenced(props, active),
          } satisfies MenuItem,
        ]),
    {
      label: texts.filterByValue,
      icon: 'filter',
      disabledReason: isTruncated ? texts.valueTooLong : undefined,
      onChoose: () => change({ filters: [...view.filters, [filter]] }),
    },
  ];
}

function rowItems(props: RowsGridProps, selection: Selection): readonly MenuItem[] {
  const { table, rows, readOnlyReason: reason } = props;
  const shownRow = rows.at(selection.active.row);
  const deletion = table.soft_delete_column;
  const isSoftDeleted =
    shownRow?.kind === 'stored' && deletion !== null && (shownRow.row[deletion] ?? null) !== null;
  const isRemoved = shownRow?.kind === 'stored' && shownRow.isRemoved;
  return [
    {
      label: texts.duplicateRow,
      icon: 'plus',
      keys: shortcutText('D'),
      hasSeparator: true,
      disabledReason: reason,
      onChoose: () => void duplicateRows(props, selection),
    },
    ...(isSoftDeleted
      ? [
          {
            label: texts.restoreRow,
            icon: 'undo',
            disabledReason: reason,
            onChoose: () => restoreRow(props, shownRow),
          } satisfies MenuItem,
        ]
      : []),
    {
      label: isRemoved ? texts.undoDelete : texts.deleteRow,
      icon: 'trash',
      keys: keyTexts.deleteShort,
      disabledReason: reason,
      onChoose: () => toggleRows(props, selection),
    },
  ];
}
