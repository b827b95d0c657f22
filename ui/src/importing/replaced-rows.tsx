import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { findTable, schemaQuery } from '../api/queries.ts';
import { Warnings } from './warnings.tsx';

/** Warns how many rows a replacement deletes. */
export function ReplacedRows({ names }: { readonly names: readonly string[] }): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const warnings = names.flatMap((name) => {
    const { row_count: rows = 0, row_count_exact: isExact } = findTable(schema, name) ?? {};
    const about = isExact === false ? 'about ' : '';
    return rows === 0
      ? []
      : [`${name} is emptied first: it holds ${about}${rows.toLocaleString('en')} rows.`];
  });
  return <Warnings warnings={warnings} />;
}
