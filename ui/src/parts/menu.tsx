import { Menu as Base } from '@base-ui/react/menu';
import { useState } from 'react';
import type { JSX, ReactElement } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';
import { useFocusAfterClose } from './page-grid.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  /** Keyboard shortcut. */
  readonly keys?: string;
  /** The reason why the item is disabled. */
  readonly disabledReason?: string | undefined;
  /** Draws a separator above the item. */
  readonly hasSeparator?: boolean;
  readonly isSelected?: boolean;
  readonly onChoose: () => void;
}

interface MenuProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly items: readonly MenuItem[];
  /** Shown below the items. */
  readonly note?: string | undefined;
}

/** A button with a drop-down menu. */
export function Menu({ trigger, items, note }: MenuProps): JSX.Element {
  const focus = useFocusAfterClose();
  return (
    <Base.Root
      onOpenChange={(isOpen, { event }) => {
        if (isOpen) focus.opens(event);
      }}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="start" className="above">
          <Base.Popup className="pop menu still" finalFocus={focus.finalFocus}>
            <Items items={items} />
            {note !== undefined && <p className="menu-note t3">{note}</p>}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuAtProps {
  readonly label: string;
  /** The position in the window. */
  readonly at: { readonly x: number; readonly y: number };
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}

/** A context menu. */
export function MenuAt({ label, at, items, onClose }: MenuAtProps): JSX.Element {
  const anchor = { getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) };
  // A button of a grid may be visible only under the pointer.
  const [before] = useState(
    () => document.activeElement?.closest('[role="grid"]') ?? document.activeElement,
  );
  return (
    <Base.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Base.Portal>
        <Base.Positioner anchor={anchor} align="start" className="above">
          <Base.Popup
            className="pop menu still"
            aria-label={label}
            finalFocus={() => (before instanceof HTMLElement ? before : true)}
          >
            <Items items={items} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Items({ items }: Pick<MenuProps, 'items'>): JSX.Element {
  return (
    <>
      {items.map((item) => (
        <Base.Item
          key={item.label}
          className={`mi ${item.hasSeparator === true ? 'apart' : ''}`}
          disabled={item.disabledReason !== undefined}
          title={item.disabledReason}
          onClick={item.onChoose}
        >
          {item.icon !== undefined && <Icon name={item.icon} />}
          <span className="grow">{item.label}</span>
          {item.isSelected === true && <Icon name="check" size="s" />}
          {item.disabledReason !== undefined && (
            <span className="end cut">{item.disabledReason}</span>
          )}
          {item.keys !== undefined && item.disabledReason === undefined && (
            <span className="end">{item.keys}</span>
          )}
        </Base.Item>
      ))}
    </>
  );
}
