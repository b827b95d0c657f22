import { shortcutText } from '../../parts/modifier-key.ts';
import type { JSX } from 'react';
import type { CellEditorProps } from './cell-editor-props.ts';
import type { StoredClass } from './read-typed.ts';
import { isJsonColumn } from './typed-text.ts';
import { editingTexts as texts } from '../../texts/editing.ts';
import { commonTexts } from '../../texts/common.ts';
import { keyTexts } from '../../texts/parts.ts';

interface CellEditorFootProps extends Pick<
  CellEditorProps,
  'column' | 'value' | 'hasDefault' | 'note' | 'onDone'
> {
  readonly problem: string | undefined;
  readonly onFormat?: (() => void) | undefined;
  /** The storage class of a typed number. Undefined where the column's type decides. */
  readonly storedClass?: StoredClass | undefined;
  readonly onChooseClass?: (next: StoredClass) => void;
}

/** The line below an editor: NULL, DEFAULT and EMPTY buttons, and the error in the typed text. */
export function CellEditorFoot(props: CellEditorFootProps): JSX.Element {
  const { column, value, hasDefault, note, onDone, problem, onFormat, storedClass, onChooseClass } =
    props;
  return (
    <div className="pop cell-editor-foot">
      {problem !== undefined && (
        <span className="err" role="alert">
          {problem}
        </span>
      )}
      {note !== undefined && <span className="t2 note">{note}</span>}
      {onFormat !== undefined && (
        <button className="badge line" onClick={onFormat}>
          {commonTexts.format}
        </button>
      )}
      {storedClass !== undefined && onChooseClass !== undefined && (
        <button
          className="badge line"
          title={storedClass === 'number' ? texts.storedAsNumber : texts.storedAsText}
          onClick={() => onChooseClass(storedClass === 'number' ? 'text' : 'number')}
        >
          {storedClass === 'number' ? texts.number : texts.text}
        </button>
      )}
      <span className="grow" />
      {column.kind === 'text' && !column.is_foreign_key && value !== '' && (
        <button
          className="badge line"
          title={texts.setEmpty}
          onClick={() => onDone({ [column.name]: '' }, 'stay')}
        >
          {texts.emptyButton}
        </button>
      )}
      {hasDefault && (
        <button className="badge line" onClick={() => onDone({ [column.name]: undefined }, 'stay')}>
          {commonTexts.defaultValue}
        </button>
      )}
      <button
        className="badge line"
        aria-disabled={!column.is_nullable}
        title={column.is_nullable ? commonTexts.setNull : commonTexts.notNullColumn}
        onClick={() => {
          if (column.is_nullable) onDone({ [column.name]: null }, 'stay');
        }}
      >
        {commonTexts.nullValue}
      </button>
      <kbd>{isJsonColumn(column) ? shortcutText('↵') : '↵'}</kbd>
      <kbd>{keyTexts.escapeShort}</kbd>
    </div>
  );
}
