import { Menu as Base } from '@base-ui/react/menu';
import type { JSX, ReactElement } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  /** Keys that do the same. */
  readonly keys?: string;
  /** Why it cannot be chosen now. */
  readonly offReason?: string | undefined;
  readonly onChoose: () => void;
}

interface MenuProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly items: readonly MenuItem[];
}

/** What can be done, below the button that says so. */
export function Menu({ trigger, items }: MenuProps): JSX.Element {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="start" className="above">
          <Base.Popup className="pop menu still">
            {items.map((item) => (
              <Base.Item
                key={item.label}
                className="mi"
                disabled={item.offReason !== undefined}
                title={item.offReason}
                onClick={item.onChoose}
              >
                {item.icon !== undefined && <Icon name={item.icon} />}
                <span className="grow">{item.label}</span>
                {item.keys !== undefined && <span className="end">{item.keys}</span>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
