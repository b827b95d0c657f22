import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { findTable, schemaQuery } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import { DataOptions } from './data-options.tsx';
import { FirstRows } from './first-rows.tsx';
import type { ImportChoices } from './import-choices.ts';
import { goBack, needsTable, performImport } from './import-store.ts';
import type { ImportState } from './import-store.ts';
import { MappingTable } from './mapping-table.tsx';

/** Where the rows go, and which column is which. */
export function MappingStep({ state }: { readonly state: ImportState }): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const { head, choices } = state;
  const table = findTable(schema, choices.table);
  return (
    <>
      <DataOptions state={state} tables={schema?.tables ?? []} />
      {head !== undefined && table !== undefined ? (
        <>
          <MappingTable
            head={head}
            table={table}
            mapping={choices.mapping ?? {}}
            keyColumns={keyColumns(choices, table)}
          />
          <FirstRows head={head} mapping={choices.mapping ?? {}} />
        </>
      ) : (
        <div className="wizard-middle t2">{hint(state)}</div>
      )}
      <Foot state={state} table={table} />
    </>
  );
}

function keyColumns({ conflictColumns }: ImportChoices, table: Table): readonly string[] {
  if (conflictColumns === '') return table.primary_key;
  return conflictColumns.split(',').map((name) => decodeURIComponent(name));
}

function hint(state: ImportState): string {
  if (state.head !== undefined) return 'Choose the table that the rows go into.';
  if (state.format === 'Excel')
    return 'The first row of the sheet names the columns as the table does.';
  return 'The file names its tables and columns itself.';
}

interface FootProps {
  readonly state: ImportState;
  readonly table: Table | undefined;
}

function Foot({ state, table }: FootProps): JSX.Element {
  const reason = offReason(state, table);
  return (
    <div className="wizard-foot">
      <span>{mappedText(state, table)}</span>
      <span className="grow" />
      <button className="btn lg" onClick={goBack}>
        Back
      </button>
      <button
        className="btn primary lg"
        aria-disabled={reason !== undefined}
        title={reason ?? 'A dry run: nothing is written'}
        onClick={() => {
          if (reason === undefined) void performImport({ isDry: true });
        }}
      >
        Check
      </button>
    </div>
  );
}

function offReason(state: ImportState, table: Table | undefined): string | undefined {
  if (needsTable(state) && table === undefined) return 'Choose a table first.';
  const { head, choices } = state;
  const isEmpty = Object.values(choices.mapping ?? {}).every((column) => column === null);
  if (head !== undefined && isEmpty) return 'No column of the file has one of the table.';
  return undefined;
}

function mappedText({ head, choices }: ImportState, table: Table | undefined): string {
  if (head === undefined || table === undefined) return '';
  const mapped = Object.values(choices.mapping ?? {}).filter((column) => column !== null);
  return `${mapped.length} of ${head.columns.length} columns mapped`;
}
