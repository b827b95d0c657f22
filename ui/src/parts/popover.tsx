import { Popover as Base } from '@base-ui/react/popover';
import type { JSX, ReactElement, ReactNode } from 'react';
import { useInitialFocus } from './initial-focus.ts';
import { useFocusAfterClose } from './page-grid.ts';

interface PopoverProps {
  /** The button that opens the popover. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly label: string;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** A popover beside its button. Escape and clicks outside close it. */
export function Popover(props: PopoverProps): JSX.Element {
  const { trigger, label, isOpen, onOpenChange, children } = props;
  const focus = useFocusAfterClose();
  const initialFocus = useInitialFocus();
  const control = isOpen === undefined ? {} : { open: isOpen };
  return (
    <Base.Root
      {...control}
      onOpenChange={(next, { event }) => {
        if (next) focus.opens(event);
        onOpenChange?.(next);
      }}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="start" className="above">
          <Base.Popup
            className="pop still"
            aria-label={label}
            finalFocus={focus.finalFocus}
            {...initialFocus}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
