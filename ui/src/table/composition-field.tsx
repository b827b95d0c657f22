import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CSSProperties, JSX, KeyboardEvent, RefObject } from 'react';
import { cellId } from '../grid/grid-props.ts';
import type { CellPosition } from '../grid/selection.ts';
import { isKeyOfAnother, watchPressedKeys } from '../parts/pressed-key.ts';
import { tableTexts as texts } from '../texts/table.ts';

watchPressedKeys();

interface CompositionFieldProps {
  readonly position: CellPosition;
  /** Where the cell is. */
  readonly style: CSSProperties;
  /** Opens the editor of the cell with a text. The editor has the focus when this returns. */
  readonly open: (text: string) => void;
  readonly onPaste: () => void;
}

/**
 * Has the focus in place of the grid while a cell is selected: input methods, dead keys, emoji
 * pickers and dictation need a field before the first key. It is invisible until they begin. All other
 * keys go on to the grid. The next key that is not part of a composition passes the text to the editor
 * of the cell, and goes there too.
 */
export function CompositionField(props: CompositionFieldProps): JSX.Element {
  const { position, style } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [isComposing, setComposing] = useState(false);
  useGridFocus(field);
  const passOn = usePassedText(field, props.open);
  useEffect(() => {
    if (!isComposing) return undefined;
    const pass = ({ target }: Event): void => {
      if (target !== field.current) passOn();
    };
    addEventListener('pointerdown', pass, { capture: true });
    return () => removeEventListener('pointerdown', pass, { capture: true });
  });
  // ARIA allows only rows in a grid and only cells in a row, so the field needs both around it.
  return (
    <div role="row">
      <div role="gridcell" className={`composition ${isComposing ? 'on' : ''}`} style={style}>
        <textarea
          ref={field}
          data-grid-keys=""
          rows={1}
          tabIndex={-1}
          dir="auto"
          spellCheck={false}
          autoComplete="off"
          aria-label={texts.selectedCell}
          aria-activedescendant={isComposing ? undefined : cellId(position)}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={({ currentTarget }) => setComposing(currentTarget.value !== '')}
          onInput={({ nativeEvent }) => {
            if (!nativeEvent.isComposing && !isComposing) passOn();
          }}
          onPaste={(event) => {
            // From a menu of the browser. The keys of pasting do not arrive here.
            event.preventDefault();
            props.onPaste();
          }}
          onKeyDown={passOn}
          onBlur={() => {
            passOn();
            setComposing(false);
          }}
        />
      </div>
    </div>
  );
}

/**
 * Returns a function that passes the text of the field to the editor, if there is one. A key that ends
 * the text goes there as well.
 */
function usePassedText(
  field: RefObject<HTMLTextAreaElement | null>,
  open: (text: string) => void,
): (event?: KeyboardEvent) => void {
  const isPassing = useRef(false);
  return (event) => {
    const { current } = field;
    if (isPassing.current || current === null || current.value === '') return;
    isPassing.current = true;
    flushSync(() => open(current.value));
    current.value = '';
    isPassing.current = false;
    if (event === undefined) return;
    event.stopPropagation();
    const { activeElement } = document;
    const isHandled =
      activeElement !== current &&
      activeElement?.dispatchEvent(new globalThis.KeyboardEvent('keydown', event.nativeEvent)) ===
        false;
    // The browser does the rest, such as typing a character, where the focus is now.
    if (isHandled) event.preventDefault();
  };
}

/** The field gets the focus whenever the grid does, and the grid gets it back when the field goes. */
function useGridFocus(field: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const input = field.current;
    const grid = input?.closest<HTMLElement>('[role="grid"]');
    if (input === null || input === undefined || grid === null || grid === undefined)
      return undefined;
    const takeFocus = (): void => input.focus({ preventScroll: true });
    // Otherwise Shift and Tab would go to the grid, and from there back to the field.
    const skipGrid = (): void => void (grid.tabIndex = -1);
    const reachGrid = (): void => void (grid.tabIndex = 0);
    const rejectOtherKeys = (event: InputEvent): void => {
      if (!event.isComposing && isKeyOfAnother(input)) event.preventDefault();
    };
    input.addEventListener('beforeinput', rejectOtherKeys);
    grid.addEventListener('focus', takeFocus);
    input.addEventListener('focus', skipGrid);
    input.addEventListener('blur', reachGrid);
    if (document.activeElement === grid) takeFocus();
    return () => {
      input.removeEventListener('beforeinput', rejectOtherKeys);
      grid.removeEventListener('focus', takeFocus);
      reachGrid();
      if (document.activeElement === input) grid.focus({ preventScroll: true });
    };
  }, [field]);
}
