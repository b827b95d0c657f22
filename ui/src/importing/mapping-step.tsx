import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { JSX } from 'react';
import { decodeList } from '../../../src/contract/comma-list.ts';
import { presentationOf } from '../../../src/databases/presentations.ts';
import { findTable, schemaQuery } from '../api/queries.ts';
import type { Column, Table } from '../api/queries.ts';
import type { FileHead, FilePreview } from '../file-preview/file-preview.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { newTablesTexts } from '../texts/new-tables.ts';
import { isProblem, previewCells } from './cell-preview.ts';
import type { PreviewCell } from './cell-preview.ts';
import { DataOptions } from './data-options.tsx';
import { FirstRows } from './first-rows.tsx';
import type { ImportChoices } from './import-choices.ts';
import { goBack, performImport } from './import-store.ts';
import type { ImportState } from './import-store.ts';
import { fillsTables } from './part-tables.ts';
import { KeyNote } from './key-note.tsx';
import { MappingTable } from './mapping-table.tsx';
import { SourceBlock } from './source-block.tsx';
import { needsTable } from './suggest-target.ts';
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
  const storesAnyText = presentationOf(schema?.driver)?.storesAnyText === true;
  const previews = useMemo(
    () =>
      head &&
      previewCells({ head, choices, columnOf: mappedColumns(choices, table), storesAnyText }),
    [head, choices, table, storesAnyText],
  );
  return (
    <>
      <DataOptions
        state={state}
        tables={schema?.tables ?? []}
        storesAnyText={storesAnyText}
        hasProblems={head !== undefined && hasProblems(head, choices, previews)}
      />
      {choices.createsTables && head !== undefined ? (
        <NewTableHead head={head} previews={previews} />
      ) : head !== undefined && table !== undefined ? (
        <>
          <KeyNote
            table={table}
            mapping={choices.mapping ?? {}}
            onConflict={choices.onConflict}
            keyColumns={keyColumns(choices, table)}
          />
          <MappingTable
            head={head}
            table={table}
            mapping={choices.mapping ?? {}}
            keyColumns={keyColumns(choices, table)}
          />
          <FirstRows
            title={texts.firstRows}
            head={head}
            mapping={choices.mapping ?? {}}
            previews={previews}
          />
        </>
      ) : (
        <Unmapped state={state} tables={schema?.tables ?? []} storesAnyText={storesAnyText} />
      )}
      <Foot state={state} table={table} />
    </>
  );
}

/** The columns of the table that those of the file are mapped to. */
function mappedColumns(
  { mapping = {} }: ImportChoices,
  table: Table | undefined,
): ((name: string) => Column | undefined) | undefined {
  if (table === undefined) return undefined;
  return (name) => table.columns.find((column) => column.name === mapping[name]);
}

/** Whether imported values are not read as the user may expect. */
function hasProblems(
  { columns, rows, numbers }: FileHead,
  { mapping, createsTables }: ImportChoices,
  previews: readonly PreviewCell[] | undefined,
): boolean {
  return columns.some((name, i) => {
    const preview = previews?.[i];
    const isImported = createsTables || (mapping?.[name] ?? null) !== null;
    if (preview === undefined || !isImported) return false;
    return rows.some((row, number) => isProblem(preview(row[i] ?? null, numbers?.[number]?.[i])));
  });
}

interface NewTableHeadProps {
  readonly head: FileHead;
  readonly previews: readonly PreviewCell[] | undefined;
}

/** The first rows for a table that the import creates. */
function NewTableHead({ head, previews }: NewTableHeadProps): JSX.Element {
  const mapping = Object.fromEntries(head.columns.map((name) => [name, name]));
  return (
    <>
      <FirstRows title={texts.firstRows} head={head} mapping={mapping} previews={previews} />
      <div className="wizard-middle t2">{newTablesTexts.hint}</div>
    </>
  );
}

function keyColumns({ conflictColumns }: ImportChoices, table: Table): readonly string[] {
  if (conflictColumns === '') return table.primary_key;
  return decodeList(conflictColumns) ?? [];
}

interface UnmappedProps {
  readonly state: ImportState;
  readonly tables: readonly Table[];
  readonly storesAnyText: boolean;
}

/** The preview of a file whose columns need no mapping. */
function Unmapped({
  state: { preview, choices },
  tables,
  storesAnyText,
}: UnmappedProps): JSX.Element {
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
      <TableHeads
        heads={preview.tables}
        tables={tables}
        choices={choices}
        storesAnyText={storesAnyText}
      />
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
  const { parts } = choices;
  if (parts !== undefined && !choices.createsTables && !fillsTables(parts)) return texts.mapOnePart;
  if (choices.createsTables) return undefined;
  if (needsTable(state) && table === undefined) return texts.chooseTableFirst;
  const isEmpty = Object.values(choices.mapping ?? {}).every((column) => column === null);
  if (preview.head !== undefined && isEmpty) return texts.mapOneColumn;
  return undefined;
}

function mappedText({ preview, choices }: ImportState, table: Table | undefined): string {
  if (preview.head === undefined || table === undefined) return '';
  const mapped = Object.values(choices.mapping ?? {}).filter((column) => column !== null);
  return texts.columnsMapped({ mapped: mapped.length, total: preview.head.columns.length });
}
