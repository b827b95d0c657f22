import { PreviewCard } from '@base-ui/react/preview-card';
import { useQuery } from '@tanstack/react-query';
import { shortcutText } from '../parts/modifier-key.ts';
import type { JSX } from 'react';
import { findTable, referencedQuery, schemaQuery } from '../api/queries.ts';
import type { Column, Row, Table } from '../api/queries.ts';
import { CellView } from '../cells/cell-view.tsx';
import { rowValuesOf } from '../editing/shown-rows.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { recordTitle } from '../record/record-title.ts';
import { referenceOf } from '../record/reference.ts';
import type { Reference } from '../record/reference.ts';
import type { RowsGridProps } from './rows-grid-props.ts';
import type { HoveredReference } from './use-reference-hover.ts';
import { tableTexts as texts } from '../texts/table.ts';

/** The hover card of a foreign key: the title and some fields of the referenced row. */
export function ReferenceCard(props: RowsGridProps & HoveredReference): JSX.Element | null {
  const { table, columns, rows, position, anchor } = props;
  const { data: schema } = useQuery(schemaQuery);
  const column = columns[position.column];
  const shownRow = rows.at(position.row);
  const reference =
    column === undefined || shownRow === undefined
      ? undefined
      : referenceOf(table, column, rowValuesOf(shownRow));
  const target = findTable(schema, reference?.table ?? '');
  if (reference === undefined || target === undefined) return null;
  return (
    <PreviewCard.Root open>
      <PreviewCard.Portal>
        <PreviewCard.Positioner anchor={anchor} sideOffset={6} align="start" className="above">
          <PreviewCard.Popup className="pop still hcard">
            <CardContent target={target} reference={reference} />
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  );
}

interface CardContentProps {
  readonly target: Table;
  readonly reference: Reference;
}

function CardContent({ target, reference }: CardContentProps): JSX.Element {
  const { data: row, error } = useQuery(referencedQuery(target.name, reference.key));
  const key = Object.entries(reference.key)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  if (error !== null) return <p className="err">{messageOf(error)}</p>;
  if (row === null)
    return <p className="err">{texts.missingReference({ table: target.name, key })}</p>;
  return (
    <>
      <div className="b cut" dir="auto">
        {row === undefined ? ' ' : (recordTitle(target, row) ?? key)}
      </div>
      <div className="t3 small">{`${target.name}, ${key}`}</div>
      {row !== undefined && <Fields target={target} row={row} />}
      <div className="bar">
        <span>{texts.clickToOpen}</span>
        <kbd className="end">{shortcutText('↵')}</kbd>
      </div>
    </>
  );
}

const fieldsShown = 5;
const maxValueLength = 120;

function Fields({ target, row }: { readonly target: Table; readonly row: Row }): JSX.Element {
  const title = recordTitle(target, row);
  return (
    <dl>
      {target.columns
        .filter((column) => isWorthShowing(column, row, title))
        .slice(0, fieldsShown)
        .map((column) => (
          <div key={column.name} className="hcard-field">
            <dt className="cut">{column.name}</dt>
            <dd className="cut">
              <CellView value={row[column.name] ?? null} column={column} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function isWorthShowing(column: Column, row: Row, title: string | undefined): boolean {
  const value = row[column.name] ?? null;
  if (value === null || column.is_primary_key || column.kind === 'binary') return false;
  return typeof value !== 'string' || (value !== title && value.length < maxValueLength);
}
