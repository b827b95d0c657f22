import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { findTable, schemaQuery } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import type { FileHead, FilePreview } from '../file-preview/file-preview.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { newTablesTexts } from '../texts/new-tables.ts';
import { DataOptions } from './data-options.tsx';
import { FirstRows } from './first-rows.tsx';
import type { ImportChoices } from './import-choices.ts';
import { goBack, needsTable, performImport } from './import-store.ts';
import type { ImportState } from './import-store.ts';
import { MappingTable } from './mapping-table.tsx';
import { SourceBlock } from './source-block.tsx';
import { TableHeads } from './table-heads.tsx';
import { importingTexts as texts } from '../texts/importing.ts';
import { commonTexts } from '../texts/common.ts';

/** Selects the table of the rows and maps their columns. */
export function MappingStep({ state }: { readonly state: ImportState }): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const {
    choices,
    preview: { head },
  } = state;
  const table = choices.createsTables ? undefined : findTable(schema, choices.table);
  return (
    <>
      <DataOptions state={state} tables={schema?.tables ?? []} />
      {choices.createsTables && head !== undefined ? (
        <NewTableHead head={head} />
      ) : head !== undefined && table !== undefined ? (
        <>
          <MappingTable
            head={head}
            table={table}
            mapping={choices.mapping ?? {}}
            keyColumns={keyColumns(choices, table)}
          />
          <FirstRows title={texts.firstRows} head={head} mapping={choices.mapping ?? {}} />
        </>
      ) : (
        <Unmapped state={state} tables={schema?.tables ?? []} />
      )}
      <Foot state={state} table={table} />
    </>
  );
}

/** The first rows for a table that the import creates. */
function NewTableHead({ head }: { readonly head: FileHead }): JSX.Element {
  const mapping = Object.fromEntries(head.columns.map((name) => [name, name]));
  return (
    <>
      <FirstRows title={texts.firstRows} head={head} mapping={mapping} />
      <div className="wizard-middle t2">{newTablesTexts.hint}</div>
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

/** The preview of a file whose columns need no mapping. */
function Unmapped({ state: { preview, choices }, tables }: UnmappedProps): JSX.Element {
  if (preview.error !== undefined)
    return (
      <div className="wizard-body">
        <div className="wizard-notice">
          <ErrorNotice error={preview.error} />
        </div>
      </div>
    );
  if (preview.tables !== undefined)
    return (
      <TableHeads heads={preview.tables} tables={choices.createsTables ? undefined : tables} />
    );
  if (preview.start !== undefined && preview.start !== '')
    return (
      <div className="wizard-body structure-outcome">
        <SourceBlock title={texts.startOfFile} text={preview.start} />
      </div>
    );
  return <div className="wizard-middle t2">{hint(preview)}</div>;
}

function hint({ head }: FilePreview): string {
  return head === undefined ? texts.checkShowsContent : texts.chooseTarget;
}

interface FootProps {
  readonly state: ImportState;
  readonly table: Table | undefined;
}

function Foot({ state, table }: FootProps): JSX.Element {
  const reason = disabledReason(state, table);
  return (
    <div className="wizard-foot">
      <span>{mappedText(state, table)}</span>
      <span className="grow" />
      <button className="btn lg" onClick={goBack}>
        {commonTexts.back}
      </button>
      <button
        className="btn primary lg"
        aria-disabled={reason !== undefined}
        title={reason ?? texts.checkHint}
        onClick={() => {
          if (reason === undefined) void performImport({ isDry: true });
        }}
      >
        {texts.step.check}
      </button>
    </div>
  );
}

function disabledReason(state: ImportState, table: Table | undefined): string | undefined {
  if (state.reading !== undefined) return texts.stillReading;
  const { choices, preview } = state;
  if (choices.createsTables) return undefined;
  if (needsTable(state) && table === undefined) return texts.chooseTableFirst;
  const isEmpty = Object.values(choices.mapping ?? {}).every((column) => column === null);
  if (preview.head !== undefined && isEmpty) return texts.mapOneColumn;
  return undefined;
}

function mappedText({ preview, choices }: ImportState, table: Table | undefined): string {
  if (preview.head === undefined || table === undefined) return '';
  const mapped = Object.values(choices.mapping ?? {}).filter((column) => column !== null);
  return texts.columnsMapped({ mapped: mapped.length, all: preview.head.columns.length });
}
