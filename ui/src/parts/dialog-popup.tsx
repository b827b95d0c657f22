import { Dialog } from '@base-ui/react/dialog';
import type { ComponentProps, JSX } from 'react';
import { useInitialFocus } from './initial-focus.ts';

type DialogPopupProps = Omit<ComponentProps<typeof Dialog.Popup>, 'ref' | 'initialFocus'>;

/** The window of a dialog, over a backdrop. */
export function DialogPopup(props: DialogPopupProps): JSX.Element {
  const focus = useInitialFocus();
  return (
    <Dialog.Portal>
      <Dialog.Backdrop className="scrim" />
      <Dialog.Popup {...props} {...focus} />
    </Dialog.Portal>
  );
}
