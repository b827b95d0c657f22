import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { modifierKey } from '../parts/modifier-key.ts';
import type { JSX } from 'react';
import type { Table } from '../api/queries.ts';
import { Icon } from '../parts/icon.tsx';
import { useShortcut } from '../parts/use-shortcut.ts';
import { cascadeTexts, previewQuery } from './change-preview.ts';
import { discardAll } from './discard.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { registerBar } from './save-outcome.ts';
import { save } from './save.ts';
import { stageFocusedField } from './stage-focused-field.ts';
import { countStaged, nothingStaged } from './staged.ts';
import type { Staged } from './staged.ts';
import { useStaged } from './staged-store.ts';
import type { StagedTable } from './staged-store.ts';
import { editingTexts as texts } from '../texts/editing.ts';
import { commonTexts } from '../texts/common.ts';

interface ReviewBarProps {
  readonly table: Table;
}

/** The bar of unsaved changes: their number, undo and redo, discard, review and save. */
export function ReviewBar({ table }: ReviewBarProps): JSX.Element | null {
  const store = useStaged(table.name);
  const { staged, isSaving } = store;
  useEffect(() => registerBar(table.name), [table.name]);
  const count = countStaged(staged);
  const saveAll = (): void => {
    stageFocusedField();
    void save(table);
  };
  useShortcut('mod+s', saveAll);
  useShortcut('mod+z', store.undo, { whileTyping: false });
  useShortcut('mod+shift+z', store.redo, { whileTyping: false });
  useShortcut('mod+y', store.redo, { whileTyping: false });
  const isIdle = count === 0 && !store.canRedo && !store.canUndo && store.pending === undefined;
  if (isIdle && store.saved === undefined && store.saveError === undefined) return null;
  return (
    <div className="review" role="region" aria-label={commonTexts.unsavedChanges}>
      <span className="what">
        {isSaving ? `${texts.saving} ` : ''}
        {texts.changes({ count })}
      </span>
      <Tally kind="mod" symbol="~" count={staged.edits.size} word={texts.edited} />
      <Tally kind="new" symbol="+" count={staged.created.size} word={texts.new} />
      <Tally kind="del" symbol="−" count={staged.removed.size} word={texts.deleted} />
      <Cascades table={table} staged={staged} />
      <span className="sep" />
      <IconButton
        icon="undo"
        label={commonTexts.undo}
        isDisabled={!store.canUndo}
        onClick={store.undo}
      />
      <IconButton
        icon="redo"
        label={commonTexts.redo}
        isDisabled={!store.canRedo}
        onClick={store.redo}
      />
      <Outcome store={store} />
      <button className="btn quiet" aria-disabled={count === 0} onClick={() => discardAll(store)}>
        {commonTexts.discard}
      </button>
      <ReviewDialog table={table} store={store} onSave={saveAll} />
      <button className="btn primary" aria-disabled={isSaving || isIdle} onClick={saveAll}>
        {commonTexts.save}
        <span className="keys">
          <kbd>{modifierKey}</kbd>
          <kbd>S</kbd>
        </span>
      </button>
    </div>
  );
}

/** What the last save has done: the only place for it, beside the button. */
function Outcome({ store }: { readonly store: StagedTable }): JSX.Element {
  const { saved, saveError, setSaveError } = store;
  return (
    <span className={`outcome grow row ${saveError === undefined ? '' : 'failed'}`} role="status">
      {saved !== undefined && (
        <span className="ok row">
          <Icon name="done" size="s" />
          <span className="m">{saved}</span>
        </span>
      )}
      {saveError !== undefined && (
        <>
          <Icon name="error" className="err" />
          <span className="err grow">
            {saveError.title === undefined
              ? saveError.message
              : texts.failedSave({ title: saveError.title, reason: saveError.message })}
          </span>
          <button
            className="ib sm"
            aria-label={commonTexts.dismiss}
            onClick={() => setSaveError(undefined)}
          >
            <Icon name="close" size="s" />
          </button>
        </>
      )}
    </span>
  );
}

interface TallyProps {
  readonly kind: 'mod' | 'new' | 'del';
  readonly symbol: string;
  readonly count: number;
  readonly word: string;
}

function Tally({ kind, symbol, count, word }: TallyProps): JSX.Element | null {
  return count === 0 ? null : (
    <span className={`tally ${kind}`}>
      <i>{symbol}</i>
      {count} {word}
    </span>
  );
}

interface CascadesProps {
  readonly table: Table;
  readonly staged: Staged;
}

/** More deletions than these are previewed only in the review. */
const maxPreviewedDeletions = 100;

/** What foreign keys do to other rows when the marked rows are deleted. */
function Cascades({ table, staged: { removed } }: CascadesProps): JSX.Element | null {
  const deletions: Staged = { ...nothingStaged, removed };
  const { data } = useQuery({
    ...previewQuery(table, deletions),
    enabled: removed.size > 0 && removed.size <= maxPreviewedDeletions,
  });
  const effects = removed.size === 0 ? [] : cascadeTexts(data?.cascades ?? []);
  if (effects.length === 0) return null;
  return (
    <span className="cascades warn cut" role="status" title={effects.join('\n')}>
      <Icon name="warning" size="s" /> {effects.join(' ')}
    </span>
  );
}

interface IconButtonProps {
  readonly icon: 'undo' | 'redo';
  readonly label: string;
  readonly isDisabled: boolean;
  readonly onClick: () => void;
}

function IconButton({ icon, label, isDisabled, onClick }: IconButtonProps): JSX.Element {
  return (
    <button
      className="ib"
      aria-label={label}
      title={label}
      aria-disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
