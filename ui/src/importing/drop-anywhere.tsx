import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { droppedFolders, filesOfFolder } from './folder-files.ts';
import { chooseFiles, chooseFolder } from './import-store.ts';
import { useOpenTable } from './use-open-table.ts';
import { importStartTexts as texts } from '../texts/import-start.ts';

/** Imports files that are dropped on any page of the studio. */
export function DropAnywhere(): JSX.Element | null {
  const [isOver, setOver] = useState(false);
  const navigate = useNavigate();
  const openTable = useOpenTable();
  useEffect(() => {
    const onDragOver = (event: DragEvent): void => {
      const isAccepted = holdsFiles(event) && !isHandledByTarget(event);
      if (isAccepted) event.preventDefault();
      setOver(isAccepted);
    };
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (!holdsFiles(event) || isHandledByTarget(event)) return;
      event.preventDefault();
      event.stopPropagation();
      const folders = droppedFolders(event.dataTransfer);
      const files = [...(event.dataTransfer?.files ?? [])];
      const begin = (isAccepted: boolean): void => {
        if (isAccepted) void navigate({ to: '/import' });
      };
      if (folders.length === 0) begin(chooseFiles(files, openTable));
      else
        void Promise.all(folders.map(filesOfFolder)).then((filesByFolder) =>
          begin(chooseFolder(filesByFolder.flat())),
        );
    };
    // Capture phase, because a text editor would insert the text of the file.
    const first = { capture: true };
    addEventListener('dragover', onDragOver, first);
    addEventListener('dragleave', onDragLeave, first);
    addEventListener('drop', onDrop, first);
    return () => {
      removeEventListener('dragover', onDragOver, first);
      removeEventListener('dragleave', onDragLeave, first);
      removeEventListener('drop', onDrop, first);
    };
  }, [navigate, openTable]);
  if (!isOver) return null;
  return (
    <div className="drop-over" aria-hidden="true">
      <Icon name="upload" /> {texts.drop}
    </div>
  );
}

/** Whether the drop target handles files itself. */
function isHandledByTarget({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest('[data-takes-files]') !== null;
}

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true;
}
