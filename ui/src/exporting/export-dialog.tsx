import { Dialog } from '@base-ui/react/dialog';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { ExportWhat } from './export-choices.ts';
import { ExportForm } from './export-form.tsx';
import { closeExport } from './open-export.ts';

/** What, in which format, which tables; then the browser downloads it. */
export function ExportDialog({ what }: { readonly what: ExportWhat }): JSX.Element {
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) closeExport();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="dialog export-dialog">
          <header>
            <div className="grow">
              <Dialog.Title render={<h2>Export</h2>} />
            </div>
            <Dialog.Close
              render={
                <button className="ib" aria-label="Close">
                  <Icon name="close" />
                </button>
              }
            />
          </header>
          <ExportForm
            what={what}
            cancel={<Dialog.Close render={<button className="btn lg">Cancel</button>} />}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
