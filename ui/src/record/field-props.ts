import type { Cell } from '../../../src/contract/client/client.ts';
import type { Column, Table } from '../api/queries.ts';
import type { EditedValues } from '../editing/cell-editor/cell-editor-props.ts';
import type { ShownRow } from '../editing/shown-rows.ts';
import type { RecordAddress } from './record-address.ts';

export interface FieldProps {
  readonly table: Table;
  readonly column: Column;
  readonly shown: ShownRow;
  readonly address: RecordAddress;
  /** `undefined` means the column's default. */
  readonly value: Cell | undefined;
  /** Why the field cannot be changed. Undefined when it can. */
  readonly disabledReason: string | undefined;
  readonly onOpenRecord: (address: RecordAddress) => void;
  readonly onPut: (values: EditedValues) => void;
  /** The same for keystrokes: all of them in one field are one undo step. */
  readonly onType: (values: EditedValues) => void;
}
