import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JSX } from 'react';
import { findTable, relatedQuery, schemaQuery } from '../api/queries.ts';
import type { Relation, Row, Table } from '../api/queries.ts';
import { rowId } from '../api/row-key.ts';
import { CellView } from '../cells/cell-view.tsx';
import { cellText } from '../cells/value-kind.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import type { RecordAddress } from './record-address.ts';
import { recordTexts as texts } from '../texts/record.ts';
import { commonTexts } from '../texts/common.ts';

interface RelatedRowsProps {
  readonly relation: Relation;
  readonly address: RecordAddress;
  readonly onOpenRecord: (address: RecordAddress) => void;
}

export const relatedPageSize = 20;

/** The rows of a relation. A click on a row opens its record. */
export function RelatedRows({ relation, address, onOpenRecord }: RelatedRowsProps): JSX.Element {
  const [page, setPage] = useState(1);
  const { data: schema } = useQuery(schemaQuery);
  const table = findTable(schema, relation.table);
  const where = { ...address, relation: relation.name };
  const { data, error, refetch } = useQuery(
    relatedQuery(where, { page, pageSize: relatedPageSize }),
  );
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (table === undefined || data === undefined) return <div className="fields" aria-busy="true" />;
  if (data.data.length === 0) return <p className="blank t2">{texts.noRelatedRows(relation)}</p>;
  const pages = Math.ceil((data.total ?? 0) / relatedPageSize);
  return (
    <div className="related">
      <ul>
        {data.data.map((row, i) => (
          <li key={rowId(table, row) ?? i}>
            <RelatedRow table={table} row={row} labels={data.labels} onOpenRecord={onOpenRecord} />
          </li>
        ))}
      </ul>
      {pages > 1 && (
        <div className="row t2 related-pages">
          <button
            className="ib"
            aria-label={commonTexts.previousPage}
            disabled={page === 1}
            onClick={() => setPage(page - 1)}
          >
            <Icon name="left" />
          </button>
          {texts.pageOf({ page, pages })}
          <button
            className="ib"
            aria-label={commonTexts.nextPage}
            disabled={page >= pages}
            onClick={() => setPage(page + 1)}
          >
            <Icon name="right" />
          </button>
        </div>
      )}
    </div>
  );
}

interface RelatedRowProps {
  readonly table: Table;
  readonly row: Row;
  readonly labels: Readonly<Record<string, Row>> | undefined;
  readonly onOpenRecord: (address: RecordAddress) => void;
}

const columnsShown = 5;

function RelatedRow({ table, row, labels, onOpenRecord }: RelatedRowProps): JSX.Element {
  const id = rowId(table, row);
  return (
    <button
      className="related-row"
      disabled={id === undefined}
      title={id === undefined ? texts.noKey : undefined}
      onClick={() => {
        if (id !== undefined) onOpenRecord({ table: table.name, id });
      }}
    >
      {table.columns.slice(0, columnsShown).map((column) => {
        const value = row[column.name] ?? null;
        return (
          <span key={column.name} className="related-cell">
            <span className="t3">{column.name}</span>
            <CellView
              value={value}
              column={column}
              label={labels?.[column.name]?.[cellText(value)]}
            />
          </span>
        );
      })}
    </button>
  );
}
