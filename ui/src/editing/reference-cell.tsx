import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { Cell } from '../../../src/contract/client/client.ts';
import { findTable, referencedQuery, schemaQuery } from '../api/queries.ts';
import type { Column, Row, Table } from '../api/queries.ts';
import { CellView } from '../cells/cell-view.tsx';
import { recordTitle } from '../record/record-title.ts';
import { referenceOf } from '../record/reference.ts';

interface ReferenceCellProps {
  readonly table: Table;
  readonly column: Column;
  /** The values of the row, for a key of several columns. */
  readonly row: Row;
  readonly value: Cell;
}

/** A foreign key with the title of the row that it references. Reads that row: the page of rows has no titles for keys that are not saved yet or were just saved. */
export function ReferenceCell({ table, column, row, value }: ReferenceCellProps): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const reference = referenceOf(table, column, row);
  const target = findTable(schema, reference?.table ?? '');
  const { data: referencedRow } = useQuery({
    ...referencedQuery(reference?.table ?? '', reference?.key ?? {}),
    enabled: reference !== undefined && target !== undefined,
  });
  const label = referencedRow && target ? recordTitle(target, referencedRow) : undefined;
  return <CellView value={value} column={column} label={label} />;
}
