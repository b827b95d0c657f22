import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { findTable, referencedQuery, schemaQuery } from '../api/queries.ts';
import type { Column, Row, Table } from '../api/queries.ts';
import { rowId } from '../api/row-key.ts';
import { cellText } from '../cells/value-kind.ts';
import { Icon } from '../parts/icon.tsx';
import type { RecordAddress } from './record-address.ts';
import { recordTitle } from './record-title.ts';
import { referenceOf } from './reference.ts';

interface ReferenceFieldProps {
  readonly table: Table;
  readonly column: Column;
  readonly row: Row;
  readonly onFollow: (address: RecordAddress) => void;
}

/** The row that a foreign key points at, and the way there. */
export function ReferenceField({ table, column, row, onFollow }: ReferenceFieldProps): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const reference = referenceOf(table, column, row);
  const target = findTable(schema, reference?.table ?? '');
  const { data: found } = useQuery({
    ...referencedQuery(reference?.table ?? '', reference?.key ?? {}),
    enabled: target !== undefined,
  });
  const id = target === undefined || !found ? undefined : rowId(target, found);
  const title = target === undefined || !found ? undefined : recordTitle(target, found);
  return (
    <button
      className="field reference"
      disabled={id === undefined}
      onClick={() => {
        if (id !== undefined && target !== undefined) onFollow({ table: target.name, id });
      }}
    >
      <span className="grow cut" dir="auto">
        {title ?? ''} <span className="t3 num">{cellText(row[column.name] ?? null)}</span>
      </span>
      {found === null && <span className="badge del">not there</span>}
      <Icon name="open" size="s" />
    </button>
  );
}
