import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { findTable, schemaQuery } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import type { FileLook } from '../file-look/file-look.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { DataOptions } from './data-options.tsx';
import { FirstRows } from './first-rows.tsx';
import type { ImportChoices } from './import-choices.ts';
import { goBack, needsTable, performImport } from './import-store.ts';
import type { ImportState } from './import-store.ts';
import { MappingTable } from './mapping-table.tsx';
import { SourceBlock } from './source-block.tsx';
import { TableHeads } from './table-heads.tsx';

/** Where the rows go, and which column is which. */
export function MappingStep({ state }: { readonly state: ImportState }): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const {
    choices,
    look: { head },
  } = state;
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
          <FirstRows title="First rows" head={head} mapping={choices.mapping ?? {}} />
        </>
      ) : (
        <Unmapped state={state} tables={schema?.tables ?? []} />
      )}
      <Foot state={state} table={table} />
    </>
  );
}

function keyColumns({ conflictColumns }: ImportChoices, table: Table): readonly string[] {
  if (conflictColumns === '') return table.primary_key;
  return conflictColumns.split(',').map((name) => decodeURIComponent(name));
}

interface UnmappedProps {
  readonly state: ImportState;
  readonly tables: readonly Table[];
}

/** What is seen of a file whose columns are not for a person to place. */
function Unmapped({ state: { look }, tables }: UnmappedProps): JSX.Element {
  if (look.trouble !== undefined)
    return (
      <div className="wizard-body">
        <div className="wizard-notice">
          <ErrorNotice error={look.trouble} />
        </div>
      </div>
    );
  if (look.tables !== undefined) return <TableHeads heads={look.tables} tables={tables} />;
  if (look.start !== undefined && look.start !== '')
    return (
      <div className="wizard-body structure-outcome">
        <SourceBlock title="The file begins" text={look.start} />
      </div>
    );
  return <div className="wizard-middle t2">{hint(look)}</div>;
}

function hint({ head }: FileLook): string {
  return head === undefined
    ? 'What is in the file is told by the check.'
    : 'Choose the table that the rows go into.';
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
  const { choices, look } = state;
  const isEmpty = Object.values(choices.mapping ?? {}).every((column) => column === null);
  if (look.head !== undefined && isEmpty) return 'No column of the file has one of the table.';
  return undefined;
}

function mappedText({ look, choices }: ImportState, table: Table | undefined): string {
  if (look.head === undefined || table === undefined) return '';
  const mapped = Object.values(choices.mapping ?? {}).filter((column) => column !== null);
  return `${mapped.length} of ${look.head.columns.length} columns mapped`;
}
