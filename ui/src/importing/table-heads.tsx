import type { JSX } from 'react';
import type { Table } from '../api/queries.ts';
import type { TableHead } from '../file-preview/file-preview.ts';
import { Icon } from '../parts/icon.tsx';
import { previewCells } from './cell-preview.ts';
import { FirstRows } from './first-rows.tsx';
import type { ImportChoices } from './import-choices.ts';
import { choosePartTables } from './import-store.ts';
import { skippedPart, newTable } from './part-tables.ts';
import { SelectField } from '../parts/choice-field.tsx';
import { newTablesTexts } from '../texts/new-tables.ts';
import { importingTexts as texts } from '../texts/importing.ts';

interface TableHeadsProps {
  readonly heads: readonly TableHead[];
  /** All tables of the database. */
  readonly tables: readonly Table[];
  readonly choices: ImportChoices;
  readonly storesAnyText: boolean;
}

/** The first rows of each table that the file names. */
export function TableHeads(props: TableHeadsProps): JSX.Element {
  const { heads, tables, choices, storesAnyText } = props;
  const tablesByName = new Map(tables.map((table) => [table.name, table]));
  return (
    <div className="wizard-body" tabIndex={0} role="region" aria-label={texts.tablesOfFile}>
      {heads.map(({ table: tableInFile, part, head }) => {
        const selected = part === undefined ? tableInFile : choices.parts?.[part];
        const isExisting = part === undefined ? !choices.createsTables : isTable(selected);
        const table = tablesByName.get(selected ?? tableInFile);
        return (
          <section key={part ?? tableInFile} className="table-head" aria-label={tableInFile}>
            {part !== undefined && <PartTable part={part} tables={tables} choices={choices} />}
            {isExisting && <UnknownColumns table={table} columns={head.columns} />}
            <FirstRows
              title={tableInFile}
              head={head}
              mapping={Object.fromEntries(head.columns.map((name) => [name, name]))}
              previews={previewCells({
                head,
                choices,
                columnOf: isExisting
                  ? (name) => table?.columns.find((column) => column.name === name)
                  : undefined,
                storesAnyText,
              })}
            />
          </section>
        );
      })}
    </div>
  );
}

function isTable(selected: string | undefined): boolean {
  return selected !== undefined && selected !== newTable && selected !== skippedPart;
}

interface PartTableProps extends Pick<TableHeadsProps, 'tables' | 'choices'> {
  readonly part: string;
}

/** Selects the table of a sheet or file. */
function PartTable({ part, tables, choices: { parts = {} } }: PartTableProps): JSX.Element {
  return (
    <SelectField
      label={texts.tableOf({ part })}
      value={parts[part] ?? skippedPart}
      choices={[
        [skippedPart, texts.skipPart],
        [newTable, newTablesTexts.newTable],
        ...tables.map(({ name }) => [name, name] as const),
      ]}
      onChoose={(table) => choosePartTables({ ...parts, [part]: table })}
    />
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
