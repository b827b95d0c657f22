import type { CSSProperties } from 'react';
import type { Cell } from '../../../src/contract/client.ts';
import type { Column, Table } from '../api/queries.ts';

/** `undefined` is the column's default. */
type EditedValue = Cell | undefined;
export type EditedValues = Readonly<Record<string, EditedValue>>;
export type EditStep = 'down' | 'right' | 'stay';

export interface CellEditorProps {
  readonly table: Table;
  readonly column: Column;
  /** Of the row; undefined for a new one. */
  readonly id: string | undefined;
  readonly value: EditedValue;
  /** What was typed to open it, and takes the place of the value. */
  readonly typed: string | undefined;
  /** A new row's columns have defaults. */
  readonly hasDefault: boolean;
  readonly style: CSSProperties;
  readonly onDone: (values: EditedValues, step: EditStep) => void;
  readonly onCancel: () => void;
}
