import type { JSX, ReactNode } from 'react';
import type { DataImportResponse } from './call-import.ts';
import { ErrorTable } from './error-table.tsx';
import { ErrorsButton } from './errors-button.tsx';
import { Warnings } from './warnings.tsx';

interface DataOutcomeProps {
  readonly response: DataImportResponse;
  readonly durationMs: number;
  readonly isDry: boolean;
}

/** The result of a data import: the numbers of new, updated and skipped rows. */
export function DataOutcome({ response, durationMs, isDry }: DataOutcomeProps): JSX.Element {
  const tables = Object.entries(response.tables);
  return (
    <>
      <div className="stats">
        <Figure title={isDry ? 'rows to insert' : 'rows inserted'}>
          {count(response.rows_imported)}
        </Figure>
        <Figure title={isDry ? 'rows to update' : 'rows updated'}>
          {count(sum(tables.map(([, counts]) => counts.rows_updated)))}
        </Figure>
        <Figure title={isDry ? 'rows to skip' : 'rows skipped'}>
          {count(sum(tables.map(([, counts]) => counts.rows_skipped)))}
        </Figure>
        <Figure title={isDry ? 'dry run, nothing written' : 'import time'}>
          {(durationMs / 1000).toFixed(1)} s
        </Figure>
        <span className="grow" />
        {response.errors !== undefined && <ErrorsButton errors={response.errors} />}
      </div>
      {tables.length > 1 && <TableCounts tables={tables} />}
      {response.errors !== undefined && <ErrorTable errors={response.errors} />}
      <Warnings warnings={response.warnings} />
    </>
  );
}

/** Returns the number of inserted and updated rows. */
export function writtenRows(response: DataImportResponse): number {
  return (
    response.rows_imported +
    sum(Object.values(response.tables).map((counts) => counts.rows_updated))
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
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
          <th scope="col">Table</th>
          <th scope="col" className="r">
            New
          </th>
          <th scope="col" className="r">
            Updated
          </th>
          <th scope="col" className="r">
            Skipped
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
