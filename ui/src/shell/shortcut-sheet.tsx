import { Dialog } from '@base-ui/react/dialog';
import { createStore, useSelector } from '@tanstack/react-store';
import { Fragment } from 'react';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { shortcutText } from '../parts/modifier-key.ts';
import { useShortcut } from '../parts/use-shortcut.ts';

type Shortcut = readonly [keys: string, effect: string];

const groups: readonly (readonly [title: string, shortcuts: readonly Shortcut[]])[] = [
  [
    'Everywhere',
    [
      [shortcutText('K'), 'Find a table, a column, a saved query or an action'],
      ['/', 'Filter tables'],
      ['[', 'Hide or show the sidebar'],
      ['Alt+← and Alt+→', 'Back and forward'],
      ['?', 'Show this list'],
    ],
  ],
  [
    'Rows',
    [
      ['F', 'Search'],
      ['Shift+F', 'Add a filter'],
      ['← ↑ → ↓', 'Move; with Shift, select'],
      ['Enter or F2', 'Edit the cell'],
      ['Space', 'Open the record'],
      ['Backspace', 'Clear the cells'],
      ['Delete', 'Delete the rows'],
      [shortcutText('C'), 'Copy'],
      [shortcutText('V'), 'Paste'],
      [shortcutText('D'), 'Duplicate the row'],
      [shortcutText('A'), 'Select all'],
      ['Alt+, and Alt+.', 'Make the column narrower or wider'],
      ['Alt+Shift+← →', 'Move the column'],
      ['Alt+H', 'Hide the column'],
    ],
  ],
  [
    'Changes',
    [
      [shortcutText('S'), 'Save'],
      [shortcutText('Z'), 'Undo'],
      [`${shortcutText('Shift+Z')} or ${shortcutText('Y')}`, 'Redo'],
    ],
  ],
  [
    'SQL',
    [
      [shortcutText('Enter'), 'Run the statement under the cursor, or the selected ones'],
      [shortcutText('Shift+Enter'), 'Run all statements'],
    ],
  ],
];

const isOpenStore = createStore(false);

export function showShortcuts(): void {
  isOpenStore.setState(() => true);
}

/** The list of keyboard shortcuts, which `?` opens. In a selected cell `?` is text. */
export function ShortcutSheet(): JSX.Element {
  const isOpen = useSelector(isOpenStore);
  useShortcut('?', showShortcuts);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(isShown) => isOpenStore.setState(() => isShown)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="dialog review-dialog shortcuts">
          <header>
            <div className="grow">
              <Dialog.Title render={<h2>Keyboard shortcuts</h2>} />
            </div>
            <Dialog.Close
              render={
                <button className="ib" aria-label="Close">
                  <Icon name="close" />
                </button>
              }
            />
          </header>
          <div className="body" tabIndex={0} role="region" aria-label="Shortcuts">
            <dl>
              {groups.map(([title, shortcuts]) => (
                <Fragment key={title}>
                  <dt className="m">{title}</dt>
                  <dd />
                  {shortcuts.map(([keys, effect]) => (
                    <Fragment key={keys}>
                      <dt>
                        <kbd>{keys}</kbd>
                      </dt>
                      <dd>{effect}</dd>
                    </Fragment>
                  ))}
                </Fragment>
              ))}
            </dl>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
