/** Suggests where the rows of a file go: a table that exists, or a new one. */
import type { FileFormat } from './recognize-files.ts';
import type { ImportChoices } from './import-choices.ts';
import type { FilePreview } from '../file-preview/file-preview.ts';
import { suggestTable } from './suggest-table.ts';
import type { TableNames } from './suggest-table.ts';

export interface TargetRequest {
  readonly files: readonly { readonly name: string }[];
  readonly format: FileFormat | undefined;
  readonly preview: FilePreview;
  readonly choices: Pick<ImportChoices, 'table' | 'createsTables' | 'isTargetSelected'>;
  /** The table from whose page the import began. */
  readonly openTable: string | undefined;
  /** The database can create tables. */
  readonly canCreate: boolean;
}

interface ListedTable extends TableNames {
  readonly kind: string;
}

export interface Target {
  /** Undefined if no existing table is suggested. */
  readonly table: string | undefined;
  readonly createsTables: boolean;
}

/** The open table, else the one that the file seems to be of, else a new one. Keeps what the user has selected. */
export function suggestTarget(
  { files, format, preview, choices, openTable, canCreate }: TargetRequest,
  tables: readonly ListedTable[],
): Target {
  const { createsTables } = choices;
  if (choices.isTargetSelected || choices.table !== '') return { table: undefined, createsTables };
  // An empty database has no table to choose.
  const mustCreate = tables.length === 0 && format !== 'sql';
  if (!needsTable({ format, preview })) return { table: undefined, createsTables: mustCreate };
  const opened = tables.find(({ name, kind }) => name === openTable && kind === 'table');
  const names = [files[0]?.name ?? '', preview.title ?? ''];
  const table = opened?.name ?? suggestTable({ names, columns: preview.head?.columns }, tables);
  const showsColumns = preview.head !== undefined;
  return {
    table,
    createsTables: table === undefined && (mustCreate || (showsColumns && canCreate)),
  };
}

/** Whether the file does not name the table of its rows. */
export function needsTable({
  format,
  preview,
}: Pick<TargetRequest, 'format' | 'preview'>): boolean {
  const isOfOneTable = preview.tables === undefined && (format === 'csv' || format === 'xlsx');
  return isOfOneTable || preview.head !== undefined;
}
