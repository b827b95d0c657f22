/** The tables of the sheets of a workbook, or of the files of an archive. */
import type { FilePreview, TableHead } from '../file-preview/file-preview.ts';
import { suggestTable } from './suggest-table.ts';
import type { TableNames } from './suggest-table.ts';

/** No table has this name: the databases that are served do not permit NUL in names. */
export const newTable = '\0';
/** The sheet or file is left out. */
export const skippedPart = '';

/** By the name of the sheet or file: a table, `newTable` or `leftOut`. */
export type PartTables = Readonly<Record<string, string>>;

/** Keeps what has been selected for the same parts. Undefined for a file without parts. */
export function suggestPartTables(
  { tables: heads = [] }: FilePreview,
  tables: readonly TableNames[],
  selected: PartTables | undefined,
): PartTables | undefined {
  const parts = heads.flatMap(({ part, ...head }) => (part === undefined ? [] : [{ part, head }]));
  if (parts.length === 0) return undefined;
  const none = tables.length === 0 ? newTable : skippedPart;
  return Object.fromEntries(
    parts.map(({ part, head }) => [part, selected?.[part] ?? suggestOne(head, tables) ?? none]),
  );
}

function suggestOne({ table, head }: TableHead, tables: readonly TableNames[]): string | undefined {
  const exact = tables.find(({ name }) => name === table)?.name;
  return exact ?? suggestTable({ names: [table], columns: head.columns }, tables);
}

/** The parameter `tables`: parts of new tables are not in it. */
export function tablesParameter(parts: PartTables): string {
  const mapped = Object.entries(parts).filter(([, table]) => table !== newTable);
  return JSON.stringify(
    Object.fromEntries(mapped.map(([part, table]) => [part, table === skippedPart ? null : table])),
  );
}

export function createsTables(parts: PartTables): boolean {
  return Object.values(parts).includes(newTable);
}

/** Whether rows are added to tables that exist. */
export function fillsTables(parts: PartTables): boolean {
  return Object.values(parts).some((table) => table !== newTable && table !== skippedPart);
}

/** Whether a part has no table that exists, so that it can get a new one. */
export function canCreateTables(parts: PartTables): boolean {
  return Object.values(parts).some((table) => table === newTable || table === skippedPart);
}

/** Creates tables for the parts that have none. */
export function withNewTables(parts: PartTables): PartTables {
  const entries = Object.entries(parts);
  return Object.fromEntries(
    entries.map(([part, table]) => [part, table === skippedPart ? newTable : table]),
  );
}

/** The parts of tables that exist. */
export function withoutNewTables(parts: PartTables): PartTables {
  return Object.fromEntries(Object.entries(parts).filter(([, table]) => table !== newTable));
}
