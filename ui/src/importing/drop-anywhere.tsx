import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { chooseFiles } from './import-store.ts';

/** Files dropped on the studio are imported, whatever page is open. */
export function DropAnywhere(): JSX.Element | null {
  const [isOver, setOver] = useState(false);
  const navigate = useNavigate();
  useEffect(() => {
    const onDragOver = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (chooseFiles([...(event.dataTransfer?.files ?? [])])) void navigate({ to: '/import' });
    };
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onDragLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', onDragLeave);
      removeEventListener('drop', onDrop);
    };
  }, [navigate]);
  if (!isOver) return null;
  return (
    <div className="drop-over" aria-hidden="true">
      <Icon name="upload" /> Drop to import
    </div>
  );
}

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true;
}
