import { Dialog } from '@base-ui/react/dialog';
import { createStore, useSelector } from '@tanstack/react-store';
import { Fragment } from 'react';
import type { JSX } from 'react';
import { DialogPopup } from '../parts/dialog-popup.tsx';
import { Icon } from '../parts/icon.tsx';
import { altShortcutText, shortcutText, withShift } from '../parts/modifier-key.ts';
import { useShortcut } from '../parts/use-shortcut.ts';
import { shortcutTexts as texts } from '../texts/shell.ts';
import { commonTexts } from '../texts/common.ts';
import { keyTexts } from '../texts/parts.ts';

type Shortcut = readonly [keys: string, effect: string];

const groups: readonly (readonly [title: string, shortcuts: readonly Shortcut[]])[] = [
  [
    texts.everywhere,
    [
      [shortcutText('K'), texts.find],
      ['/', texts.filterTables],
      ['[', texts.toggleSidebar],
      [
        texts.bothKeys({ first: altShortcutText('←'), second: altShortcutText('→') }),
        texts.backAndForward,
      ],
      ['?', texts.showShortcuts],
    ],
  ],
  [
    commonTexts.diagram,
    [
      ['F', commonTexts.search],
      [keyTexts.enter, texts.showNeighbors],
      ['← ↑ → ↓', texts.moveTable],
      ['H', texts.hideTable],
      [shortcutText('Z'), texts.undoMove],
    ],
  ],
  [
    commonTexts.rows,
    [
      ['F', commonTexts.search],
      [withShift('F'), texts.addFilter],
      ['← ↑ → ↓', texts.move],
      [texts.eitherKey({ first: keyTexts.enter, second: 'F2' }), texts.editCell],
      [keyTexts.tab, texts.nextCell],
      [keyTexts.space, texts.openRecord],
      [keyTexts.backspace, texts.clearCells],
      [keyTexts.delete, texts.deleteRows],
      [shortcutText('C'), commonTexts.copy],
      [shortcutText('X'), texts.cut],
      [shortcutText('V'), texts.paste],
      [shortcutText('D'), texts.duplicateRow],
      [shortcutText('A'), texts.selectAll],
      [
        texts.bothKeys({ first: altShortcutText(','), second: altShortcutText('.') }),
        texts.resizeColumn,
      ],
      [altShortcutText(withShift('← →')), texts.moveColumn],
      [altShortcutText('H'), texts.hideColumn],
    ],
  ],
  [
    texts.changes,
    [
      [shortcutText('S'), commonTexts.save],
      [shortcutText('Z'), commonTexts.undo],
      [
        texts.eitherKey({ first: shortcutText(withShift('Z')), second: shortcutText('Y') }),
        commonTexts.redo,
      ],
    ],
  ],
  [
    commonTexts.sql,
    [
      [shortcutText(keyTexts.enter), texts.runStatement],
      [shortcutText(withShift(keyTexts.enter)), texts.runAll],
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
      <DialogPopup className="dialog review-dialog shortcuts">
        <header>
          <div className="grow">
            <Dialog.Title render={<h2>{texts.title}</h2>} />
          </div>
          <Dialog.Close
            render={
              <button className="ib" aria-label={commonTexts.close}>
                <Icon name="close" />
              </button>
            }
          />
        </header>
        <div className="body" tabIndex={0} role="region" aria-label={texts.list}>
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
      </DialogPopup>
    </Dialog.Root>
  );
}
