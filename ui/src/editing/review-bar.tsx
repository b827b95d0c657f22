import { useState } from 'react';
import type { JSX } from 'react';
import type { Table } from '../api/queries.ts';
import { Icon } from '../parts/icon.tsx';
import { useShortcut } from '../parts/use-shortcut.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { save } from './save.ts';
import { countStaged } from './staged.ts';
import { useStaged } from './staged-store.ts';

interface ReviewBarProps {
  readonly table: Table;
}

/** The bar of unsaved changes: their number, undo and redo, discard, review and save. */
export function ReviewBar({ table }: ReviewBarProps): JSX.Element | null {
  const store = useStaged(table.name);
  const { staged, saveError } = store;
  const [isSaving, setSaving] = useState(false);
  const count = countStaged(staged);
  const saveAll = (): void => {
    // A field stages its text when it loses the focus.
    if (document.activeElement instanceof HTMLElement) stageFocusedField(document.activeElement);
    setSaving(true);
    void save(table).finally(() => setSaving(false));
  };
  useShortcut('mod+s', saveAll);
  useShortcut('mod+z', store.undo, { whileTyping: false });
  useShortcut('mod+shift+z', store.redo, { whileTyping: false });
  if (count === 0 && !store.canRedo) return null;
  return (
    <div className="review" role="region" aria-label="Unsaved changes">
      <span className="what">
        {isSaving ? 'Saving … ' : ''}
        {count} {count === 1 ? 'change' : 'changes'}
      </span>
      <Tally kind="mod" sign="~" count={staged.edits.size} word="edited" />
      <Tally kind="new" sign="+" count={staged.created.size} word="new" />
      <Tally kind="del" sign="−" count={staged.removed.size} word="deleted" />
      <span className="sep" />
      <IconButton icon="undo" label="Undo" isOff={!store.canUndo} onClick={store.undo} />
      <IconButton icon="redo" label="Redo" isOff={!store.canRedo} onClick={store.redo} />
      {saveError === undefined ? (
        <span className="grow" />
      ) : (
        <span className="err cut grow" title={saveError.message}>
          {saveError.message}
        </span>
      )}
      <button className="btn quiet" onClick={store.clear}>
        Discard
      </button>
      <ReviewDialog table={table} store={store} onSave={saveAll} />
      <button className="btn primary" aria-disabled={isSaving} onClick={saveAll}>
        Save
        <span className="keys">
          <kbd>⌘</kbd>
          <kbd>S</kbd>
        </span>
      </button>
    </div>
  );
}

/** Blurs an element and focuses it again, if it still exists. */
function stageFocusedField(element: HTMLElement): void {
  element.blur();
  element.focus({ preventScroll: true });
}

interface TallyProps {
  readonly kind: 'mod' | 'new' | 'del';
  readonly sign: string;
  readonly count: number;
  readonly word: string;
}

function Tally({ kind, sign, count, word }: TallyProps): JSX.Element | null {
  return count === 0 ? null : (
    <span className={`tally ${kind}`}>
      <i>{sign}</i>
      {count} {word}
    </span>
  );
}

interface IconButtonProps {
  readonly icon: 'undo' | 'redo';
  readonly label: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

function IconButton({ icon, label, isOff, onClick }: IconButtonProps): JSX.Element {
  return (
    <button className="ib" aria-label={label} title={label} aria-disabled={isOff} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
