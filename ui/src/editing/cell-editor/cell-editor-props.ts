import type { CSSProperties } from 'react';
import type { Cell } from '../../../../src/contract/client/client.ts';
import type { CellStep } from '../../grid/selection.ts';
import type { Column, Table } from '../../api/queries.ts';

/** `undefined` means the column's default. */
type EditedValue = Cell | undefined;
export type EditedValues = Readonly<Record<string, EditedValue>>;
/** The cell that is selected after the edit. */
export type EditStep = CellStep;

export interface CellEditorProps {
  readonly table: Table;
  readonly column: Column;
  /** The id of the row. Undefined for a new row. */
  readonly id: string | undefined;
  readonly value: EditedValue;
  /** The character that opened the editor. It replaces the value. */
  readonly typed: string | undefined;
  /** Whether DEFAULT is a choice. It is one in new rows only. */
  readonly hasDefault: boolean;
  /** Shown below the editor. */
  readonly note?: string | undefined;
  readonly style: CSSProperties;
  readonly onDone: (values: EditedValues, step: EditStep) => void;
  readonly onCancel: () => void;
  /** The editor stays open, because its text is not a value. */
  readonly onInvalid: () => void;
}
