import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { findTable, schemaQuery } from '../api/queries.ts';
import { Warnings } from './warnings.tsx';
import { importingTexts as texts } from '../texts/importing.ts';
import { commonTexts } from '../texts/common.ts';

/** Warns how many rows a replacement deletes. */
export function ReplacedRows({ names }: { readonly names: readonly string[] }): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const warnings = names.flatMap((name) => {
    const { row_count: count = 0, row_count_exact: isExact } = findTable(schema, name) ?? {};
    if (count === 0) return [];
    const deleted = { table: name, rows: commonTexts.rowCount({ count }) };
    return [isExact === false ? texts.aboutDeletedFirst(deleted) : texts.deletedFirst(deleted)];
  });
  return <Warnings warnings={warnings} />;
}
