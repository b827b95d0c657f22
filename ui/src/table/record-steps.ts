import type { ShownRow } from '../editing/shown-rows.ts';
import { selectCell } from '../grid/selection.ts';
import type { Selection } from '../grid/selection.ts';
import { newRecordAddress, writeRecord } from '../record/record-address.ts';
import type { RowsGridProps } from './rows-grid-props.ts';

/** To the records beside one, in the order of the rows; undefined where there is none, or it has not been read. */
export interface RecordSteps {
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
}

type StepProps = Pick<RowsGridProps, 'table' | 'view' | 'change' | 'rows'> & {
  readonly selection: Selection | undefined;
  readonly onSelect: (selection: Selection) => void;
};

/** Undefined where the record is not one of the rows that are shown. */
export function recordSteps(props: StepProps): RecordSteps | undefined {
  const { table, view, change, rows, selection, onSelect } = props;
  const [open, ...others] = view.open;
  const place = open === undefined || others.length > 0 ? -1 : placeOf(props, open);
  if (place < 0) return undefined;
  const stepTo = (row: number): (() => void) | undefined => {
    const address = recordOf(table.name, rows.at(row));
    if (address === undefined) return undefined;
    return () => {
      onSelect(selectCell({ row, column: selection?.end.column ?? 0 }));
      change({ open: [address] });
    };
  };
  return { previous: stepTo(place - 1), next: stepTo(place + 1) };
}

/** Pages are searched through; of all rows only the active one is looked at. */
const mostSearched = 1000;

function placeOf({ table, rows, selection }: StepProps, open: string): number {
  const isOpen = (row: number): boolean => recordOf(table.name, rows.at(row)) === open;
  const active = selection?.end.row ?? -1;
  if (active >= 0 && isOpen(active)) return active;
  if (rows.count > mostSearched) return -1;
  return Array.from({ length: rows.count }, (_, row) => row).findIndex(isOpen);
}

/** The address of a row's record; undefined where it has none. */
export function recordOf(table: string, shown: ShownRow | undefined): string | undefined {
  if (shown?.kind === 'new') return writeRecord(newRecordAddress(table, shown.number));
  return shown?.known === undefined ? undefined : writeRecord({ table, id: shown.known.id });
}
