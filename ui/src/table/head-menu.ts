import type { Column } from '../api/queries.ts';
import { copyText } from '../parts/copy-text.ts';
import type { MenuItem } from '../parts/menu.tsx';
import { moveColumn, toggle } from './column-layout.ts';
import type { RowsGridProps } from './rows-grid-props.ts';
import type { SortTerm } from './view-state.ts';
import { tableTexts as texts } from '../texts/table.ts';
import { altShortcutText, withShift } from '../parts/modifier-key.ts';

/** The menu of a column header. */
export function headMenu(props: RowsGridProps, column: Column): readonly MenuItem[] {
  const { view, change, layoutStore } = props;
  const { name } = column;
  const { layout } = layoutStore;
  const term = view.sort.find((other) => other.column === name);
  const otherTerms = view.sort.filter((other) => other.column !== name);
  const sort = (descending: boolean): readonly SortTerm[] => [{ column: name, descending }];
  const isPinned = layout.pinned.includes(name);
  return [
    {
      label: texts.sortAscending,
      icon: 'up',
      isSelected: term?.descending === false,
      onChoose: () => change({ sort: sort(false) }),
    },
    {
      label: texts.sortDescending,
      icon: 'down',
      isSelected: term?.descending === true,
      onChoose: () => change({ sort: sort(true) }),
    },
    {
      label: texts.addToSort,
      icon: 'plus',
      keys: withShift(texts.click),
      onChoose: () => change({ sort: [...otherTerms, ...sort(false)] }),
    },
    ...moveItems(props, column),
    {
      label: isPinned ? texts.unpinColumn : texts.pinColumn,
      icon: 'pin',
      onChoose: () => layoutStore.change({ pinned: toggle(layout.pinned, name) }),
    },
    {
      label: texts.hideColumn,
      icon: 'eye',
      keys: altShortcutText('H'),
      disabledReason: props.columns.length === 1 ? texts.lastVisibleColumn : undefined,
      onChoose: () => layoutStore.change({ hidden: [...layout.hidden, name] }),
    },
    {
      label: texts.copyName,
      icon: 'copy',
      hasSeparator: true,
      onChoose: () => void copyText(name),
    },
    { label: texts.showInStructure, icon: 'list', onChoose: () => change({ isStructure: true }) },
  ];
}

function moveItems(props: RowsGridProps, { name }: Column): readonly MenuItem[] {
  const { table, columns, layoutStore } = props;
  const index = columns.findIndex((column) => column.name === name);
  const leftColumn = columns[index - 1];
  const rightColumn = columns[index + 1];
  const moveTo = (to: Column | undefined) => (): void => {
    if (to !== undefined)
      layoutStore.change(moveColumn(table, layoutStore.layout, [name, to.name]));
  };
  const { [name]: _width, ...otherWidths } = layoutStore.layout.widths;
  return [
    {
      label: texts.moveLeft,
      keys: altShortcutText(withShift('←')),
      hasSeparator: true,
      icon: 'left',
      disabledReason: leftColumn === undefined ? texts.firstColumn : undefined,
      onChoose: moveTo(leftColumn),
    },
    {
      label: texts.moveRight,
      keys: altShortcutText(withShift('→')),
      icon: 'right',
      disabledReason: rightColumn === undefined ? texts.lastColumn : undefined,
      onChoose: moveTo(rightColumn),
    },
    {
      label: texts.fitWidth,
      icon: 'expand',
      keys: `${altShortcutText(',')} ${altShortcutText('.')}`,
      onChoose: () => layoutStore.change({ widths: otherWidths }),
    },
  ];
}
