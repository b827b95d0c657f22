import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JSX } from 'react';
import { sourceQuery } from '../api/queries.ts';
import type { SourceKind, Table } from '../api/queries.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { copyText } from '../parts/copy-text.ts';
import { structureTexts as texts } from '../texts/structure.ts';
import { commonTexts } from '../texts/common.ts';
import { formatTitles } from '../texts/formats.ts';

const kinds: readonly { readonly kind: SourceKind; readonly title: string }[] = [
  { kind: 'sql', title: formatTitles.sql },
  { kind: 'go', title: formatTitles.go },
  { kind: 'dbml', title: formatTitles.dbml },
];

/** The exported text of the table, with a copy button. */
export function SourcePane({ table }: { readonly table: Table }): JSX.Element {
  const [kind, setKind] = useState<SourceKind>('sql');
  const { data, error, refetch } = useQuery(sourceQuery(kind, table.name));
  return (
    <div className="source">
      <div className="subtabs">
        <div className="subtabs-list" role="tablist" aria-label={texts.source}>
          {kinds.map(({ kind: other, title }) => (
            <button
              key={other}
              className="subtab"
              role="tab"
              aria-selected={kind === other}
              onClick={() => setKind(other)}
            >
              {title}
            </button>
          ))}
        </div>
        <button
          className="ib end"
          aria-label={texts.copySource}
          title={commonTexts.copy}
          onClick={() => void copyText(data ?? '')}
        >
          <Icon name="copy" />
        </button>
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <pre className="code" tabIndex={0}>
        {data}
      </pre>
    </div>
  );
}
