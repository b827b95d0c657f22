import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { missingCapabilityReason, useWriteDisabledReason } from '../api/capabilities.ts';
import { configQuery, schemaQuery } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import { CutName } from '../parts/cut-name.tsx';
import { Icon } from '../parts/icon.tsx';
import { cutNames } from '../parts/cut-names.ts';
import { DemoGreeting } from '../welcome/demo-greeting.tsx';
import { countText } from './count-text.ts';
import { SidebarButton } from './sidebar-button.tsx';
import { Unavailable } from './unavailable.tsx';
import { shellTexts as texts } from '../texts/shell.ts';
import { commonTexts } from '../texts/common.ts';

/** The start page, which lists all tables. */
export function HomePage(): JSX.Element {
  const { data: schema, error, refetch } = useQuery(schemaQuery);
  const tables = [...(schema?.tables ?? []), ...(schema?.views ?? [])];
  const parts = cutNames(tables.map(({ name }) => name));
  return (
    <section className="sheet home" aria-label={commonTexts.tables}>
      <div className="toolbar">
        <SidebarButton />
        <h1 className="title">{schema?.database ?? commonTexts.tables}</h1>
      </div>
      {error !== null && <Unavailable error={error} onRetry={() => void refetch()} />}
      {schema !== undefined && schema.tables.length + schema.views.length === 0 && (
        <EmptyDatabase schema={schema} />
      )}
      {schema !== undefined && <DemoGreeting schema={schema} />}
      <div className="home-tables">
        {tables.map((table) => (
          <Link
            key={table.name}
            to="/tables/$table"
            params={{ table: table.name }}
            className="home-table"
          >
            <Icon name={table.kind === 'table' ? 'table' : 'view'} />
            <CutName name={table.name} parts={parts.get(table.name)} />
            <span className="t3 num">{countText(table)}</span>
          </Link>
        ))}
      </div>
    </section>
  );
}

/** What to do with a database without tables. */
function EmptyDatabase({ schema }: { readonly schema: Schema }): JSX.Element {
  const reason = useWriteDisabledReason();
  const { data: config } = useQuery(configQuery);
  return (
    <div className="blank empty-database">
      <h2 className="b">{texts.emptyDatabase}</h2>
      {reason === undefined ? (
        <>
          <p className="t2">{texts.getStarted}</p>
          <div className="row">
            <Link to="/import" className="btn primary">
              <Icon name="upload" /> {texts.importFile}
            </Link>
            {missingCapabilityReason(schema, ['gorm', 'ddl']) === undefined && (
              <Link to="/import" className="btn">
                <Icon name="table" /> {texts.importModels}
              </Link>
            )}
            {config?.allow_ddl === true && (
              <Link to="/sql" className="btn">
                <Icon name="sql" /> {texts.createTables}
              </Link>
            )}
          </div>
          <p className="t3">{texts.aboutFiles}</p>
        </>
      ) : (
        <p className="t2">{reason}</p>
      )}
    </div>
  );
}
