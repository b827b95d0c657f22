import { useEffect, useRef, useState } from 'react';
import type { FocusEvent, JSX, KeyboardEvent, RefObject } from 'react';
import { emptyValueLabel } from '../../cells/empty-value-label.ts';
import { choicesOf } from '../../cells/value-kind.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { CellEditorFoot } from './cell-editor-foot.tsx';
import type { CellEditorProps, EditStep } from './cell-editor-props.ts';
import { CellInput } from './cell-input.tsx';
import { ReferencePicker } from './reference-picker.tsx';
import { formatJson } from '../json-source.ts';
import { isJsonColumn, readEdited } from './typed-text.ts';
import { storedClassOf, isNumberText, hasStorageClassPerValue } from './read-typed.ts';
import type { StoredClass } from './read-typed.ts';
import { useInvalidTextGuard } from './use-invalid-text-guard.ts';
import { useStoredText } from './use-stored-text.ts';
import { findChoice } from './find-choice.ts';
import { acceptsText } from '../../parts/use-shortcut.ts';
import { editingTexts as texts } from '../../texts/editing.ts';

/** The editor of a cell, with NULL and DEFAULT as explicit choices below it. */
export function CellEditor(props: CellEditorProps): JSX.Element {
  const { table, id, column, value, typed, style } = props;
  const frame = useRef<HTMLDivElement>(null);
  const { text, isOneLine, error } = useStoredText({ table: table.name, id, column, value });
  const isRead = text !== undefined;
  const isReady = isRead || typed !== undefined;
  useEffect(() => {
    frame.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isRead]);
  const focusHandlers = useEditorFocus(frame, props.onCancel);
  const early = useEarlyKeys(props.onCancel);
  return (
    <div
      ref={frame}
      className="cell-editor"
      style={style}
      tabIndex={-1}
      role="dialog"
      aria-label={texts.editColumn({ column: column.name })}
      {...focusHandlers}
      onKeyDown={(event) => {
        const hasMod = event.ctrlKey || event.metaKey;
        if (!hasMod) event.stopPropagation();
        if (event.key === 'Escape') props.onCancel();
        else if (event.target === event.currentTarget) early.press(event);
      }}
    >
      {error !== null && <ErrorNotice error={error} />}
      {column.is_foreign_key ? (
        <ReferenceCell {...props} />
      ) : (
        isReady &&
        !early.wereIgnored && (
          <TextCell {...props} stored={text} isOneLine={isOneLine} onCancel={early.cancel} />
        )
      )}
      {early.wereIgnored && (
        <div className="pop cell-editor-foot">
          <span className="err" role="alert">
            {texts.keysIgnored}
          </span>
        </div>
      )}
    </div>
  );
}

/**
 * Keys that are pressed before the field is there reach only the frame. They are ignored, and then the
 * later ones are too, until F2: a text without its beginning may be meant for another cell by now.
 */
function useEarlyKeys(onCancel: () => void) {
  const [wereIgnored, setIgnored] = useState(false);
  const isLocked = useRef(false);
  const ignore = (next: boolean): void => {
    isLocked.current = next;
    setIgnored(next);
  };
  return {
    wereIgnored,
    press: ({ key, ctrlKey, metaKey }: KeyboardEvent): void => {
      if (key === 'F2') ignore(false);
      else if (!ctrlKey && !metaKey && !modifierKey.test(key)) ignore(true);
    },
    /** Cancels the editor, except when a field is removed because the keys before it were ignored. */
    cancel: (): void => {
      if (!isLocked.current) onCancel();
    },
  };
}

const modifierKey = /^(Shift|Control|Alt|AltGraph|Meta|CapsLock)$/;

function ReferenceCell(props: CellEditorProps): JSX.Element {
  const { table, column, typed, onDone, onCancel } = props;
  return (
    <div
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onCancel();
      }}
    >
      <div className="pop picker-pop">
        <ReferencePicker
          table={table}
          column={column}
          typed={typed}
          onPick={(values) => onDone(values, 'stay')}
          onLeave={onCancel}
        />
        <CellEditorFoot {...props} problem={undefined} />
      </div>
    </div>
  );
}

interface TextCellProps extends CellEditorProps {
  /** Undefined while it is being read. A text typed over it does not wait for it. */
  readonly stored: string | undefined;
  readonly isOneLine: boolean;
}

/** The text of an editor, and what happens when it is committed. */
function useTextEditing(props: TextCellProps) {
  const { column, isOneLine, value, onDone, onCancel, onInvalid } = props;
  const storedText = useFirstText(props.stored);
  const [text, setText] = useState(() => initialText(props));
  // A key that commits can arrive before the last typed character is rendered.
  const latestText = useRef(text);
  const change = (next: string): void => {
    latestText.current = next;
    setText(next);
    setProblem(undefined);
  };
  const [problem, setProblem] = useState<string>();
  const [selectedClass, selectClass] = useState<StoredClass>();
  const context = { column, replaced: value, selectedClass };
  const storedClass =
    hasStorageClassPerValue(context) && isNumberText(text) ? storedClassOf(context) : undefined;
  /** The text that the editor began with is no change: NULL stays NULL, DEFAULT stays DEFAULT. */
  const readChange = () =>
    latestText.current === storedText && selectedClass === undefined
      ? undefined
      : readEdited(latestText.current, { text: storedText ?? '', isOneLine }, context);
  useInvalidTextGuard(() => {
    const read = readChange();
    return read !== undefined && 'problem' in read
      ? { column: column.name, problem: read.problem }
      : undefined;
  });
  const commit = (step: EditStep): void => {
    const read = readChange();
    if (read === undefined) {
      if (step === 'stay') onCancel();
      else onDone({}, step);
      return;
    }
    if ('problem' in read) {
      setProblem(read.problem);
      onInvalid();
    } else onDone({ [column.name]: read.value }, step);
  };
  const latestCommit = useRef(commit);
  useEffect(() => {
    latestCommit.current = commit;
  });
  // Going back in the browser's history closes the editor without a blur.
  useEffect(() => () => latestCommit.current('stay'), []);
  return { text, change, problem, storedClass, selectClass, commit };
}

function TextCell(props: TextCellProps): JSX.Element {
  const { column, value, typed } = props;
  const { text, change, problem, storedClass, selectClass, commit } = useTextEditing(props);
  const isJson = isJsonColumn(column);
  const pressKey = (event: KeyboardEvent): void => {
    const isCommitKey = isJson ? event.ctrlKey || event.metaKey : !event.shiftKey && !event.altKey;
    if (event.key === 'Tab') {
      event.preventDefault();
      commit(event.shiftKey ? 'left' : 'right');
    } else if (event.key === 'Enter' && isCommitKey) {
      event.preventDefault();
      commit('down');
    }
  };
  return (
    <div
      onKeyDown={pressKey}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        commit('stay');
        keepFocus(event);
      }}
    >
      <CellInput
        column={column}
        text={text}
        emptyLabel={emptyValueLabel(value, column)}
        typed={typed}
        onChange={change}
      />
      <CellEditorFoot
        {...props}
        problem={problem}
        storedClass={storedClass}
        onChooseClass={selectClass}
        onFormat={isJson ? () => change(formatJson(text)) : undefined}
      />
    </div>
  );
}

/**
 * Gives the focus to the frame of an editor while its field loads, because each key that reached the
 * grid would open the cell again, and back to the grid when the editor closes. A click on a field
 * outside the grid closes the editor too, in the blur event: that field keeps the focus, since keys
 * meant for a search would otherwise select and delete rows. For the same reason an editor that
 * loses the focus before its field is there closes. Returns the handlers of the frame.
 */
function useEditorFocus(frame: RefObject<HTMLDivElement | null>, onCancel: () => void) {
  const next = useRef<EventTarget>(null);
  useEffect(() => {
    if (frame.current?.contains(document.activeElement) === false)
      frame.current.focus({ preventScroll: true });
    const grid = frame.current?.closest<HTMLElement>('[role="grid"]');
    return () => {
      const { current: focused } = next;
      const isInGrid = focused instanceof Node && grid?.contains(focused) === true;
      if (isInGrid || !acceptsText(focused)) grid?.focus({ preventScroll: true });
    };
  }, [frame]);
  return {
    onFocus: () => (next.current = null),
    onBlur: ({ target, currentTarget, relatedTarget }: FocusEvent) => {
      next.current = relatedTarget;
      if (target === currentTarget && !currentTarget.contains(relatedTarget)) onCancel();
    },
  };
}

/**
 * An editor that stays open, because its text is not a value, keeps the focus: keys would
 * otherwise act on the cell that was clicked.
 */
function keepFocus({ currentTarget, nativeEvent }: FocusEvent): void {
  const grid = currentTarget.closest('[role="grid"]');
  const [field] = nativeEvent.composedPath();
  // The focus has moved only after the event.
  setTimeout(() => {
    const { activeElement } = document;
    const isInGrid = activeElement === document.body || grid?.contains(activeElement) === true;
    if (field instanceof HTMLElement && field.isConnected && isInGrid)
      field.focus({ preventScroll: true });
  });
}

/** Returns the stored text as it was when the editor opened. The row may be read again meanwhile. */
function useFirstText(storedText: string | undefined): string | undefined {
  const first = useRef(storedText);
  first.current ??= storedText;
  return first.current;
}

function initialText({ column, stored = '', typed }: TextCellProps): string {
  return typed === undefined ? stored : (findChoice(choicesOf(column) ?? [], typed) ?? typed);
}
