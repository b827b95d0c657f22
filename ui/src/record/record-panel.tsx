import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JSX } from 'react';
import { findTable, recordQuery, schemaQuery } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { readRecord, writeRecord } from './record-address.ts';
import type { RecordAddress } from './record-address.ts';
import { RecordFields } from './record-fields.tsx';
import { recordTitle } from './record-title.ts';
import { RelatedRows } from './related-rows.tsx';
import { RelationTab } from './relation-tab.tsx';

interface RecordPanelProps {
  /** The records that were opened one from another; the last is shown. */
  readonly open: readonly string[];
  readonly onOpen: (open: readonly string[]) => void;
}

/** A record beside the grid: its fields, and where it leads. */
export function RecordPanel({ open, onOpen }: RecordPanelProps): JSX.Element | null {
  const { data: schema } = useQuery(schemaQuery);
  const address = readRecord(open.at(-1) ?? '');
  const table = address === undefined ? undefined : findTable(schema, address.table);
  if (address === undefined || table === undefined) return null;
  return (
    <aside className="panel" aria-label="Record">
      <Record
        key={writeRecord(address)}
        table={table}
        address={address}
        trail={open}
        onOpen={onOpen}
      />
    </aside>
  );
}

interface RecordProps {
  readonly table: Table;
  readonly address: RecordAddress;
  readonly trail: readonly string[];
  readonly onOpen: (open: readonly string[]) => void;
}

const fieldsTab = '';

function Record({ table, address, trail, onOpen }: RecordProps): JSX.Element {
  const { data, error, refetch } = useQuery(recordQuery(table.name, address.id));
  const [tab, setTab] = useState(fieldsTab);
  const follow = (next: RecordAddress): void => onOpen([...trail, writeRecord(next)]);
  const relation = table.relations.find(({ name }) => name === tab);
  return (
    <>
      <header>
        <Trail trail={trail} onOpen={onOpen} />
        <h2 className="cut" dir="auto">
          {data === undefined
            ? ' '
            : (recordTitle(table, data.body) ?? `${table.name} ${address.id}`)}
        </h2>
      </header>
      <div className="subtabs" role="tablist" aria-label="Fields and relations">
        <button
          className="subtab"
          role="tab"
          aria-selected={tab === fieldsTab}
          onClick={() => setTab(fieldsTab)}
        >
          Fields<span className="cnt">{table.columns.length}</span>
        </button>
        {table.relations.map(({ name }) => (
          <RelationTab
            key={name}
            address={{ ...address, relation: name }}
            isSelected={tab === name}
            onSelect={() => setTab(name)}
          />
        ))}
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {relation === undefined && data !== undefined && (
        <RecordFields table={table} row={data.body} address={address} onFollow={follow} />
      )}
      {relation !== undefined && (
        <RelatedRows key={relation.name} relation={relation} address={address} onFollow={follow} />
      )}
    </>
  );
}

interface TrailProps {
  readonly trail: readonly string[];
  readonly onOpen: (open: readonly string[]) => void;
}

/** From record to record, and the way back. */
function Trail({ trail, onOpen }: TrailProps): JSX.Element {
  return (
    <div className="trail">
      <span className="cut row">
        {trail.map((text, i) => {
          const address = readRecord(text);
          const isLast = i === trail.length - 1;
          return (
            <span key={text} className="row">
              {i > 0 && <Icon name="right" size="xs" />}
              <button
                className={isLast ? '' : 'link'}
                aria-current={isLast ? 'true' : undefined}
                onClick={() => onOpen(trail.slice(0, i + 1))}
              >
                {address?.table} {address === undefined ? '' : decodeURIComponent(address.id)}
              </button>
            </span>
          );
        })}
      </span>
      <button className="ib end" aria-label="Close the record" onClick={() => onOpen([])}>
        <Icon name="close" />
      </button>
    </div>
  );
}
