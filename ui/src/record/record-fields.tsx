import type { JSX } from 'react';
import type { Cell } from '../../../src/contract/client.ts';
import { encodeSegment } from '../../../src/model/row-id.ts';
import { apiUrl } from '../api/client.ts';
import type { Column, Row, Table } from '../api/queries.ts';
import { CellView } from '../cells/cell-view.tsx';
import { base64Of, cellText } from '../cells/value-kind.ts';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icon.tsx';
import { ReferenceField } from './reference-field.tsx';
import type { RecordAddress } from './record-address.ts';

interface RecordFieldsProps {
  readonly table: Table;
  readonly row: Row;
  readonly address: RecordAddress;
  readonly onFollow: (address: RecordAddress) => void;
}

/** Every field of a record, whole. */
export function RecordFields({ table, row, address, onFollow }: RecordFieldsProps): JSX.Element {
  return (
    <dl className="fields">
      {table.columns.map((column) => (
        <div key={column.name} className="f">
          <dt title={`${column.name} ${column.type}`}>
            <Icon name={kindIcon(column)} size="s" />
            <span className="cut">{column.name}</span>
          </dt>
          <dd>
            <FieldValue
              table={table}
              column={column}
              row={row}
              address={address}
              onFollow={onFollow}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const kindIcons: Readonly<Record<string, IconName>> = {
  integer: 'hash',
  decimal: 'hash',
  float: 'hash',
  boolean: 'bool',
  enum: 'list',
  date: 'calendar',
  time: 'clock',
  timestamp: 'calendar',
  json: 'json',
  array: 'json',
  binary: 'image',
};

function kindIcon(column: Column): IconName {
  if (column.is_primary_key) return 'key';
  return column.is_foreign_key ? 'link' : (kindIcons[column.kind] ?? 'text');
}

interface FieldValueProps extends RecordFieldsProps {
  readonly column: Column;
}

function FieldValue({ table, column, row, address, onFollow }: FieldValueProps): JSX.Element {
  const value = row[column.name] ?? null;
  if (value !== null && column.is_foreign_key)
    return <ReferenceField table={table} column={column} row={row} onFollow={onFollow} />;
  if (base64Of(value) !== undefined) {
    const cell = `${encodeSegment(address.table)}/rows/${address.id}/cells/${encodeSegment(column.name)}`;
    return (
      <span className="ro">
        <CellView value={value} column={column} />
        <a
          className="ib end"
          aria-label={`Download ${column.name}`}
          href={apiUrl(`/tables/${cell}?show_deleted=true`)}
        >
          <Icon name="download" />
        </a>
      </span>
    );
  }
  return isLong(value) ? (
    <LongValue value={value} />
  ) : (
    <span className="ro">
      <CellView value={value} column={column} />
    </span>
  );
}

function isLong(value: Cell): boolean {
  if (typeof value === 'string') return value.length > 40 || value.includes('\n');
  return typeof value === 'object' && value !== null && !('source' in value);
}

function LongValue({ value }: { readonly value: Cell }): JSX.Element {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <div
      className={`field area ${typeof value === 'string' ? '' : 'mono'} long`}
      tabIndex={0}
      dir="auto"
    >
      {text ?? cellText(value)}
    </div>
  );
}
