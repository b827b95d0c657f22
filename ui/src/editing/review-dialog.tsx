import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JSX } from 'react';
import type { Table } from '../api/queries.ts';
import { DialogPopup } from '../parts/dialog-popup.tsx';
import { Icon } from '../parts/icon.tsx';
import { visibleGrid } from '../parts/page-grid.ts';
import { copyText } from '../parts/copy-text.ts';
import { cascadeTexts, previewErrorOf, previewQuery } from './change-preview.ts';
import { discardAll } from './discard.ts';
import { ReviewedChanges } from './reviewed-changes.tsx';
import { countStaged } from './staged.ts';
import type { StagedTable } from './staged-store.ts';
import { editingTexts as texts } from '../texts/editing.ts';
import { commonTexts } from '../texts/common.ts';

interface ReviewDialogProps {
  readonly table: Table;
  readonly store: StagedTable;
  readonly onSave: () => void;
}

/** Lists all unsaved changes of a table, with the SQL that saves them. */
export function ReviewDialog(props: ReviewDialogProps): JSX.Element {
  const { table, store } = props;
  const [isOpen, setOpen] = useState(false);
  const count = countStaged(store.staged);
  return (
    <Dialog.Root open={isOpen && count > 0} onOpenChange={setOpen}>
      <Dialog.Trigger render={<button className="btn">{texts.review}</button>} />
      {/* The grid gets the focus: after a save there is nothing left to review. */}
      <DialogPopup className="dialog review-dialog" finalFocus={() => visibleGrid() ?? true}>
        <header>
          <div className="grow">
            <Dialog.Title render={<h2>{texts.changesTo({ table: table.name })}</h2>} />
            <Dialog.Description
              render={
                <p>{table.rolls_back === false ? texts.noTransactions : texts.oneTransaction}</p>
              }
            />
          </div>
          <Dialog.Close
            render={
              <button className="ib" aria-label={commonTexts.close}>
                <Icon name="close" />
              </button>
            }
          />
        </header>
        <ReviewBody {...props} />
      </DialogPopup>
    </Dialog.Root>
  );
}

/** Mounted while the dialog is open, so that changes are previewed only then. */
function ReviewBody({ table, store, onSave }: ReviewDialogProps): JSX.Element {
  const { data: preview, error } = useQuery({
    ...previewQuery(table, store.staged),
    // The dialog is still there for a moment after everything was saved or discarded.
    enabled: countStaged(store.staged) > 0,
  });
  const failure = error === null ? undefined : previewErrorOf(error);
  const statements = preview?.statements ?? [];
  const cascades = cascadeTexts(preview?.cascades ?? []);
  /** By list and index of the change, such as "update 2". */
  const sql = new Map(statements.map(({ list, index, sql: text }) => [`${list} ${index}`, text]));
  return (
    <>
      <div className="body">
        {failure?.item === undefined && failure !== undefined && (
          <div className="callout err" role="alert">
            <Icon name="error" />
            <div>{failure.message}</div>
          </div>
        )}
        {cascades.length > 0 && (
          <div className="callout warn" role="alert">
            <Icon name="warning" />
            <div>
              {cascades.map((text) => (
                <div key={text}>{text}</div>
              ))}
            </div>
          </div>
        )}
        <ReviewedChanges table={table} store={store} sql={sql} failure={failure} />
      </div>
      <footer>
        <Dialog.Close
          render={
            <button className="btn quiet" onClick={() => discardAll(store)}>
              {texts.discardAll}
            </button>
          }
        />
        <span className="grow" />
        <button
          className="btn"
          aria-disabled={statements.length === 0}
          onClick={() => void copyText(statements.map((one) => `${one.sql};\n`).join(''))}
        >
          <Icon name="copy" size="s" /> {texts.copySql}
        </button>
        <Dialog.Close
          render={
            <button className="btn primary" onClick={onSave}>
              {commonTexts.save}
            </button>
          }
        />
      </footer>
    </>
  );
}
