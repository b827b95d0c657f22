import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { findTable, referencedQuery, schemaQuery } from '../api/queries.ts';
import type { Column, Table } from '../api/queries.ts';
import { recordTitle } from '../record/record-title.ts';
import { referenceOf } from '../record/reference.ts';

interface ReferenceTextProps {
  readonly table: Table;
  readonly column: Column;
  readonly value: string;
}

/** The value of a filter. A foreign key has the title of the row that it references before it. */
export function ReferenceText({ table, column, value }: ReferenceTextProps): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const reference = value === '' ? undefined : referenceOf(table, column, { [column.name]: value });
  const target = findTable(schema, reference?.table ?? '');
  const { data: row } = useQuery({
    ...referencedQuery(reference?.table ?? '', reference?.key ?? {}),
    enabled: target !== undefined,
  });
  const title = target === undefined || !row ? undefined : recordTitle(target, row);
  if (title === undefined) return <>{value === '' ? '“”' : value}</>;
  return (
    <>
      {title} <span className="t3 num">{value}</span>
    </>
  );
}
