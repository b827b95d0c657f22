import { useEffect, useMemo } from 'react';
import type { JSX } from 'react';
import { openExport } from '../exporting/open-export.ts';
import { showResult } from '../exporting/shown-result.ts';
import { copyText } from '../parts/copy-text.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { formatRows, rowsFormats } from '../rows-text/format-rows.ts';
import { outcomeText, returnedRows } from './run-statement.ts';
import type { RowsResponse, SqlResponse } from './run-statement.ts';
import { sqlTexts as texts } from '../texts/sql.ts';
import { commonTexts } from '../texts/common.ts';

interface ResultBarProps {
  readonly response: SqlResponse;
  readonly driver: string | undefined;
}

/** The outcome of a statement, with buttons to copy and export the result. */
export function ResultBar({ response, driver }: ResultBarProps): JSX.Element {
  const returned = useMemo(() => returnedRows(response), [response]);
  return (
    <div className="resbar" role="status">
      <span className="ok row">
        <Icon name="done" size="s" />
        {outcomeText(response)}
      </span>
      <span className="badge">{response.type}</span>
      {returned?.truncated === true && (
        <span className="badge mod" title={texts.moreRowsHint}>
          {texts.moreRows}
        </span>
      )}
      <span className="grow" />
      {returned !== undefined && <ResultActions response={returned} driver={driver} />}
    </div>
  );
}

interface ResultActionsProps {
  readonly response: RowsResponse;
  readonly driver: string | undefined;
}

function ResultActions({ response, driver }: ResultActionsProps): JSX.Element {
  const { columns, rows, truncated } = response;
  useEffect(
    () => showResult({ columns, rows, isTruncated: truncated, driver }),
    [columns, rows, truncated, driver],
  );
  const copied = { path: ['result'], columns: columns.map((name) => ({ name })), rows, driver };
  return (
    <>
      <Menu
        trigger={
          <button className="btn quiet">
            <Icon name="copy" size="s" /> {commonTexts.copy}
          </button>
        }
        items={rowsFormats.map(([format, title]) => ({
          label: commonTexts.copyAs({ format: title }),
          icon: 'copy',
          onChoose: () => void copyText(formatRows(format, copied)),
        }))}
      />
      <button className="btn quiet" onClick={() => openExport('result')}>
        <Icon name="download" size="s" /> {commonTexts.export}
      </button>
    </>
  );
}
