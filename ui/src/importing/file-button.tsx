import { useRef } from 'react';
import type { JSX } from 'react';
import { chooseFiles, chooseFolder } from './import-store.ts';
import { acceptedExtensions } from './recognize-files.ts';
import { useOpenTable } from './use-open-table.ts';
import { importingTexts as texts } from '../texts/importing.ts';

interface ButtonProps {
  readonly disabledReason: string | undefined;
}

/** Opens the browser's file chooser. */
export function FileButton({ disabledReason }: ButtonProps): JSX.Element {
  const openTable = useOpenTable();
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
        {texts.chooseFile}
      </button>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        aria-label={texts.fileToImport}
        tabIndex={-1}
        multiple
        accept={acceptedExtensions}
        onChange={(event) => {
          chooseFiles([...(event.target.files ?? [])], openTable);
          event.target.value = '';
        }}
      />
    </>
  );
}

/** Opens the browser's chooser for a folder of Go files. */
export function FolderButton({ disabledReason }: ButtonProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        className="btn lg"
        aria-disabled={disabledReason !== undefined}
        title={disabledReason}
        onClick={() => {
          if (disabledReason === undefined) input.current?.click();
        }}
      >
        {texts.chooseFolder}
      </button>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        aria-label={texts.folderToImport}
        tabIndex={-1}
        {...{ webkitdirectory: '' }}
        onChange={(event) => {
          chooseFolder([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}
