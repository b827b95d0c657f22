import type { JSX, ReactNode } from 'react';
import type { DataImportResponse } from './call-import.ts';
import { ErrorTable } from './error-table.tsx';
import { ErrorsButton } from './errors-button.tsx';
import { RejectedButton } from './rejected-button.tsx';
import { fileErrorsOf } from './row-errors.ts';
import { Warnings } from './warnings.tsx';
import { sum } from './written-rows.ts';
import { importingTexts as texts } from '../texts/importing.ts';
import { commonTexts } from '../texts/common.ts';

type ImportedRows = Pick<
  DataImportResponse,
  | 'rows_imported'
  | 'tables'
  | 'warnings'
  | 'rejected_file'
  | 'errors'
  | 'error_count'
  | 'error_rows'
  | 'error_counts'
>;

interface DataOutcomeProps {
  readonly response: ImportedRows;
  readonly durationMs: number;
  readonly isDry: boolean;
}

/** The result of a data import: the numbers of new, updated and skipped rows. */
export function DataOutcome({ response, durationMs, isDry }: DataOutcomeProps): JSX.Element {
  const tables = Object.entries(response.tables);
  const errors = fileErrorsOf(response);
  return (
    <>
      <div className="stats">
        <Figure title={isDry ? texts.toInsert : texts.inserted}>
          {count(response.rows_imported)}
        </Figure>
        <Figure title={isDry ? texts.toUpdate : texts.updated}>
          {count(sum(tables.map(([, counts]) => counts.rows_updated)))}
        </Figure>
        <Figure title={isDry ? texts.toSkip : texts.skipped}>
          {count(sum(tables.map(([, counts]) => counts.rows_skipped)))}
        </Figure>
        <Figure title={isDry ? texts.dryRun : texts.importTime}>
          {texts.seconds({ seconds: (durationMs / 1000).toFixed(1) })}
        </Figure>
        <span className="grow" />
        {response.rejected_file !== undefined && <RejectedButton file={response.rejected_file} />}
        {errors !== undefined && <ErrorsButton errors={errors.first} />}
      </div>
      {tables.length > 1 && <TableCounts tables={tables} />}
      {errors !== undefined && <ErrorTable errors={errors} />}
      <Warnings warnings={response.warnings} />
    </>
  );
}

function count(number: number): string {
  return number.toLocaleString('en');
}

interface FigureProps {
  readonly title: string;
  readonly isBad?: boolean;
  readonly children: ReactNode;
}

export function Figure({ title, isBad = false, children }: FigureProps): JSX.Element {
  return (
    <div className="stat">
      <b className={isBad ? 'err' : ''}>{children}</b>
      <span>{title}</span>
    </div>
  );
}

interface TableCountsProps {
  readonly tables: readonly (readonly [string, DataImportResponse['tables'][string]])[];
}

function TableCounts({ tables }: TableCountsProps): JSX.Element {
  return (
    <table className="plain counts">
      <thead>
        <tr>
          <th scope="col">{commonTexts.table}</th>
          <th scope="col" className="r">
            {texts.newRows}
          </th>
          <th scope="col" className="r">
            {texts.updatedRows}
          </th>
          <th scope="col" className="r">
            {texts.skippedRows}
          </th>
        </tr>
      </thead>
      <tbody>
        {tables.map(([name, counts]) => (
          <tr key={name}>
            <td className="m">{name}</td>
            <td className="r">{count(counts.rows_imported)}</td>
            <td className="r">{count(counts.rows_updated)}</td>
            <td className="r">{count(counts.rows_skipped)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
