import type { JSX } from 'react';
import type { CellEditorProps } from './cell-editor-props.ts';
import { isJsonColumn } from './typed-text.ts';

interface CellEditorFootProps extends Pick<CellEditorProps, 'column' | 'hasDefault' | 'onDone'> {
  readonly problem: string | undefined;
  readonly onFormat?: (() => void) | undefined;
}

/** What else the cell can be, and what is wrong with what was typed. */
export function CellEditorFoot(props: CellEditorFootProps): JSX.Element {
  const { column, hasDefault, onDone, problem, onFormat } = props;
  return (
    <div className="pop cell-editor-foot">
      {problem !== undefined && (
        <span className="err" role="alert">
          {problem}
        </span>
      )}
      {onFormat !== undefined && (
        <button className="badge line" onClick={onFormat}>
          Format
        </button>
      )}
      <span className="grow" />
      {hasDefault && (
        <button className="badge line" onClick={() => onDone({ [column.name]: undefined }, 'stay')}>
          DEFAULT
        </button>
      )}
      <button
        className="badge line"
        aria-disabled={!column.is_nullable}
        title={column.is_nullable ? 'Set to NULL' : 'This column takes no NULL.'}
        onClick={() => {
          if (column.is_nullable) onDone({ [column.name]: null }, 'stay');
        }}
      >
        NULL
      </button>
      <kbd>{isJsonColumn(column) ? '⌘ ↵' : '↵'}</kbd>
      <kbd>Esc</kbd>
    </div>
  );
}
