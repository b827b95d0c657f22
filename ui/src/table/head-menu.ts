import type { Column } from '../api/queries.ts';
import { copyText } from '../parts/copy-text.ts';
import type { MenuItem } from '../parts/menu.tsx';
import { moveColumn, toggle } from './column-layout.ts';
import type { RowsGridProps } from './rows-grid-props.ts';
import type { SortTerm } from './view-state.ts';

/** The menu of a column header. */
export function headMenu(props: RowsGridProps, column: Column): readonly MenuItem[] {
  const { view, change, layoutStore } = props;
  const { name } = column;
  const { layout } = layoutStore;
  const term = view.sort.find((other) => other.column === name);
  const others = view.sort.filter((other) => other.column !== name);
  const sort = (descending: boolean): readonly SortTerm[] => [{ column: name, descending }];
  const isPinned = layout.pinned.includes(name);
  return [
    {
      label: 'Sort ascending',
      icon: 'up',
      isSelected: term?.descending === false,
      onChoose: () => change({ sort: sort(false) }),
    },
    {
      label: 'Sort descending',
      icon: 'down',
      isSelected: term?.descending === true,
      onChoose: () => change({ sort: sort(true) }),
    },
    {
      label: 'Add to sort',
      icon: 'plus',
      keys: '⇧ click',
      onChoose: () => change({ sort: [...others, ...sort(false)] }),
    },
    ...moveItems(props, column),
    {
      label: isPinned ? 'Unpin' : 'Pin to the left',
      icon: 'pin',
      onChoose: () => layoutStore.change({ pinned: toggle(layout.pinned, name) }),
    },
    {
      label: 'Hide',
      icon: 'eye',
      keys: '⌥H',
      disabledReason:
        props.columns.length === 1 ? 'At least one column must be visible.' : undefined,
      onChoose: () => layoutStore.change({ hidden: [...layout.hidden, name] }),
    },
    {
      label: 'Copy name',
      icon: 'copy',
      hasSeparator: true,
      onChoose: () => void copyText(name),
    },
    { label: 'Show in structure', icon: 'list', onChoose: () => change({ isStructure: true }) },
  ];
}

function moveItems(props: RowsGridProps, { name }: Column): readonly MenuItem[] {
  const { table, columns, layoutStore } = props;
  const index = columns.findIndex((column) => column.name === name);
  const item = (label: string, keys: string, to: Column | undefined): MenuItem => ({
    label,
    keys,
    hasSeparator: label === 'Move left',
    icon: label === 'Move left' ? 'left' : 'right',
    disabledReason: to === undefined ? 'The column is already there.' : undefined,
    onChoose: () => {
      if (to !== undefined)
        layoutStore.change(moveColumn(table, layoutStore.layout, [name, to.name]));
    },
  });
  const { [name]: _width, ...otherWidths } = layoutStore.layout.widths;
  return [
    item('Move left', '⌥⇧←', columns[index - 1]),
    item('Move right', '⌥⇧→', columns[index + 1]),
    {
      label: 'Fit width to values',
      icon: 'expand',
      keys: '⌥, ⌥.',
      onChoose: () => layoutStore.change({ widths: otherWidths }),
    },
  ];
}
