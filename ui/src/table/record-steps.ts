import type { ShownRow } from '../editing/shown-rows.ts';
import { selectCell } from '../grid/selection.ts';
import type { Selection } from '../grid/selection.ts';
import { newRecordAddress, formatRecordAddress } from '../record/record-address.ts';
import type { RowsGridProps } from './rows-grid-props.ts';

/** Steps to the neighbors of a record in the grid. Undefined where there is none or it has not been read. */
export interface RecordSteps {
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
}

type StepProps = Pick<RowsGridProps, 'table' | 'view' | 'change' | 'rows'> & {
  readonly selection: Selection | undefined;
  readonly onSelect: (selection: Selection) => void;
};

/** Returns undefined if the grid does not show the record. */
export function recordSteps(props: StepProps): RecordSteps | undefined {
  const { table, view, change, rows, selection, onSelect } = props;
  const [open, ...otherRecords] = view.open;
  const rowIndex = open === undefined || otherRecords.length > 0 ? -1 : rowIndexOf(props, open);
  if (rowIndex < 0) return undefined;
  const stepTo = (row: number): (() => void) | undefined => {
    const address = recordOf(table.name, rows.at(row));
    if (address === undefined) return undefined;
    return () => {
      onSelect(selectCell({ row, column: selection?.end.column ?? 0 }));
      change({ open: [address] });
    };
  };
  return { previous: stepTo(rowIndex - 1), next: stepTo(rowIndex + 1) };
}

/** Looking for the record in more rows would be slow. Then only the active row is compared. */
const maxSearchedRows = 1000;

function rowIndexOf({ table, rows, selection }: StepProps, open: string): number {
  const isOpen = (row: number): boolean => recordOf(table.name, rows.at(row)) === open;
  const active = selection?.end.row ?? -1;
  if (active >= 0 && isOpen(active)) return active;
  if (rows.count > maxSearchedRows) return -1;
  return Array.from({ length: rows.count }, (_, row) => row).findIndex(isOpen);
}

/** Returns the address of a row's record. Undefined for a row without an id. */
export function recordOf(table: string, shownRow: ShownRow | undefined): string | undefined {
  if (shownRow?.kind === 'new')
    return formatRecordAddress(newRecordAddress(table, shownRow.number));
  return shownRow?.stored === undefined
    ? undefined
    : formatRecordAddress({ table, id: shownRow.stored.id });
}
