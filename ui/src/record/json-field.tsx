import { useEffect, useRef, useState } from 'react';
import type { JSX } from 'react';
import { CellInput } from '../editing/cell-editor/cell-input.tsx';
import { formatJson } from '../editing/json-source.ts';
import { readEdited } from '../editing/cell-editor/typed-text.ts';
import { useInvalidTextGuard } from '../editing/cell-editor/use-invalid-text-guard.ts';
import { useStoredText } from '../editing/cell-editor/use-stored-text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { CellView } from '../cells/cell-view.tsx';
import type { FieldProps } from './field-props.ts';
import { TextBeginning, isTooLongToShow } from './long-text.tsx';
import { NullButtons } from './null-buttons.tsx';
import { recordTexts as texts } from '../texts/record.ts';
import { commonTexts } from '../texts/common.ts';

/** JSON as it is stored. A click opens its editor in place. */
export function JsonField(props: FieldProps): JSX.Element {
  const { table, column, shown, value } = props;
  const [isOpen, setOpen] = useState(false);
  const id = shown.kind === 'stored' ? shown.stored?.id : undefined;
  const { text, isOneLine, error } = useStoredText({ table: table.name, id, column, value });
  if (error !== null) return <ErrorNotice error={error} />;
  if (isOpen && text !== undefined)
    return (
      <OpenJson {...props} stored={text} isOneLine={isOneLine} onDone={() => setOpen(false)} />
    );
  return (
    <div className="field area">
      <button className="json-text mono grow" onClick={() => setOpen(true)}>
        <span className="visually-hidden">{texts.editField({ column: column.name })}</span>
        {value === null || value === undefined ? (
          <CellView value={value} column={column} />
        ) : (
          <JsonText text={text ?? '…'} />
        )}
      </button>
      <NullButtons {...props} />
    </div>
  );
}

function JsonText({ text }: { readonly text: string }): JSX.Element {
  return isTooLongToShow(text) ? <TextBeginning text={text} /> : <>{text}</>;
}

interface OpenJsonProps extends FieldProps {
  readonly stored: string;
  readonly isOneLine: boolean;
  readonly onDone: () => void;
}

/** The text of the open editor, and what happens when it is committed. */
function useJsonText({ column, stored, isOneLine, onPut, onDone }: OpenJsonProps) {
  const [text, setText] = useState(stored);
  // A key that commits can arrive before the last typed character is rendered.
  const latestText = useRef(stored);
  const change = (next: string): void => {
    latestText.current = next;
    setText(next);
  };
  const parse = (typed: string) =>
    typed === stored ? undefined : readEdited(typed, { text: stored, isOneLine }, { column });
  const read = parse(text);
  const problem = read !== undefined && 'problem' in read ? read.problem : undefined;
  const hasEnded = useRef(false);
  const end = (): void => {
    hasEnded.current = true;
    onDone();
  };
  const commit = (): void => {
    const typed = parse(latestText.current);
    if (typed !== undefined && 'problem' in typed) return;
    if (typed !== undefined) onPut({ [column.name]: typed.value });
    end();
  };
  const latestCommit = useRef(commit);
  useEffect(() => {
    latestCommit.current = commit;
  });
  // Going back in the browser's history closes the editor without a blur.
  useEffect(
    () => () => {
      if (!hasEnded.current) latestCommit.current();
    },
    [],
  );
  useInvalidTextGuard(
    () => (problem === undefined ? undefined : { column: column.name, problem }),
    { disabled: problem === undefined },
  );
  return { text, problem, change, commit, end };
}

function OpenJson(props: OpenJsonProps): JSX.Element {
  const { column } = props;
  const { text, problem, change, commit, end } = useJsonText(props);
  return (
    <div
      className="field json-open"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) commit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') end();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) commit();
      }}
    >
      <CellInput column={column} text={text} typed={undefined} onChange={change} />
      {problem !== undefined && (
        <div className="err pad" role="alert">
          {problem}
        </div>
      )}
      <div className="row json-foot">
        <button className="badge line" onClick={() => change(formatJson(text))}>
          {commonTexts.format}
        </button>
        <button className="badge line" onClick={end}>
          {commonTexts.revert}
        </button>
        <button className="badge line end" aria-disabled={problem !== undefined} onClick={commit}>
          {commonTexts.apply}
        </button>
      </div>
    </div>
  );
}
