import { useRef } from 'react';
import type { JSX } from 'react';
import { chooseFiles } from './import-store.ts';
import { acceptedEndings } from './recognize-files.ts';

/** Opens the browser's file chooser. */
export function FileButton({
  disabledReason,
}: {
  readonly disabledReason: string | undefined;
}): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        className="btn primary lg"
        aria-disabled={disabledReason !== undefined}
        title={disabledReason}
        onClick={() => {
          if (disabledReason === undefined) input.current?.click();
        }}
      >
        Choose a file
      </button>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        aria-label="File to import"
        tabIndex={-1}
        multiple
        accept={acceptedEndings}
        onChange={(event) => {
          chooseFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}
