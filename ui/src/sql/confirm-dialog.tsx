import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useState } from 'react';
import type { JSX } from 'react';
import { client } from '../api/client.ts';
import { DialogPopup } from '../parts/dialog-popup.tsx';
import { messageOf } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import type { DangerousStatement } from './use-script.ts';
import type { PreparedStatement } from './script-runs.ts';
import { sqlTexts as texts } from '../texts/sql.ts';
import { commonTexts } from '../texts/common.ts';

interface ConfirmDialogProps {
  readonly dangerous: readonly DangerousStatement[];
  readonly onRun: () => void;
  readonly onClose: () => void;
}

/** Asks before statements run that write all rows of a table or remove data. */
export function ConfirmDialog({ dangerous, onRun, onClose }: ConfirmDialogProps): JSX.Element {
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <DialogPopup className="dialog review-dialog">
        <header>
          <Icon name="warning" className="warn" />
          <div className="grow">
            <Dialog.Title
              render={<h2>{dangerous.length === 1 ? texts.confirmOne : texts.confirmSeveral}</h2>}
            />
            <Dialog.Description render={<p>{texts.cannotUndo}</p>} />
          </div>
        </header>
        <ul className="dialog-body confirm-list">
          {dangerous.map(({ danger, prepared }) => (
            <li key={prepared.from}>
              <pre className="code">{prepared.statement}</pre>
              {danger === 'drop' ? (
                <p className="t2">{texts.drops}</p>
              ) : (
                <AffectedRows prepared={prepared} />
              )}
            </li>
          ))}
        </ul>
        <footer>
          <span className="grow" />
          <button className="btn" onClick={onClose}>
            {commonTexts.cancel}
          </button>
          <button className="btn danger" onClick={onRun}>
            {texts.run}
          </button>
        </footer>
      </DialogPopup>
    </Dialog.Root>
  );
}

/** Counts the rows by a dry run. */
function AffectedRows({ prepared }: { readonly prepared: PreparedStatement }): JSX.Element {
  const { query, params } = prepared;
  const [text, setText] = useState(texts.counting);
  useEffect(() => {
    const stop = new AbortController();
    void countAffected({ query, params }, stop.signal).then(setText);
    return () => stop.abort();
  }, [query, params]);
  return (
    <p className="t2" role="status">
      {text}
    </p>
  );
}

async function countAffected(
  { query, params }: Pick<PreparedStatement, 'query' | 'params'>,
  signal: AbortSignal,
): Promise<string> {
  try {
    const body = `{"query":${JSON.stringify(query)},"params":${params},"max_rows":1,"dry_run":true}`;
    const response = (await client.call('POST /sql', { body, signal })).body;
    const rows = response.type === 'write' ? response.rows_affected : 0;
    return texts.writesRows({ rows: commonTexts.rowCount({ count: rows }) });
  } catch (error) {
    return texts.notCounted({ error: messageOf(error) });
  }
}
