import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { findTable, schemaQuery } from '../api/queries.ts';
import { returnKeyboardToGrid } from '../parts/page-grid.ts';
import { NotFound } from '../shell/not-found.tsx';
import { SidebarButton } from '../shell/sidebar-button.tsx';
import { Unavailable } from '../shell/unavailable.tsx';
import { StructureView } from '../structure/structure-view.tsx';
import { useColumnLayout } from './column-layout.ts';
import { DataView } from './data-view.tsx';
import { Toolbar } from './toolbar.tsx';
import { useView } from './use-view.ts';

/** The page of a table: its rows or its structure. */
export function TablePage(): JSX.Element {
  const { table: name } = useParams({ from: '/tables/$table' });
  const { data: schema, error, refetch } = useQuery(schemaQuery);
  const table = findTable(schema, name);
  const [view, change] = useView(table?.columns.map((column) => column.name) ?? []);
  const layoutStore = useColumnLayout(schema?.database ?? '', name);
  if (error !== null) {
    return (
      <section className="sheet" aria-label={name}>
        <div className="toolbar">
          <SidebarButton />
          <h1 className="title">{name}</h1>
        </div>
        <Unavailable error={error} onRetry={() => void refetch()} />
      </section>
    );
  }
  if (schema === undefined) return <section className="sheet" aria-busy="true" />;
  if (table === undefined) return <NotFound />;
  return (
    <section className="sheet" aria-label={table.name} onClick={returnKeyboardToGrid}>
      <Toolbar table={table} view={view} change={change} layoutStore={layoutStore} />
      {view.isStructure ? (
        <StructureView table={table} />
      ) : (
        <DataView
          key={table.name}
          table={table}
          view={view}
          change={change}
          layoutStore={layoutStore}
        />
      )}
    </section>
  );
}
