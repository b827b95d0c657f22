import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { schemaQuery } from '../api/queries.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { DemoGreeting } from '../welcome/demo-greeting.tsx';
import { countText } from './count-text.ts';
import { SidebarButton } from './sidebar-button.tsx';

/** The start page, which lists all tables. */
export function HomePage(): JSX.Element {
  const { data: schema, error, refetch } = useQuery(schemaQuery);
  return (
    <section className="sheet home" aria-label="Tables">
      <div className="toolbar">
        <SidebarButton />
        <h1 className="title">{schema?.database ?? 'Tables'}</h1>
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {schema !== undefined && schema.tables.length + schema.views.length === 0 && (
        <p className="blank t2">This database has no tables yet. Import a schema, or run SQL.</p>
      )}
      {schema !== undefined && <DemoGreeting schema={schema} />}
      <div className="home-tables">
        {[...(schema?.tables ?? []), ...(schema?.views ?? [])].map((table) => (
          <Link
            key={table.name}
            to="/tables/$table"
            params={{ table: table.name }}
            className="home-table"
          >
            <Icon name={table.kind === 'table' ? 'table' : 'view'} />
            <span className="cut m">{table.name}</span>
            <span className="t3 num">{countText(table)}</span>
          </Link>
        ))}
      </div>
    </section>
  );
}
