/** Finds the columns of tables that an import creates, by their names in the file. */
import { distinctNames } from '../../portable/files/distinct-names.ts';
import type { ColumnMapping, RowsHeader } from '../../formats/row-import.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { FileProblems } from './file-problems.ts';
import type { ColumnMapper } from './map-columns.ts';
import type { RowsReader } from './read-file-rows.ts';

/** A table as the database creates it, and where its values are in the file. */
export interface NewTable {
  readonly table: Table;
  readonly source: string;
  /** By the names in the file. Other columns of the file are skipped. */
  readonly columns: ReadonlyMap<string, Column>;
  /** The names of these columns that the file has, as far as it has been read. */
  readonly found: Set<string>;
}

export interface NewTables {
  readonly tables: readonly NewTable[];
  /** The name of a table that the file does not name. */
  readonly source: string;
}

/** `existing` finds the columns of tables that the request names. */
export function createNewTableMapper(
  { tables, source }: NewTables,
  existing: ColumnMapper,
  problems: FileProblems,
): ColumnMapper {
  const bySource = new Map(tables.map((table) => [table.source, table]));
  return {
    mapColumns: (header: RowsHeader): ColumnMapping => {
      if (header.isMapped === true) return existing.mapColumns(header);
      const { table, columns = [] } = header;
      const name = typeof table === 'string' ? table : source;
      const created = bySource.get(name);
      const target = created ?? skippedTable(name);
      const names = distinctNames(columns);
      const mapped = names.map((column) => target.columns.get(column));
      for (const column of names) if (target.columns.has(column)) target.found.add(column);
      return {
        table: target.table,
        columns: mapped,
        errors: [],
        jsonValues: 'texts',
        takesUnnamed: () => true,
        // Nobody saw the column if the proposal is that of another file, so values must not vanish silently.
        ...(created !== undefined && {
          onSkippedUnnamed: (number) => problems.warnOnce(unnamedWarning(name, number)),
        }),
      };
    },
    hasColumn: () => false,
    setCounter: () => undefined,
    counters: existing.counters,
    report: problems.report,
    beginRow: problems.beginRow,
    warn: problems.warn,
    get tables() {
      return new Set([...tables.map(({ table }) => table), ...existing.tables]);
    },
  };
}

function unnamedWarning(source: string, number: number): string {
  return `Column ${number} of ${JSON.stringify(source)}, which has values but no name, is not imported: the proposal has no column for it.`;
}

function skippedTable(name: string): NewTable {
  const table: Table = {
    name,
    localName: name,
    kind: 'table',
    columns: [],
    indexes: [],
    foreignKeys: [],
    checks: [],
  };
  return { table, source: name, columns: new Map(), found: new Set() };
}

/** One sentence for each column that the file should have had. */
export function missingColumns({ tables }: NewTables): readonly string[] {
  return tables.flatMap(({ table, columns, found }) =>
    [...columns]
      .filter(([name]) => !found.has(name))
      .map(
        ([name, column]) =>
          `The file has no column ${JSON.stringify(name)}, so column "${column.name}" of table "${table.name}" got its default.`,
      ),
  );
}

/** Skips the rows of tables that are neither created nor named by the request. */
export function skipOtherTables(
  read: RowsReader,
  { tables }: NewTables,
  existing: readonly Table[],
): RowsReader {
  const requested = new Set([...tables.map(({ table }) => table), ...existing]);
  return async function* (target) {
    for await (const chunk of read(target)) if (requested.has(chunk.table)) yield chunk;
  };
}
