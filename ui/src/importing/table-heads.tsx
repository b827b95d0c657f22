import type { JSX } from 'react';
import type { Table } from '../api/queries.ts';
import type { TableHead } from '../file-preview/file-preview.ts';
import { Icon } from '../parts/icon.tsx';
import { previewCells } from './cell-preview.ts';
import { FirstRows } from './first-rows.tsx';
import type { ImportChoices } from './import-choices.ts';
import { importingTexts as texts } from '../texts/importing.ts';

interface TableHeadsProps {
  readonly heads: readonly TableHead[];
  /** All tables of the database. Undefined if the import creates the tables of the file. */
  readonly tables: readonly Table[] | undefined;
  readonly choices: ImportChoices;
  readonly storesAnyText: boolean;
}

/** The first rows of each table that the file names. */
export function TableHeads(props: TableHeadsProps): JSX.Element {
  const { heads, tables, choices, storesAnyText } = props;
  const tablesByName = new Map(tables?.map((table) => [table.name, table]));
  return (
    <div className="wizard-body" tabIndex={0} role="region" aria-label={texts.tablesOfFile}>
      {heads.map(({ table, head }) => (
        <section key={table} className="table-head" aria-label={table}>
          {tables !== undefined && (
            <UnknownColumns table={tablesByName.get(table)} columns={head.columns} />
          )}
          <FirstRows
            title={table}
            head={head}
            mapping={Object.fromEntries(head.columns.map((name) => [name, name]))}
            previews={previewCells({
              head,
              choices,
              columnOf:
                tables === undefined
                  ? undefined
                  : (name) =>
                      tablesByName.get(table)?.columns.find((column) => column.name === name),
              storesAnyText,
            })}
          />
        </section>
      ))}
    </div>
  );
}

interface UnknownColumnsProps {
  readonly table: Table | undefined;
  readonly columns: readonly string[];
}

/** Warns early about tables and columns that the check would reject. */
function UnknownColumns({ table, columns }: UnknownColumnsProps): JSX.Element | null {
  const unknown = columns.filter((name) => !table?.columns.some((column) => column.name === name));
  if (unknown.length === 0) return null;
  return (
    <p className="row warn small">
      <Icon name="warning" size="xs" />
      {table === undefined ? texts.noSuchTable : texts.noSuchColumns({ columns: unknown })}
    </p>
  );
}
