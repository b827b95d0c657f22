import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import type { JSX } from 'react';
import { DialogPopup } from '../parts/dialog-popup.tsx';
import { Icon } from '../parts/icon.tsx';
import type { ExportContent } from './export-choices.ts';
import { ExportForm } from './export-form.tsx';
import { ExportRunPane } from './export-run-pane.tsx';
import { dismissExport, isRunning, useExportRuns } from './export-runs.ts';
import { closeExport } from './open-export.ts';
import { commonTexts as texts } from '../texts/common.ts';

/** The export dialog: its options first, then the progress of the export. */
export function ExportDialog({ content }: { readonly content: ExportContent }): JSX.Element {
  const [transfer, setTransfer] = useState<string>();
  const run = useExportRuns().find(({ id }) => id === transfer);
  const forget = (): void => {
    if (run !== undefined && !isRunning(run)) dismissExport(run.id);
  };
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (isOpen) return;
        forget();
        closeExport();
      }}
    >
      <DialogPopup className="dialog export-dialog">
        <header>
          <div className="grow">
            <Dialog.Title render={<h2>{texts.export}</h2>} />
          </div>
          <Dialog.Close
            render={
              <button className="ib" aria-label={texts.close}>
                <Icon name="close" />
              </button>
            }
          />
        </header>
        {run === undefined ? (
          <ExportForm
            content={content}
            cancel={<CloseButton title={texts.cancel} />}
            onTracked={setTransfer}
          />
        ) : (
          <ExportRunPane
            run={run}
            onExportAgain={forget}
            closeButton={<CloseButton title={texts.close} />}
          />
        )}
      </DialogPopup>
    </Dialog.Root>
  );
}

function CloseButton({ title }: { readonly title: string }): JSX.Element {
  return <Dialog.Close render={<button className="btn lg">{title}</button>} />;
}
