import { Suspense, lazy } from 'react';
import type { ClipboardEvent, JSX } from 'react';
import type { LongTextEditorProps } from '../../code/long-text-editor.tsx';

/** Loads CodeMirror on the first edit of a long text. */
const LongTextEditor = lazy(async () => ({
  default: (await import('../../code/long-text-editor.tsx')).LongTextEditor,
}));

/** The editor of texts that a text area would take seconds to lay out. */
export function LongTextInput(props: LongTextEditorProps): JSX.Element {
  return (
    <Suspense fallback={<div className="long-text" aria-busy="true" />}>
      <LongTextEditor {...props} />
    </Suspense>
  );
}

type TextElement = HTMLInputElement | HTMLTextAreaElement;

export type TextPaste = ClipboardEvent<TextElement>;

/** The pasted text, with line feeds as line ends. */
export function pastedText({ clipboardData }: TextPaste): string {
  return clipboardData.getData('text/plain').replaceAll(/\r\n?/g, '\n');
}

/** The text of a field after its selection has been replaced. */
export function withInserted(
  inserted: string,
  { value, selectionStart, selectionEnd }: TextElement,
) {
  const from = selectionStart ?? value.length;
  const text = `${value.slice(0, from)}${inserted}${value.slice(selectionEnd ?? value.length)}`;
  return { text, caret: from + inserted.length };
}
