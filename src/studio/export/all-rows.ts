/** The rows of whole tables, for files that can be imported again. */
import { openRows, planExport } from './export-rows.ts';
import { isGeneratedByDatabase } from './generated-columns.ts';
import type { TableRows } from '../../formats/row-export.ts';
import type { Dialect } from '../../model/database.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { ExportSource } from './export-rows.ts';
import type { FilePlan } from './plan-export-file.ts';
import type { ListQuery } from '../rows/read/page-plan.ts';

export function hasColumns({ columns }: Table): boolean {
  return columns.length > 0;
}

export function leftOutWarning({ name, comment = 'It has no columns.' }: Table): string {
  return `Table "${name}" is not exported. ${comment}`;
}

export async function* allRows(
  { tables, asWritten }: FilePlan,
  source: ExportSource,
): AsyncGenerator<TableRows, void, undefined> {
  const { dialect } = source;
  const ownRows: Dialect = {
    ...dialect,
    tableName: (table) => dialect.tableWithoutChildren(table as Table),
  };
  const isStored = (column: Column): boolean => !isGeneratedByDatabase(column);
  for (const table of tables) {
    const plan = planExport(dialect, table, wholeTables);
    const choice = { plan, columns: table.columns.filter(isStored) };
    const target = asWritten(table);
    yield {
      table: target,
      columns: target.columns.filter(isStored),
      ...openRows({ ...source, dialect: ownRows }, choice),
    };
  }
}

const wholeTables: ListQuery = {
  page: 1,
  pageSize: 1,
  sort: [],
  showDeleted: true,
  filters: [],
  count: 'none',
  etags: false,
  labels: false,
  cells: 'full',
};
