import type { JSX, ReactNode } from 'react';
import type { DataAnswer } from './call-import.ts';
import { ErrorTable } from './error-table.tsx';
import { ErrorsButton } from './errors-button.tsx';
import { Warnings } from './warnings.tsx';

interface DataOutcomeProps {
  readonly answer: DataAnswer;
  readonly durationMs: number;
  readonly isDry: boolean;
}

/** How many rows became what. */
export function DataOutcome({ answer, durationMs, isDry }: DataOutcomeProps): JSX.Element {
  const tables = Object.entries(answer.tables);
  return (
    <>
      <div className="stats">
        <Figure title={isDry ? 'rows are new' : 'rows are in'}>
          {count(answer.rows_imported)}
        </Figure>
        <Figure title={isDry ? 'update a row' : 'updated a row'}>
          {count(sum(tables.map(([, counts]) => counts.rows_updated)))}
        </Figure>
        <Figure title={isDry ? 'are left out' : 'were left out'}>
          {count(sum(tables.map(([, counts]) => counts.rows_skipped)))}
        </Figure>
        <Figure title={isDry ? 'dry run, nothing written' : 'the import took'}>
          {(durationMs / 1000).toFixed(1)} s
        </Figure>
        <span className="grow" />
        {answer.errors !== undefined && <ErrorsButton errors={answer.errors} />}
      </div>
      {tables.length > 1 && <TableCounts tables={tables} />}
      {answer.errors !== undefined && <ErrorTable errors={answer.errors} />}
      <Warnings warnings={answer.warnings} />
    </>
  );
}

/** Rows that are written anew or over others. */
export function writtenRows(answer: DataAnswer): number {
  return (
    answer.rows_imported + sum(Object.values(answer.tables).map((counts) => counts.rows_updated))
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
  readonly tables: readonly (readonly [string, DataAnswer['tables'][string]])[];
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
            Left out
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
